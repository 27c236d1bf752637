internal import AVToolCommands
internal import Foundation
internal import OpenAVFoundationExtras

extension PreviewImageFormat {
    /// The format of pictures: what was asked for by name, else what their names end in.
    ///
    /// - Parameters:
    ///   - wanted: What was asked for by name.
    ///   - output: The names as they were given.
    ///   - pattern: What was made of them.
    /// - Throws: A failure if the names end in what the pictures are not.
    init(_ wanted: PreviewImageFormat?, output: String?, _ pattern: ResultNaming) throws {
        let filenameExtension = pattern.filenameExtension
        let named = PreviewImageFormat(filenameExtension: filenameExtension)
        if !filenameExtension.isEmpty, wanted == nil, named == nil {
            let known = Self.allCases.flatMap { Set([$0.rawValue, $0.filenameExtension]).sorted() }
            throw Failure(
                .usage,
                "\(output ?? ""): .\(filenameExtension) is no kind of picture that can be made; known are "
                    + known.map { ".\($0)" }.joined(separator: ", "))
        }
        if let wanted, let named, named != wanted {
            throw Failure(
                .usage, "\(output ?? ""): .\(filenameExtension) is no filename extension of \(wanted.rawValue)")
        }
        self = wanted ?? named ?? .png
    }

    /// Whether PQ and HLG survive in it.
    var holdsHDR: Bool { self == .png || self == .avif }
}
