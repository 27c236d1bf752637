internal import Foundation
internal import MediaPreviews

/// Where sheets go, and in which format.
struct SheetTarget {
    let format: PreviewImageFormat
    private let pattern: OutputPattern

    /// - Throws: A failure if several sheets would get one name, or if the name
    ///   ends in what the sheet is not.
    init(_ files: SheetFiles, fileCount: Int) throws {
        let pattern = try OutputPattern(files.output, default: "{name}-sheet.{ext}", count: fileCount)
        let ending = pattern.fileExtension
        let named = PreviewImageFormat.allCases.first { $0.fileExtension == ending || $0.rawValue == ending }
        let wanted = files.format
        if !ending.isEmpty, wanted == nil, named == nil {
            throw Failure(.usage, "usage", "\(files.output ?? ""): .\(ending) is no kind of picture that can be made")
        }
        if let wanted, let named, named != wanted {
            throw Failure(.usage, "usage", "\(files.output ?? ""): .\(ending) is not the ending of \(wanted.rawValue)")
        }
        guard fileCount == 1 || pattern.contains("{name}") else {
            throw Failure(.usage, "usage", "several files need {name} in the name, or a folder")
        }
        (self.pattern, format) = (pattern, wanted ?? named ?? .png)
    }

    var isStandardOutput: Bool { pattern.isStandardOutput }

    /// The name of a film's sheet.
    func path(for source: String) -> String { pattern.path(source: source, fileExtension: format.fileExtension) }
}
