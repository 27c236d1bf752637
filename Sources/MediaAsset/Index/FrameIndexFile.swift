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
        guard let file = RandomAccessFile(path: url.path) else {
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
    public func checkFits(_ film: URL) throws {
        let found = FileFingerprint(of: film)
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
    package static func write(_ index: FrameIndex, of film: FileFingerprint, to place: OutputPlace) throws {
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
