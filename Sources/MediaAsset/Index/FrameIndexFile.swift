public import Foundation
internal import MediaCore
public import MediaIO

/// A file with an index of a film's frames, as `avtool index` writes it.
///
/// Beyond AVFoundation. `docs/index-format.md` tells the format.
///
/// ```swift
/// let index = try FrameIndexFile(url: indexURL)
/// try index.checkFits(filmURL)
/// let asset = AVURLAsset(url: filmURL, options: [AVURLAssetFrameIndexKey: index])
/// ```
public struct FrameIndexFile: Sendable {
    /// What the first line says, as far as it is of use here.
    private struct Header: Codable {
        struct Source: Codable {
            var byteCount: UInt64?
            var fingerprint: String?
        }

        struct Time: Codable {
            var value: Int64
            var timescale: Int32
        }

        struct Track: Codable {
            var track: Int32
            var stream: Int
            var tick: [Int64]
            var frames: Int
            var truncation: String?
        }

        var format = FrameIndexFile.format
        var version = FrameIndexFile.version
        var source: Source
        var origin: Time?
        var tracks: [Track]
    }

    package static let format = "avtool-index"
    /// Counted up where what is there comes to mean something else; new members and columns at the end may come.
    package static let version = 1
    /// More than the facts of all tracks that a file may have.
    private static let maximumHeader = 1 << 24

    private let file: RandomAccessFile
    private let header: Header
    private let rowsPosition: UInt64
    private let limits: MediaLimits

    /// Reads the first line.
    ///
    /// - Throws: `AVError.fileFailedToParse` if that is no index or one of another version; `AVError.failedToLoadMediaData` if
    ///   it cannot be read.
    public init(url: URL, limits: MediaLimits = MediaLimits()) throws {
        try self.init(path: url.path, limits: limits, access: .direct)
    }

    /// - Parameter access: Who opens it.
    package init(path: String, limits: MediaLimits, access: FileAccess) throws {
        guard let file = RandomAccessFile(path: path, access: access) else {
            throw AVError(.failedToLoadMediaData, reason: "the index cannot be read")
        }
        let beginning = file.read(at: 0, count: Self.maximumHeader)
        guard let end = beginning.firstIndex(of: UInt8(ascii: "\n")),
            let header = try? JSONDecoder().decode(Header.self, from: Data(beginning[..<end])),
            header.format == Self.format
        else { throw AVError(.fileFailedToParse, reason: "this is no index of frames") }
        guard header.version == Self.version else {
            throw AVError(
                .fileFailedToParse, reason: "the index has version \(header.version), not \(Self.version)")
        }
        (self.file, self.header, self.limits) = (file, header, limits)
        rowsPosition = UInt64(end) + 1
    }

    /// Fails unless a film is what the index was made of.
    ///
    /// - Throws: `AVError.invalidSourceMedia` for another film, or another version of it.
    /// - Complexity: Reads 1 MiB at most.
    public func checkFits(_ film: URL) throws { try checkFits(FileFingerprint(of: film)) }

    /// - Parameter found: The fingerprint of the file; `nil` if it has none.
    package func checkFits(_ found: FileFingerprint?) throws {
        guard let found, found.byteCount == header.source.byteCount, found.digest == header.source.fingerprint else {
            throw AVError(.invalidSourceMedia, reason: "the index was made of another version of the film")
        }
    }

    /// Reads all frames.
    ///
    /// - Throws: `AVError.fileFailedToParse` if it is damaged or has more frames than ``MediaLimits/packets`` allows.
    func load() throws -> FrameIndex {
        var rows = FrameIndexRows(limits: limits)
        var position = rowsPosition
        var rest: [UInt8] = []
        while position < file.byteCount {
            let part = file.read(at: position, count: 1 << 20)
            guard !part.isEmpty else { break }
            position += UInt64(part.count)
            rest = try rows.add(rest + part)
        }
        guard rest.isEmpty, file.readFailure == nil else { throw FrameIndexRows.damage }
        let origin = header.origin.map { CMTime(value: $0.value, timescale: $0.timescale) } ?? .zero
        let tracks = try header.tracks.map { track in
            let frames = rows.frames[track.track] ?? []
            guard frames.count == track.frames, track.tick.count == 2, track.tick.allSatisfy({ $0 > 0 }) else {
                throw FrameIndexRows.damage
            }
            return FrameIndex.Track(
                trackID: track.track, streamIndex: track.stream, tick: (track.tick[0], track.tick[1]), frames: frames,
                truncation: track.truncation)
        }
        return FrameIndex(origin: origin, tracks: tracks)
    }

    /// Writes an index of a film, for this tool to read.
    static func write(_ index: FrameIndex, of film: FileFingerprint, to place: OutputPlace) throws {
        let header = Header(
            source: Header.Source(byteCount: film.byteCount, fingerprint: film.digest),
            origin: Header.Time(value: index.origin.value, timescale: index.origin.timescale),
            tracks: index.tracks.map { track in
                Header.Track(
                    track: track.trackID, stream: track.streamIndex,
                    tick: [track.tick.numerator, track.tick.denominator], frames: track.frames.count,
                    truncation: track.truncation)
            })
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let line = try encoder.encode(header)
        try AtomicFile.write(to: place) { output throws(FileWriteError) in
            try output.write(Array(line) + [UInt8(ascii: "\n")])
            try FrameIndexRows.write(index) { part throws(FileWriteError) in try output.write(Array(part.utf8)) }
        }
    }
}

