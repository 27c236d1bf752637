internal import Foundation
internal import OpenAVFoundation

/// Encodes stills and writes them to their names.
struct StillWriter {
    let source: String
    let pattern: OutputPattern
    /// Digits of the index.
    let width: Int
    let format: StillFormat
    let quality: Int
    let replaces: Bool

    /// Writes one still.
    ///
    /// - Returns: The path it got.
    func write(_ still: Still) throws -> String {
        if pattern.isStandardOutput {
            try Console.write(try encode(still))
            return "-"
        }
        let path = pattern.path(
            source: source, index: still.index + 1, width: width, requested: still.requestedTime,
            actual: still.actualTime, fileExtension: format.fileExtension)
        if !replaces, FileManager.default.fileExists(atPath: path) {
            throw FileWriteError(kind: .exists, path: path, reason: "the file exists already")
        }
        try AtomicFile.write(try encode(still), to: path, replaces: replaces)
        return path
    }

    private func encode(_ still: Still) throws -> Data {
        switch format {
        case .png:
            try still.image.pngData(text: [
                ("Source", (source as NSString).lastPathComponent),
                ("Requested Time", "\(still.requestedTime.value)/\(still.requestedTime.timescale)"),
                ("Actual Time", "\(still.actualTime.value)/\(still.actualTime.timescale)"),
            ])
        case .jpeg: try still.image.jpegData(quality: quality)
        }
    }
}

/// A still as JSON has it.
struct JSONStill: Encodable {
    let source: String
    let index: Int
    let requested: JSONTime?
    let actual: JSONTime?
    let duration: JSONTime?
    let isSyncSample: Bool
    let exact: Bool
    let damaged: Bool
    let width: Int
    let height: Int
    let file: String

    init(source: String, still: Still, file: String) {
        self.source = source
        index = still.index + 1
        requested = JSONTime(still.requestedTime)
        actual = JSONTime(still.actualTime)
        duration = JSONTime(still.duration)
        isSyncSample = still.isSyncSample
        exact = still.isExact
        damaged = still.damage != nil
        width = still.image.width
        height = still.image.height
        self.file = file
    }
}

/// A still that could not be had, as JSON has it.
struct JSONFailedStill: Encodable {
    let source: String
    let index: Int
    let requested: JSONTime?
    let error: JSONError
}
