internal import MediaIO

/// Writes a track's box anew around its new sample tables.
struct TrackWriter {
    let track: MovieTrack
    let reader: BoxReader
    let conversion: BrandConversion
    /// The tracks that are still there to be referred to, and their new numbers.
    let newIDs: [UInt32: UInt32]
    /// Whether the track becomes one that players show, if it is none.
    var enables = false

    /// The track's box.
    ///
    /// - Parameters:
    ///   - edits: The new edit list; empty for none, `nil` for the old one.
    ///   - duration: In the movie's timescale; `nil` for the old one.
    func node(
        tables: [MovieNode], mediaDuration: UInt64, edits: [EditList.Segment]?, duration: UInt64?
    ) throws(MovieError) -> MovieNode {
        let media = try mediaNode(tables: tables, mediaDuration: mediaDuration, isWhole: edits == nil)
        var children: [MovieNode] = []
        for box in track.children {
            switch box.type {
            case "tkhd":
                children.append(.bytes(trackHeader(duration)))
            case "edts": if edits == nil { children.append(verbatim(box)) }
            case "tref": children += references()
            case "mdia":
                if let edits, !edits.isEmpty { children.append(.bytes(EditList(edits).box)) }
                children.append(media)
            case "meta":
                try MovieItems.check(content(box))
                children.append(.bytes(conversion.metadata(content(box))))
            default: children.append(verbatim(box))
            }
        }
        return .container("trak", children)
    }

    private func trackHeader(_ duration: UInt64?) -> [UInt8] {
        var header = track.header
        if enables { header.enable() }
        if let duration {
            header.duration = duration
            if let id = newIDs[track.id] { header.trackID = id }
        }
        return header.box
    }

    private func mediaNode(
        tables: [MovieNode], mediaDuration: UInt64, isWhole: Bool
    ) throws(MovieError) -> MovieNode {
        var children: [MovieNode] = []
        for box in track.mediaBoxes {
            switch box.type {
            case "mdhd" where !isWhole || track.isTimescaleImplied:
                guard var header = track.mediaHeader, header.isWhole else {
                    throw MovieError(.damaged, "its media header is cut off")
                }
                header.timescale = track.timescale
                header.duration = mediaDuration
                children.append(.bytes(header.box))
            case "hdlr": children.append(.bytes(conversion.handler(handler(box), component: "mhlr")))
            case "minf": children.append(informationNode(tables))
            default: children.append(verbatim(box))
            }
        }
        return .container("mdia", children)
    }

    /// A handler box's content; text becomes subtitles, which players take `tx3g` for.
    private func handler(_ box: Box) -> [UInt8] {
        var bytes = content(box)
        if TextConversion.applies(to: track, conversion), bytes.count >= 12 {
            bytes.replaceSubrange(8..<12, with: ("sbtl" as FourCC).bytes)
        }
        return bytes
    }

    private func informationNode(_ tables: [MovieNode]) -> MovieNode {
        var children: [MovieNode] = []
        for box in track.informationBoxes {
            switch box.type {
            case "stbl": children.append(.container("stbl", tables.map(converted)))
            // QuickTime's data handler has no place in MP4.
            case "hdlr": if !conversion.isNeeded { children.append(verbatim(box)) }
            case "gmhd":
                // What QuickTime's header for other media says beyond that is not needed by the entries MP4 can hold.
                children.append(
                    conversion.isNeeded ? .bytes(.box("nmhd", [0, 0, 0, 0])) : verbatim(box))
            case "dinf":
                children.append(
                    conversion.isNeeded
                        ? .bytes(conversion.dataInformation(references: references(in: box))) : verbatim(box))
            default: children.append(verbatim(box))
            }
        }
        return .container("minf", children)
    }

    /// A table as the target's family has it.
    private func converted(_ table: MovieNode) -> MovieNode {
        guard conversion.isNeeded, case .bytes(let bytes) = table, bytes.fourCC(at: 4) == "stsd" else {
            return table
        }
        if TextConversion.applies(to: track, conversion) {
            return .bytes(.box("stsd", TextConversion.descriptions(track)))
        }
        guard track.handler == "soun" else { return table }
        return .bytes(conversion.soundDescriptions(Array(bytes.dropFirst(8))))
    }

    private func references(in box: Box) -> Int {
        let count = reader.box(["dref"], in: box.content).flatMap { reader.bytes(of: $0, limit: 8).bigEndian32(at: 4) }
        return Int(min(count ?? 1, 1024))
    }

    /// The references to tracks that are still there.
    private func references() -> [MovieNode] {
        let nodes = track.references.compactMap { reference -> MovieNode? in
            let ids = reference.tracks.compactMap { newIDs[$0] }
            guard !ids.isEmpty else { return nil }
            return .bytes(TrackReference(type: reference.type, tracks: ids).box)
        }
        return nodes.isEmpty ? [] : [.container("tref", nodes)]
    }

    private func content(_ box: Box) -> [UInt8] { reader.bytes(of: box, limit: .max) }

    private func verbatim(_ box: Box) -> MovieNode { .bytes(reader.wholeBytes(of: box)) }
}

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
