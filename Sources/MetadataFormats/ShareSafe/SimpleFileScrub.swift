package import MediaIO
package import MediaMetadata

/// Looks through files of chunks and blocks: WAV, AVI, AIFF, FLAC, and tags behind MP3.
package struct SimpleFileScrub {
    /// What changes; nothing moves.
    package private(set) var overlay = FileOverlay()
    /// What goes.
    package private(set) var details: [PrivateDetail] = []
    /// A track whose coded pictures cannot be looked through.
    package private(set) var opaque: String?
    private let file: RandomAccessFile
    private let looksThroughSamples: Bool
    /// Those of an AVI file's streams, by their numbers.
    private var scrubbers: [Int: SampleScrubber] = [:]
    private var streams = 0

    /// Looks through a file.
    package init(_ file: RandomAccessFile, looksThroughSamples: Bool = true) {
        (self.file, self.looksThroughSamples) = (file, looksThroughSamples)
        if let chunks = ChunkFile(file) {
            scrub(chunks)
        } else if let chain = FLACChain(file) {
            scrub(chain)
            trailingTags(after: chain.end)
        } else {
            trailingTags(after: 0)
        }
    }

    // MARK: Chunks

    /// Chunks that stay: sound and pictures, their form, and where loops and marks are.
    ///
    /// Lists `INFO`, Broadcast extensions and tags hold items of metadata, which were seen to.
    static let keptChunks: Set<String> = [
        "fmt ", "data", "fact", "ds64", "cue ", "plst", "smpl", "inst", "acid", "bext", "id3 ", "ID3 ", "idx1", "avih",
        "strh", "strf", "strn", "indx", "vprp", "dmlh", "IDIT", "COMM", "SSND", "FVER", "MARK", "INST", "NAME", "AUTH",
        "(c) ", "ANNO", "COMT", "iXML", "axml", "_PMX", "wavl", "slnt", "chna", "PEAK",
    ]
    static let keptLists: Set<String> = ["INFO", "hdrl", "strl", "movi", "odml", "rec "]

    private mutating func scrub(_ layout: ChunkFile) {
        for chunk in layout.chunks { scrub(chunk, layout.reader, depth: 0) }
        // A long AVI file goes on in further lists `RIFF`.
        var end = layout.end
        for chunk in layout.reader.chunks(in: end..<max(end, file.byteCount)) where chunk.listType == "AVIX" {
            for child in layout.reader.chunks(in: chunk.listContent, limit: Self.maximumChunks) {
                scrub(child, layout.reader, depth: 1)
            }
            end = chunk.end
        }
        if end < file.byteCount {
            clear(end..<file.byteCount, .space, "after the last chunk", "bytes that no chunk holds")
        }
    }

    /// Chunks of a list that are looked at.
    private static let maximumChunks = 1 << 22
    /// Larger pictures are none.
    private static let maximumSample = 256 << 20

    /// Reads what an AVI file says of a stream's coding, and looks through samples of such streams.
    private mutating func stream(_ list: Chunk, _ reader: ChunkReader) {
        let chunks = reader.chunks(in: list.listContent, limit: 64)
        let header = chunks.first { $0.name == "strh" }.map { file.read(at: $0.content.lowerBound, count: 8) } ?? []
        let format = chunks.first { $0.name == "strf" }.map { file.read(at: $0.content.lowerBound, count: 20) } ?? []
        let isPicture = header.starts(with: Array("vids".utf8)) && format.count == 20
        let codec = isPicture ? String(latin1: format[16..<20]).uppercased() : ""
        streams += 1
        if SampleScrubber.cannotLookThrough(codec) { opaque = "track \(streams) (\(codec))" }
        if let scrubber = SampleScrubber(codec: codec, configuration: []) { scrubbers[streams - 1] = scrubber }
    }

    private mutating func samples(_ list: Chunk, _ reader: ChunkReader) {
        guard looksThroughSamples, !scrubbers.isEmpty else { return }
        for chunk in reader.chunks(in: list.listContent, limit: Self.maximumChunks) {
            if chunk.listType == "rec " {
                samples(chunk, reader)
            } else if let number = Int(chunk.name.prefix(2)), ["dc", "db"].contains(chunk.name.suffix(2)),
                let scrubber = scrubbers[number], let bytes = file.read(chunk.content, limit: Self.maximumSample)
            {
                for patch in bytes.withUnsafeBytes({ scrubber.patches(in: $0) }) {
                    overlay.replace(at: chunk.content.lowerBound + UInt64(patch.offset), with: patch.bytes)
                    details.note(PrivateDetail(.message, "track \(number + 1), samples", patch.reason))
                }
            }
        }
    }

    private mutating func scrub(_ chunk: Chunk, _ reader: ChunkReader, depth: Int) {
        if chunk.isFiller { return clear(chunk.content, .space, chunk.name, "free space that is not empty") }
        if let type = chunk.listType {
            guard Self.keptLists.contains(type) || type == "AVIX" else { return free(chunk, "LIST/\(type)") }
            if type == "movi" { return samples(chunk, reader) }
            if type == "strl" { stream(chunk, reader) }
            guard ["hdrl", "strl", "odml"].contains(type), depth < 4 else { return }
            for child in reader.chunks(in: chunk.listContent) { scrub(child, reader, depth: depth + 1) }
        } else if chunk.name == "PEAK" {
            // Version, then when it was written.
            clear(chunk.content.dropping(4).prefix(4), .date, "PEAK", "when it was written")
        } else if !Self.keptChunks.contains(chunk.name) {
            free(chunk, chunk.name)
        }
    }

    private mutating func free(_ chunk: Chunk, _ place: String) {
        overlay.replace(at: chunk.start, with: Array("JUNK".utf8))
        overlay.clear(chunk.content)
        details.note(PrivateDetail(.structure, place, "is not known to be harmless"))
    }

    // MARK: Blocks

    /// Of FLAC's blocks the stream's facts, seek points, cues, comments and pictures stay.
    private mutating func scrub(_ chain: FLACChain) {
        for block in chain.blocks where ![0, 3, 4, 5, 6].contains(block.type) {
            if block.isPadding {
                clear(block.content, .space, "PADDING", "free space that is not empty")
            } else {
                overlay.replace(at: block.start, with: [FLACChain.paddingType | (block.isLast ? 0x80 : 0)])
                overlay.clear(block.content)
                details.note(
                    PrivateDetail(
                        .structure, block.type == 2 ? "APPLICATION" : "block of type \(block.type)",
                        "is not known to be harmless"))
            }
        }
    }

    // MARK: Tags at the end

    /// APE and Lyrics3 tags, which follow the sound.
    private mutating func trailingTags(after start: UInt64) {
        var end = file.byteCount
        for _ in 0..<4 {
            if end >= 128 + start, file.read(at: end - 128, count: 3) == Array("TAG".utf8) {
                end -= 128
            } else if let tag = apeTag(before: end) ?? lyricsTag(before: end), tag.lowerBound >= start {
                clear(tag, .metadata, "a tag of APE or Lyrics3", "cannot be looked through")
                end = tag.lowerBound
            } else {
                return
            }
        }
    }

    private func apeTag(before end: UInt64) -> Range<UInt64>? {
        guard end >= 32, case let footer = file.read(at: end - 32, count: 32),
            footer.starts(with: Array("APETAGEX".utf8)), let size = footer.littleEndian32(at: 12),
            let flags = footer.littleEndian32(at: 20)
        else { return nil }
        let whole = UInt64(size) + (flags & 0x8000_0000 != 0 ? 32 : 0)
        return whole <= end && size >= 32 ? (end - whole)..<end : nil
    }

    private func lyricsTag(before end: UInt64) -> Range<UInt64>? {
        guard end >= 15, case let footer = file.read(at: end - 15, count: 15),
            footer.dropFirst(6).elementsEqual("LYRICS200".utf8),
            let size = UInt64(String(latin1: footer.prefix(6))), size + 15 <= end
        else { return nil }
        return (end - 15 - size)..<end
    }

    private mutating func clear(
        _ range: Range<UInt64>, _ kind: PrivateDetail.Kind, _ place: String, _ reason: String
    ) {
        guard !file.isZero(in: range) else { return }
        overlay.clear(range)
        details.note(PrivateDetail(kind, place, reason))
    }
}

extension RandomAccessFile {
    /// Whether a range holds nothing but zeros.
    package func isZero(in range: Range<UInt64>) -> Bool {
        var position = range.lowerBound
        while position < range.upperBound {
            let bytes = read(at: position, count: Int(min(1 << 20, range.upperBound - position)))
            if bytes.isEmpty { return true }
            if bytes.contains(where: { $0 != 0 }) { return false }
            position += UInt64(bytes.count)
        }
        return true
    }
}
