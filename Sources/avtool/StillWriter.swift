internal import Foundation
internal import MediaPreviews
internal import OpenAVFoundation

/// A still as a file's bytes, and all that is said of it.
struct EncodedStill: Sendable {
    let source: String
    let index: Int
    let requestedTime: CMTime
    let actualTime: CMTime
    let duration: CMTime
    let isSyncSample: Bool
    let isExact: Bool
    let damage: String?
    let choice: RepresentativeChoice?
    let width: Int
    let height: Int
    let data: Data

    /// The line of results for people.
    func line(file: String) -> String {
        let mark = damage.map { "  damaged: \($0.oneLine)" } ?? ""
        let why = choice.map { "  \($0.reason)" } ?? ""
        return "\(requestedTime.secondsText()) → \(actualTime.secondsText())  \(file.oneLine)\(mark)\(why)"
    }

    /// The line of results for `--json`.
    func json(file: String) -> JSONStill { JSONStill(still: self, file: file) }
}

/// Encodes stills and writes them to their names.
struct StillWriter: Sendable {
    let source: String
    let pattern: OutputPattern
    /// Digits of the index.
    let width: Int
    let format: PreviewImageFormat
    let quality: Int
    let replaces: Bool
    let files: RunFiles

    /// Fails before anything is decoded, if a name that is known by then is that of an input.
    func checkNames(for times: [CMTime]) throws {
        if pattern.isStandardOutput { return try files.check("-", replaces: replaces) }
        guard !pattern.contains("{actual}") else { return }
        for (index, time) in times.enumerated() {
            try files.checkIsNoInput(path(index: index, requested: time, actual: time))
        }
    }

    /// Encodes one still, on whatever thread decoded it.
    ///
    /// - Throws: If the name is taken, before any work is done for nothing.
    func encode(_ still: Still) throws -> EncodedStill {
        if !pattern.isStandardOutput {
            let path = path(index: still.index, requested: still.requestedTime, actual: still.actualTime)
            try files.check(path, replaces: replaces)
        }
        return EncodedStill(
            source: source, index: still.index, requestedTime: still.requestedTime, actualTime: still.actualTime,
            duration: still.duration, isSyncSample: still.isSyncSample, isExact: still.isExact, damage: still.damage,
            choice: still.choice, width: still.image.width, height: still.image.height, data: try bytes(of: still))
    }

    /// Writes one encoded still.
    ///
    /// - Returns: The path it got.
    func write(_ still: EncodedStill) throws -> String {
        let path = pattern.isStandardOutput ? "-" : path(of: still)
        let place = try files.output(path, replaces: replaces, makesFolder: pattern.makesFolder)
        try AtomicFile.write(still.data, to: place)
        return path
    }

    /// The name that a still gets.
    private func path(of still: EncodedStill) -> String {
        path(index: still.index, requested: still.requestedTime, actual: still.actualTime)
    }

    private func path(index: Int, requested: CMTime, actual: CMTime) -> String {
        let number = String(index + 1)
        return pattern.path(
            source: source, fileExtension: format.fileExtension,
            values: [
                "{index}": String(repeating: "0", count: max(0, width - number.count)) + number,
                "{requested}": requested.secondsText(), "{actual}": actual.secondsText(),
            ])
    }

    private func bytes(of still: Still) throws -> Data {
        guard format == .png else { return try format.data(of: still.image, quality: quality) }
        return try still.image.pngData(text: [
            ("Source", (source as NSString).lastPathComponent),
            ("Requested Time", "\(still.requestedTime.value)/\(still.requestedTime.timescale)"),
            ("Actual Time", "\(still.actualTime.value)/\(still.actualTime.timescale)"),
        ])
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
    let representative: JSONChoice?
    let file: String

    init(still: EncodedStill, file: String) {
        source = still.source
        index = still.index + 1
        requested = JSONTime(still.requestedTime)
        actual = JSONTime(still.actualTime)
        duration = JSONTime(still.duration)
        isSyncSample = still.isSyncSample
        exact = still.isExact
        damaged = still.damage != nil
        width = still.width
        height = still.height
        representative = still.choice.map { JSONChoice($0) }
        self.file = file
    }
}

/// Why a representative frame was taken, as JSON has it.
struct JSONChoice: Encodable {
    let considered: Int
    let passedOver: [String: Int]
    let flaw: String?
    let reason: String

    init(_ choice: RepresentativeChoice) {
        considered = choice.considered
        passedOver = Dictionary(uniqueKeysWithValues: choice.passedOver.map { ($0.key.rawValue, $0.value) })
        flaw = choice.flaw?.rawValue
        reason = choice.reason
    }
}

/// A still that could not be had, as JSON has it.
struct JSONFailedStill: Encodable {
    let source: String
    let index: Int
    let requested: JSONTime?
    let error: JSONError
}
