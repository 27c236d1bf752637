public import Foundation
public import MediaCore

/// How much a file may ask for: what is read, decoded, kept and waited for.
///
/// The defaults suit files from strangers, and films of any length that people make. A program that knows its files
/// may raise a limit, and a service may lower all of them; `docs/limits.md` has the reason for each. Beyond
/// AVFoundation.
///
/// A value outside of a limit's ``Name/range`` counts as the nearest one in it: there is no limit that can be turned
/// off, because beyond these ranges the work itself is not safe.
///
/// ```swift
/// var limits = MediaLimits()
/// limits.pixels = 4096 * 4096
/// limits.time = .seconds(5)
/// let asset = AVURLAsset(url: url, options: [AVURLAssetLimitsKey: limits])
/// ```
public struct MediaLimits: Hashable, Sendable, Codable {
    private var changed: [Name: Int64] = [:]

    /// The defaults.
    public init() {}

    /// A limit's value in its ``Name/unit``, always one of its ``Name/range``.
    public subscript(name: Name) -> Int64 {
        get { name.nearest(to: changed[name] ?? name.defaultValue) }
        set {
            let value = name.nearest(to: newValue)
            changed[name] = value == name.defaultValue ? nil : value
        }
    }

    // MARK: Pictures

    /// Pixels of one picture, stored or decoded.
    public var pixels: Int64 {
        get { self[.pixels] }
        set { self[.pixels] = newValue }
    }

    /// Pixels of a cover or another picture that comes with a film; ``pixels`` bounds it too.
    public var artworkPixels: Int64 {
        get { self[.artworkPixels] }
        set { self[.artworkPixels] = newValue }
    }

    /// Pictures of an animation: GIF, animated PNG.
    public var frames: Int64 {
        get { self[.frames] }
        set { self[.frames] = newValue }
    }

    // MARK: What is read of a file

    /// Streams of a file.
    public var streams: Int64 {
        get { self[.streams] }
        set { self[.streams] = newValue }
    }

    /// Packets that are read for one picture without its coming out, or for one list of a track's samples.
    public var packets: Int64 {
        get { self[.packets] }
        set { self[.packets] = newValue }
    }

    /// Samples that a movie's tables and fragments list, those of all tracks together, once for each edit that shows
    /// them.
    public var indexEntries: Int64 {
        get { self[.indexEntries] }
        set { self[.indexEntries] = newValue }
    }

    /// Bytes read to find out what a file is.
    public var probeSize: Int64 {
        get { self[.probeSize] }
        set { self[.probeSize] = newValue }
    }

    /// Bytes taken from a pipe, which are kept on disk meanwhile.
    public var pipeSize: Int64 {
        get { self[.pipeSize] }
        set { self[.pipeSize] = newValue }
    }

    // MARK: Metadata

    /// Bytes of metadata that are read into memory, unpacked where a file has them packed.
    public var metadataSize: Int64 {
        get { self[.metadataSize] }
        set { self[.metadataSize] = newValue }
    }

    /// Chapters of a file, those of all its lists and levels together.
    public var chapters: Int64 {
        get { self[.chapters] }
        set { self[.chapters] = newValue }
    }

    /// Levels of chapters within chapters, and of tags within tags.
    public var nesting: Int64 {
        get { self[.nesting] }
        set { self[.nesting] = newValue }
    }

    // MARK: What is made

    /// Bytes of one file that is written: an export, or a film with changed metadata.
    public var outputSize: Int64 {
        get { self[.outputSize] }
        set { self[.outputSize] = newValue }
    }

    /// Bytes of memory that the tracks which an export encodes side by side are estimated to take, beside the one that
    /// takes most: an export is refused that would take more, before it begins.
    public var encodingMemory: Int64 {
        get { self[.encodingMemory] }
        set { self[.encodingMemory] = newValue }
    }

    /// Characters of a line of text that is drawn into a sheet; the rest is left out.
    public var textLength: Int64 {
        get { self[.textLength] }
        set { self[.textLength] = newValue }
    }

    // MARK: Time

    /// How long opening may take, without time spent waiting for a pipe that gives something, in whole milliseconds.
    public var openTime: Duration {
        get { .milliseconds(self[.openTime]) }
        set { self[.openTime] = newValue.wholeMilliseconds }
    }

    /// How long one picture may take, and how long a pipe may give nothing, in whole milliseconds.
    public var time: Duration {
        get { .milliseconds(self[.time]) }
        set { self[.time] = newValue.wholeMilliseconds }
    }
}

extension Duration {
    /// Milliseconds, rounded up, within what 64 bits hold.
    fileprivate var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, isTooLong) = seconds.multipliedReportingOverflow(by: 1000)
        guard !isTooLong else { return seconds < 0 ? .min : .max }
        let part = attoseconds / 1_000_000_000_000_000 + (attoseconds % 1_000_000_000_000_000 > 0 ? 1 : 0)
        let (sum, isOver) = whole.addingReportingOverflow(part)
        return isOver ? .max : sum
    }
}

extension MediaLimits {
    /// A limit's name, as `--limit` takes it and `docs/limits.md` lists it.
    public enum Name: String, CaseIterable, Hashable, Sendable, Codable, CodingKeyRepresentable {
        /// Pixels of one picture.
        case pixels
        /// Pixels of a cover.
        case artworkPixels = "artwork-pixels"
        /// Pictures of an animation.
        case frames
        /// Streams of a file.
        case streams
        /// Packets for one picture.
        case packets
        /// Samples in a movie's tables.
        case indexEntries = "index-entries"
        /// Bytes of metadata in memory.
        case metadataSize = "metadata-size"
        /// Chapters of a file.
        case chapters
        /// Levels of chapters and tags.
        case nesting
        /// Bytes read to find out what a file is.
        case probeSize = "probe-size"
        /// Bytes taken from a pipe.
        case pipeSize = "pipe-size"
        /// Bytes of a file that is written.
        case outputSize = "output-size"
        /// Memory of tracks that are encoded side by side, beside the largest.
        case encodingMemory = "encoding-memory"
        /// Time for opening.
        case openTime = "open-time"
        /// Time for one picture.
        case time
        /// Characters of a line on a sheet.
        case textLength = "text"
    }

