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
