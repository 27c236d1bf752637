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
