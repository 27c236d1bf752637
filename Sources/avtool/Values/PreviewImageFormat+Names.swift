internal import Foundation
internal import MediaPreviews

extension PreviewImageFormat {
    /// The format of pictures: what was asked for by name, else what their names end in.
    ///
    /// - Parameters:
    ///   - wanted: What was asked for by name.
    ///   - output: The names as they were given.
    ///   - pattern: What was made of them.
    /// - Throws: A failure if the names end in what the pictures are not.
    init(_ wanted: PreviewImageFormat?, output: String?, _ pattern: ResultNaming) throws {
        let ending = pattern.fileExtension
        let named = PreviewImageFormat(ending: ending)
        if !ending.isEmpty, wanted == nil, named == nil {
            let known = Self.allCases.flatMap { Set([$0.rawValue, $0.fileExtension]).sorted() }
            throw Failure(
                .usage,
                "\(output ?? ""): .\(ending) is no kind of picture that can be made; known are "
                    + known.map { ".\($0)" }.joined(separator: ", "))
        }
        if let wanted, let named, named != wanted {
            throw Failure(.usage, "\(output ?? ""): .\(ending) is not the ending of \(wanted.rawValue)")
        }
        self = wanted ?? named ?? .png
    }

    /// The format that a name ends in, or goes by: `jpg` as well as `jpeg`.
    init?(ending: String) {
        let format = Self.allCases.first { $0.fileExtension == ending || $0.rawValue == ending }
        guard let format else { return nil }
        self = format
    }

    /// Whether PQ and HLG survive in it.
    var holdsHDR: Bool { self == .png || self == .avif }
}
