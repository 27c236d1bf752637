internal import MediaIO

/// A QuickTime text track as timed text, `tx3g`, which is what MP4 has for it.
///
/// Source: QuickTime File Format, "Text Media"; 3GPP TS 26.245.
struct TextConversion {
    /// All samples, one after the other.
    private(set) var data: [UInt8] = []
    private(set) var sizes: [UInt32] = []
    /// Samples that say more than text: styles, scrolling.
    private(set) var styledCount = 0

    /// More text than this is not held in memory.
    private static let maximumBytes = 32 << 20

    /// Whether a track needs this in a movie of another family.
    static func applies(to track: MovieTrack, _ conversion: BrandConversion) -> Bool {
        conversion.isNeeded && !conversion.toQuickTime && track.isQuickTimeText
    }

    init(_ ranges: [Range<Int>], _ tables: SampleTables, file: RandomAccessFile) throws(MovieError) {
        var (data, sizes, styled) = (self.data, self.sizes, 0)
        for range in ranges {
            try tables.chunks.forEachPart(of: range) { part throws(MovieError) in
                let before = tables.sizes.byteCount(of: part.chunkStart..<part.samples.lowerBound)
                let (start, overflow) = part.chunkOffset.addingReportingOverflow(before)
                guard !overflow, start <= file.byteCount else {
                    throw MovieError(.damaged, "its samples lie outside the file")
                }
                var position = start
                for sample in part.samples {
                    let count = tables.sizes.byteCount(of: sample..<(sample + 1))
                    guard count <= UInt64(Self.maximumBytes - data.count),
                        let bytes = file.read(position..<(position + count), limit: Self.maximumBytes),
                        let text = TextSample.timedText(ofQuickTime: bytes)
                    else { throw MovieError(.unsupported, "its text cannot be read") }
                    data += text.bytes
                    sizes.append(UInt32(text.bytes.count))
                    if !text.isPlain { styled += 1 }
                    position += count
                }
            }
        }
        (self.data, self.sizes, styledCount) = (data, sizes, styled)
    }

    /// The box `stsz`.
    var sizeBox: [UInt8] {
        var content: [UInt8] = []
        content.append(bigEndian: UInt32(0))
        content.append(bigEndian: UInt32(0))
        content.append(bigEndian: UInt32(sizes.count))
        for size in sizes { content.append(bigEndian: size) }
        return .box("stsz", content)
    }

    /// The content of the box `stsd` with timed text in place of QuickTime's.
    static func descriptions(_ track: MovieTrack) -> [UInt8] {
        var content: [UInt8] = [0, 0, 0, 0]
        content.append(bigEndian: UInt32(track.entries.count))
        for entry in track.entries { content += .box("tx3g", timedText(entry)) }
        return content
    }

    /// White text at the bottom, as players show subtitles, with the entry's own box and colours behind the text.
    private static func timedText(_ entry: SampleEntry) -> [UInt8] {
        var bytes = Array(entry.content.prefix(8))
        bytes += [UInt8](repeating: 0, count: 8 - bytes.count)
        bytes.append(bigEndian: UInt32(0))
        bytes += [1, 0xFF, 0, 0, 0, 0]
        let box = entry.content.count >= 30 ? Array(entry.content[22..<30]) : [UInt8](repeating: 0, count: 8)
        bytes += box
        // From and to no character, the first font, plain, 16 points, opaque white.
        bytes += [0, 0, 0, 0, 0, 1, 0, 16, 0xFF, 0xFF, 0xFF, 0xFF]
        let font = Array("Arial".utf8)
        return bytes + [UInt8].box("ftab", [0, 1, 0, 1, UInt8(font.count)] + font)
    }
}

extension MovieTrack {
    /// Whether its samples are QuickTime's text.
    var isQuickTimeText: Bool { handler == "text" && !entries.isEmpty && entries.allSatisfy { $0.type == "text" } }
}