/// The lines of an index of frames after its first: an array for each frame.
package struct FrameIndexRows {
    /// What is in each line after the track's number.
    package static let columns = ["presentation", "decode", "duration", "position", "size", "entry", "shown"]

    static let damage = AVError(.fileFailedToParse, reason: "the index is damaged")

    /// The frames that were read so far, by their tracks' numbers.
    private(set) var frames: [Int32: [FrameIndex.Frame]] = [:]
    private var count = 0
    private let limits: MediaLimits

    init(limits: MediaLimits) { self.limits = limits }

    // MARK: Writing

    /// Calls `body` with the lines, in parts.
    package static func write(
        _ index: FrameIndex, _ body: (String) throws(FileWriteError) -> Void
    ) throws(FileWriteError) {
        for track in index.tracks {
            var part = ""
            for frame in track.frames {
                part += row(track.trackID, frame)
                guard part.utf8.count > 1 << 16 else { continue }
                try body(part)
                part = ""
            }
            try body(part)
        }
    }

    private static func row(_ track: Int32, _ frame: FrameIndex.Frame) -> String {
        let decode = frame.decode.map(String.init) ?? "null"
        let position = frame.position.map(String.init) ?? "null"
        let entry = frame.entry.map { "\"\($0.rawValue)\"" } ?? "null"
        return
            "[\(track),\(frame.presentation),\(decode),\(frame.duration),\(position),\(frame.byteCount),\(entry),\(frame.isShown)]\n"
    }

    // MARK: Reading

    /// Takes lines.
    ///
    /// - Returns: What follows the last whole one.
    mutating func add(_ bytes: [UInt8]) throws -> [UInt8] {
        let end = (bytes.lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1
        guard end > 0 else {
            guard bytes.count <= Self.longestRow else { throw Self.damage }
            return bytes
        }
        try bytes[..<end].withUnsafeBytes { buffer in
            var row = Row(bytes: buffer)
            while !row.isAtEnd { try add(&row) }
        }
        return Array(bytes[end...])
    }

    /// Seven numbers, and columns that may come.
    private static let longestRow = 4096

    private mutating func add(_ row: inout Row) throws {
        guard row.skip("["), let track = row.number().flatMap(Int32.init(exactly:)), row.skip(","),
            let presentation = row.number(), row.skip(","), let decode = row.optionalNumber(), row.skip(","),
            let duration = row.number(), row.skip(","), let position = row.optionalNumber(), row.skip(","),
            let size = row.number().flatMap(Int.init(exactly:)), row.skip(","), let entry = row.entry(), row.skip(","),
            let isShown = row.flag(), row.skipLine(), size >= 0, position ?? 0 >= 0, duration >= 0
        else { throw Self.damage }
        count += 1
        guard count <= limits.packets else {
            throw AVError(.fileFailedToParse, reason: "the index has more than \(limits.packets) frames")
        }
        frames[track, default: []].append(
            FrameIndex.Frame(
                presentation: presentation, decode: decode, duration: duration, position: position, byteCount: size,
                isKey: entry != nil, entry: entry, isShown: isShown))
    }
}

/// One line after the other, each member as it is written above.
private struct Row {
    let bytes: UnsafeRawBufferPointer
    private var position = 0

    init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    var isAtEnd: Bool { position >= bytes.count }

    mutating func skip(_ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard position + count <= bytes.count else { return false }
        for index in 0..<count where bytes[position + index] != text.utf8Start[index] { return false }
        position += count
        return true
    }

    mutating func number() -> Int64? {
        let isNegative = skip("-")
        var (value, digits) = (Int64(0), 0)
        while position < bytes.count, case let digit = bytes[position] &- UInt8(ascii: "0"), digit < 10 {
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, carry) = product.subtractingReportingOverflow(Int64(digit))
            guard !overflow, !carry else { return nil }
            (value, digits) = (sum, digits + 1)
            position += 1
        }
        guard digits > 0, isNegative || value > .min else { return nil }
        return isNegative ? value : -value
    }

    /// - Returns: `nil` if it is neither a number nor null.
    mutating func optionalNumber() -> Int64?? { skip("null") ? .some(nil) : number().map { .some($0) } }

    mutating func entry() -> FrameIndex.Entry?? {
        if skip("null") { return .some(nil) }
        if skip("\"clean\"") { return .some(.clean) }
        if skip("\"recovery\"") { return .some(.recovery) }
        return skip("\"gradual\"") ? .some(.gradual) : nil
    }

    mutating func flag() -> Bool? { skip("true") ? true : skip("false") ? false : nil }

    /// Passes over columns that are not known.
    mutating func skipLine() -> Bool {
        guard position < bytes.count, bytes[position] == UInt8(ascii: "]") || bytes[position] == UInt8(ascii: ",")
        else {
            return false
        }
        while position < bytes.count {
            position += 1
            if bytes[position - 1] == UInt8(ascii: "\n") { return true }
        }
        return false
    }
}
