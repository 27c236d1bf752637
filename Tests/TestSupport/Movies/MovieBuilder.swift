package import MediaCore
package import MediaIO

/// Builds small movies by hand, after ISO/IEC 14496-12.
package struct MovieBuilder {
    package struct Edit {
        package var duration: Int
        package var mediaTime: Int
        package var rate: Double

        package init(duration: Int, mediaTime: Int, rate: Double = 1) {
            (self.duration, self.mediaTime, self.rate) = (duration, mediaTime, rate)
        }
    }

    package struct Track {
        package var id: Int
        package var handler: String
        package var timescale: Int
        package var entries: [(type: String, content: [UInt8])]
        /// The duration of each sample.
        package var durations: [Int]
        package var offsets: [Int]?
        /// Numbers from 1.
        package var syncSamples: [Int]?
        package var edits: [Edit]
        package var samples: [[UInt8]]
        /// The first sample of each chunk, and its sample description.
        package var chunks: [(first: Int, description: Int)]?
        /// Further boxes of the sample table.
        package var tables: [UInt8]
        package var references: [(type: String, ids: [Int])]
        package var sizeBox: [UInt8]?
        package var dataReference: [UInt8] = box("url ", [0, 0, 0, 1])
        package var mediaHeader: [UInt8] = []

        package init(
            id: Int = 1, handler: String = "vide", timescale: Int = 100,
            entries: [(type: String, content: [UInt8])] = [("mp4v", [0, 0, 0, 0, 0, 0, 0, 1] + zeros(70))],
            durations: [Int], offsets: [Int]? = nil, syncSamples: [Int]? = nil, edits: [Edit] = [],
            samples: [[UInt8]], chunks: [(first: Int, description: Int)]? = nil, tables: [UInt8] = [],
            references: [(type: String, ids: [Int])] = [], sizeBox: [UInt8]? = nil
        ) {
            (self.id, self.handler, self.timescale, self.entries) = (id, handler, timescale, entries)
            (self.durations, self.offsets, self.syncSamples, self.edits) = (durations, offsets, syncSamples, edits)
            (self.samples, self.chunks, self.tables) = (samples, chunks, tables)
            (self.references, self.sizeBox) = (references, sizeBox)
        }
    }

    package var tracks: [Track]
    package var timescale = 1000
    package var head: [UInt8] = box("ftyp", Array("isom".utf8) + [0, 0, 2, 0] + Array("isommp42".utf8))
    package var movieBoxes: [UInt8] = []
    package var tail: [UInt8] = []
    /// What the headers of movie and tracks say, in the movie's timescale; `nil` for the truth.
    package var statedDuration: Int?
    /// Where the media data come: before the movie box, so that their places are known.
    package var isLong = false

    package init(tracks: [Track]) { self.tracks = tracks }

    package static func zeros(_ count: Int) -> [UInt8] { Array(repeating: 0, count: count) }

    package static func u16(_ number: Int) -> [UInt8] { [UInt8(number >> 8 & 255), UInt8(number & 255)] }

    package static func u32(_ number: Int) -> [UInt8] { u16(number >> 16 & 0xFFFF) + u16(number & 0xFFFF) }

    package static func u64(_ number: Int) -> [UInt8] { u32(number >> 32) + u32(number & 0xFFFF_FFFF) }

    package static func box(_ type: String, _ content: [UInt8]...) -> [UInt8] {
        let content = content.flatMap { $0 }
        return u32(content.count + 8) + type.unicodeScalars.map { UInt8($0.value) } + content
    }

    /// A table of numbers of 32 bits after its count.
    package static func table(_ type: String, _ rows: [[Int]], version: Int = 0) -> [UInt8] {
        box(type, u32(version << 24), u32(rows.count), rows.flatMap { $0.flatMap { u32($0) } })
    }

    private static let matrix = u32(0x10000) + zeros(12) + u32(0x10000) + zeros(12) + u32(0x4000_0000)

    /// The file.
    package var bytes: [UInt8] {
        let payload = tracks.flatMap { $0.samples.flatMap { $0 } }
        var position = head.count + 8
        var boxes: [UInt8] = []
        var longest = 0
        for track in tracks {
            let duration =
                statedDuration
                ?? (track.edits.isEmpty
                    ? track.timescale == 0 ? 0 : track.durations.reduce(0, +) * timescale / track.timescale
                    : track.edits.reduce(0) { $0 + $1.duration })
            longest = max(longest, duration)
            boxes += trackBox(track, dataStart: position, duration: duration)
            position += track.samples.reduce(0) { $0 + $1.count }
        }
        let header = Self.box(
            "mvhd", Self.u32(0), Self.u32(1), Self.u32(2), Self.u32(timescale), Self.u32(longest), Self.u32(0x10000),
            Self.u16(0x100), Self.zeros(10), Self.matrix, Self.zeros(24), Self.u32((tracks.map(\.id).max() ?? 0) + 1))
        return head + Self.box("mdat", payload) + Self.box("moov", header, boxes, movieBoxes) + tail
    }

    private func trackBox(_ track: Track, dataStart: Int, duration: Int) -> [UInt8] {
        let header = Self.box(
            "tkhd", Self.u32(7), Self.u32(1), Self.u32(2), Self.u32(track.id), Self.u32(0), Self.u32(duration),
            Self.zeros(16), Self.matrix, Self.zeros(8))
        let edits =
            track.edits.isEmpty
            ? []
            : Self.box(
                "edts",
                Self.table(
                    "elst",
                    track.edits.map {
                        [$0.duration, $0.mediaTime & 0xFFFF_FFFF, Int($0.rate * 65536) & 0xFFFF_FFFF]
                    }))
        let references =
            track.references.isEmpty
            ? []
            : Self.box(
                "tref",
                track.references.flatMap { reference in
                    Self.box(reference.type, reference.ids.flatMap { Self.u32($0) })
                })
        let mediaHeader = Self.box(
            "mdhd", Self.u32(0), Self.u32(1), Self.u32(2), Self.u32(track.timescale),
            Self.u32(track.durations.reduce(0, +)), Self.u16(0x55C4), Self.u16(0))
        let handler = Self.box("hdlr", Self.u32(0), Self.u32(0), Array(track.handler.utf8), Self.zeros(13))
        let data = Self.box("dinf", Self.box("dref", Self.u32(0), Self.u32(1), track.dataReference))
        let information = Self.box("minf", track.mediaHeader, data, sampleTable(track, dataStart: dataStart))
        return Self.box(
            "trak", header, edits, references, Self.box("mdia", mediaHeader, handler, information))
    }

    private func sampleTable(_ track: Track, dataStart: Int) -> [UInt8] {
        let entries = track.entries.flatMap { Self.box($0.type, $0.content) }
        let chunks = track.chunks ?? [(0, 1)]
        var offsets: [Int] = []
        var rows: [[Int]] = []
        for (index, chunk) in chunks.enumerated() {
            let next = index + 1 < chunks.count ? chunks[index + 1].first : track.durations.count
            rows.append([index + 1, next - chunk.first, chunk.description])
            offsets.append(dataStart + track.samples.prefix(chunk.first).reduce(0) { $0 + $1.count })
        }
        let places =
            isLong
            ? Self.box("co64", Self.u32(0), Self.u32(offsets.count), offsets.flatMap { Self.u64($0) })
            : Self.table("stco", offsets.map { [$0] })
        return Self.box(
            "stbl", Self.box("stsd", Self.u32(0), Self.u32(track.entries.count), entries),
            Self.table("stts", track.durations.map { [1, $0] }),
            track.offsets.map { Self.table("ctts", $0.map { [1, $0 & 0xFFFF_FFFF] }, version: 1) } ?? [],
            track.syncSamples.map { Self.table("stss", $0.map { [$0] }) } ?? [],
            Self.table("stsc", rows),
            track.sizeBox
                ?? Self.box(
                    "stsz", Self.u32(0), Self.u32(0), Self.u32(track.samples.count),
                    track.samples.flatMap { Self.u32($0.count) }), places, track.tables)
    }
}

extension FileRewrite {
    /// The new version in memory.
    package func bytes(of file: RandomAccessFile) -> [UInt8] {
        segments.flatMap { segment in
            switch segment {
            case .bytes(let bytes): bytes
            case .source(let range): file.read(range, limit: .max) ?? []
            }
        }
    }
}

/// A time.
package func milliseconds(_ value: Int) -> CMTime { CMTime(value: Int64(value), timescale: 1000) }

/// Samples of three bytes that tell which is which.
package func numbered(_ count: Int, _ letter: Character = "v") -> [[UInt8]] {
    (0..<count).map { [letter.asciiValue ?? 0, UInt8($0 >> 8), UInt8($0 & 255)] }
}
