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
        let format = try PreviewImageFormat(files.format, output: files.output, pattern)
        guard fileCount == 1 || pattern.contains("{name}") else {
            throw Failure(.usage, "usage", "several files need {name} in the name, or a folder")
        }
        (self.pattern, self.format) = (pattern, format)
    }

    var isStandardOutput: Bool { pattern.isStandardOutput }
    /// Whether the folder that the sheets go to is made where there is none.
    var makesFolder: Bool { pattern.makesFolder }

    /// The name of a film's sheet.
    func path(for source: String) -> String {
        isStandardOutput ? "-" : pattern.path(source: source, fileExtension: format.fileExtension)
    }
}
