import MediaContainers
import MediaIO
import MediaMetadata
import MetadataFormats

/// A small movie file, built by hand: a header, one track whose two chunks are
/// `FIRST` and `SECOND`, and whatever metadata a test puts in.
struct ISOBaseMediaFile {
    /// What is between the boxes of the top level, in their order.
    enum Part {
        case movie
        case media
        case box([UInt8])
    }

    var brand: String? = "isom"
    var parts: [Part] = [.movie, .media]
    /// Boxes at the end of `moov`, such as `udta`.
    var movieBoxes: [UInt8] = []
    /// Boxes at the end of `trak`.
    var trackBoxes: [UInt8] = []

    static let media = Array("FIRSTSECOND".utf8)

    var bytes: [UInt8] {
        // Where the media lie shows only when the file is laid out, with a movie of the same size.
        var start: UInt32 = 0
        var bytes: [UInt8] = []
        for _ in 0..<2 {
            bytes = brand.map { Self.box("ftyp", Array($0.utf8) + [0, 0, 0, 0]) } ?? []
            let movie = movie(mediaStart: start)
            for part in parts {
                switch part {
                case .movie: bytes += movie
                case .box(let box): bytes += box
                case .media:
                    start = UInt32(bytes.count) + 8
                    bytes += Self.box("mdat", Self.media)
                }
            }
        }
        return bytes
    }

    private func movie(mediaStart: UInt32) -> [UInt8] {
        var header = [UInt8](repeating: 0, count: 100)
        // 2024-05-06 07:08:09 since 1904; 1,000 ticks a second, 10 seconds; track 2 is next.
        header.replaceSubrange(4..<8, with: [0xE2, 0x5E, 0x32, 0x59])
        header.replaceSubrange(12..<20, with: [0, 0, 3, 0xE8, 0, 0, 0x27, 0x10])
        header[99] = 2
        var trackHeader = [UInt8](repeating: 0, count: 84)
        trackHeader[15] = 1
        var offsets: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 2]
        offsets.append(bigEndian: mediaStart)
        offsets.append(bigEndian: mediaStart + 5)
        let handler: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0] + Array("soun".utf8) + [UInt8](repeating: 0, count: 13)
        let table = Self.box("stbl", Self.box("stco", offsets))
        let media = Self.box("mdia", Self.box("hdlr", handler) + Self.box("minf", table))
        return Self.box(
            "moov",
            Self.box("mvhd", header) + Self.box("trak", Self.box("tkhd", trackHeader) + media + trackBoxes) + movieBoxes
        )
    }

    // MARK: Boxes

    /// A box of a type, whose characters are one byte each.
    static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(bigEndian: UInt32(content.count + 8))
        return bytes + type.unicodeScalars.map { UInt8($0.value) } + content
    }

    static func data(_ type: UInt32, _ payload: [UInt8], locale: UInt32 = 0) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(bigEndian: type)
        bytes.append(bigEndian: locale)
        return box("data", bytes + payload)
    }

    static func text(_ text: String) -> [UInt8] { data(1, Array(text.utf8)) }

    static func handler(_ type: String) -> [UInt8] {
        box("hdlr", [0, 0, 0, 0, 0, 0, 0, 0] + Array(type.utf8) + [UInt8](repeating: 0, count: 13))
    }

    /// iTunes metadata with items, and free space of a size.
    static func iTunes(_ items: [UInt8], free: Int = 0) -> [UInt8] {
        let padding = free > 0 ? box("free", [UInt8](repeating: 0, count: free - 8)) : []
        return box("udta", box("meta", [0, 0, 0, 0] + handler("mdir") + box("ilst", items) + padding))
    }

    /// QuickTime metadata: keys and items, whose numbers count from 1.
    static func keyed(_ items: [(key: String, boxes: [UInt8])], isFull: Bool = false) -> [UInt8] {
        var keys: [UInt8] = [0, 0, 0, 0]
        keys.append(bigEndian: UInt32(items.count))
        var list: [UInt8] = []
        for (index, item) in items.enumerated() {
            keys += box("mdta", Array(item.key.utf8))
            list.append(bigEndian: UInt32(item.boxes.count + 8))
            list.append(bigEndian: UInt32(index + 1))
            list += item.boxes
        }
        return box("meta", (isFull ? [0, 0, 0, 0] : []) + handler("mdta") + box("keys", keys) + box("ilst", list))
    }

    // MARK: Results

    /// The media that the chunk offsets of a file lead to.
    static func media(of bytes: [UInt8]) -> [UInt8]? {
        let file = RandomAccessFile(bytes: bytes)
        let reader = BoxReader(file: file)
        let path: [FourCC] = ["moov", "trak", "mdia", "minf", "stbl"]
        guard let table = reader.box(path, in: 0..<file.byteCount) else { return nil }
        for box in reader.boxes(in: table.content) {
            let content = reader.bytes(of: box)
            let offsets: [UInt64?] = [0, 1].map { index in
                box.type == "co64"
                    ? content.bigEndian64(at: 8 + 8 * index) : content.bigEndian32(at: 8 + 4 * index).map(UInt64.init)
            }
            guard let first = offsets[0], let second = offsets[1] else { return nil }
            return file.read(at: first, count: 5) + file.read(at: second, count: 6)
        }
        return nil
    }

    /// The types of a file's boxes.
    static func types(of bytes: [UInt8]) -> [FourCC] {
        BoxReader(file: RandomAccessFile(bytes: bytes)).boxes(in: 0..<UInt64(bytes.count)).map(\.type)
    }
}

extension FileRewrite {
    /// The new version of bytes.
    func applied(to bytes: [UInt8]) -> [UInt8] {
        segments.flatMap { segment in
            switch segment {
            case .bytes(let new): new
            case .source(let range): Array(bytes[Int(range.lowerBound)..<Int(range.upperBound)])
            }
        }
    }
}

extension FileRewrite.Step {
    /// What a step makes of bytes, as far as it comes when it is broken off after some of its own.
    func applied(to bytes: [UInt8], upTo limit: Int = .max) -> [UInt8] {
        var result = bytes
        switch self {
        case .truncate(let length):
            let extra = max(0, Int(length) - result.count)
            return Array(result.prefix(Int(length))) + [UInt8](repeating: 0, count: extra)
        case .prepare(let new, let position), .commit(let new, let position):
            let new = new.prefix(limit)
            let end = Int(position) + new.count
            result += [UInt8](repeating: 0, count: max(0, end - result.count))
            result.replaceSubrange(Int(position)..<end, with: new)
            return result
        }
    }

    /// Places where it may be broken off: a commit is whole or not at all.
    var breaks: [Int] {
        guard case .prepare(let bytes, _) = self else { return [] }
        return [1, 4, 7, 8, 9, bytes.count / 2, bytes.count - 1].filter { $0 > 0 && $0 < bytes.count }
    }
}