    /// What a limit counts.
    public enum Unit: Hashable, Sendable {
        /// Things of some kind.
        case count
        /// Bytes.
        case bytes
        /// Thousandths of a second.
        case milliseconds
    }
}

extension MediaLimits.Name {
    /// What the limit counts.
    public var unit: MediaLimits.Unit {
        switch self {
        case .metadataSize, .probeSize, .pipeSize, .outputSize, .encodingMemory: .bytes
        case .openTime, .time: .milliseconds
        case .pixels, .artworkPixels, .frames, .streams, .packets, .indexEntries, .chapters, .nesting, .textLength:
            .count
        }
    }

    /// The value that holds where none is given, in the limit's unit.
    public var defaultValue: Int64 {
        switch self {
        // 15360×8640 passes, twice the sides of 8K.
        case .pixels: 1 << 27
        // A square of 8192 pixels; shops ask for 3000.
        case .artworkPixels: 1 << 26
        case .frames: 1 << 16
        case .streams: 256
        // Twenty hours of film have four million.
        case .packets: 8_000_000
        // A day of 60 pictures a second with four tracks of sound; 24 bytes of memory each.
        case .indexEntries: 1 << 24
        case .metadataSize: 64 << 20
        case .chapters: 1 << 16
        case .nesting: 16
        case .probeSize: 5_000_000
        case .pipeSize: 8 << 30
        case .outputSize: 1 << 40
        // Four tracks of 1920×1080, five with the largest.
        case .encodingMemory: 768 << 20
        case .openTime: 30_000
        case .time: 120_000
        case .textLength: 2000
        }
    }

    /// The values that the limit can have, in its unit: what is beyond is not safe, or makes no sense.
    public var range: ClosedRange<Int64> {
        switch self {
        // libavutil refuses larger pictures whatever is asked for.
        case .pixels, .artworkPixels: 1...(1 << 28)
        case .frames: 1...(1 << 24)
        case .streams: 1...4096
        case .packets: 1...1_000_000_000
        // libavformat's own list of a track ends at 2 GiB.
        case .indexEntries: 1...(1 << 26)
        // An ID3 tag can have no more.
        case .metadataSize: 1024...(256 << 20)
        case .chapters: 1...(1 << 20)
        // Readers call themselves for each level.
        case .nesting: 1...64
        case .probeSize: 2048...(1 << 30)
        case .pipeSize: 1...(1 << 50)
        case .outputSize: 1...(1 << 60)
        case .encodingMemory: (1 << 20)...(1 << 50)
        case .openTime, .time: 1...86_400_000
        // Lines of more are beyond what is set at once.
        case .textLength: 1...10_000
        }
    }

    /// What the limit is on, in a few words.
    public var summary: String {
        switch self {
        case .pixels: "pixels of a picture"
        case .artworkPixels: "pixels of a cover"
        case .frames: "pictures of an animation"
        case .streams: "streams of a file"
        case .packets: "packets read for one picture"
        case .indexEntries: "samples in a movie's tables"
        case .metadataSize: "bytes of metadata read into memory"
        case .chapters: "chapters of a file"
        case .nesting: "levels of chapters or tags in one another"
        case .probeSize: "bytes read to find out what a file is"
        case .pipeSize: "bytes taken from a pipe"
        case .outputSize: "bytes of a file that is written"
        case .encodingMemory: "memory of tracks encoded beside the largest"
        case .openTime: "time for opening a file"
        case .time: "time for one picture, or without a byte from a pipe"
        case .textLength: "characters of a line on a sheet"
        }
    }

    /// What is said behind the reason why something was not read whole.
    package var note: String { "(limit \(rawValue))" }

    /// The value of the limit's range that is nearest to another.
    func nearest(to value: Int64) -> Int64 { min(max(value, range.lowerBound), range.upperBound) }
}

/// A limit on time, memory or size was hit, before anything was lost: of pixels, streams, packets, the bytes of a
/// pipe, of a reader of metadata, or of an image.
///
/// What AVFoundation has too throws an `AVError` with this one under `NSUnderlyingErrorKey`, so that callers can tell
/// a file that asks for too much from a file that is damaged.
///
/// Beyond AVFoundation.
public struct MediaLimitError: BridgedError, LocalizedError, Hashable {
    /// Which limit, in one line.
    public let reason: String
    /// The limit's name, if it is one that can be set by ``MediaLimits``; `nil` for one that is fixed.
    public let limit: MediaLimits.Name?
    /// Which limit.
    public var errorDescription: String? { reason }

    /// Makes an error.
    public init(reason: String, limit: MediaLimits.Name? = nil) { (self.reason, self.limit) = (reason, limit) }
}

extension AVError {
    /// The error of an API of AVFoundation for a limit that was hit.
    package init(_ code: Code, _ limit: MediaLimitError) {
        self.init(code, reason: limit.reason, underlying: limit)
    }

    /// The error for an asset that asks for too much.
    package init(_ limit: MediaLimitError) { self.init(.operationNotSupportedForAsset, limit) }
}
