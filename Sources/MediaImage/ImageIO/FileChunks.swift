internal import MediaIO

/// Where a picture file keeps what is not the picture.
enum FileChunks {
    typealias Chunk = (name: String, content: ArraySlice<UInt8>)

    /// More chunks than this are not read; an animation of 65536 pictures has two for each.
    private static let maximumChunks = 1 << 18

    /// The chunks of a PNG, its pixels left out.
    static func png(_ bytes: [UInt8]) -> [Chunk] {
        let reader = ByteReader(bytes: bytes)
        var chunks: [Chunk] = []
        var place = 8
        while let length = reader.number(place, 4), let name = reader.name(place + 4), chunks.count < maximumChunks {
            guard let content = reader.part(place + 8, length) else { break }
            if name != "IDAT", name != "fdAT" { chunks.append((name, content)) }
            place += length + 12
        }
        return chunks
    }

    /// The chunks of a WebP.
    static func riff(_ bytes: [UInt8]) -> [Chunk] {
        let reader = ByteReader(bytes: bytes, isLittle: true)
        var chunks: [Chunk] = []
        var place = 12
        while let name = reader.name(place), let length = reader.number(place + 4, 4), chunks.count < maximumChunks {
            guard let content = reader.part(place + 8, length) else { break }
            chunks.append((name, content))
            place += 8 + length + length % 2
        }
        return chunks
    }

    /// The segments of a JPEG before its picture, by their markers.
    static func jpeg(_ bytes: [UInt8]) -> [(marker: Int, content: ArraySlice<UInt8>)] {
        let reader = ByteReader(bytes: bytes)
        var segments: [(marker: Int, content: ArraySlice<UInt8>)] = []
        var place = 2
        while reader.number(place, 1) == 0xff, let marker = reader.number(place + 1, 1) {
            // Any number of bytes of ones may come before a marker.
            if marker == 0xff {
                place += 1
                continue
            }
            guard marker != 0xda, marker != 0xd9, let length = reader.number(place + 2, 2), length >= 2,
                let content = reader.part(place + 4, length - 2), segments.count < maximumChunks
            else { break }
            segments.append((marker, content))
            place += 2 + length
        }
        return segments
    }

    /// The data in which cameras tell of a picture; `nil` if there are none.
    static func exif(_ format: PictureFormat, _ bytes: [UInt8]) -> [UInt8]? {
        let prefix = Array("Exif".utf8) + [0, 0]
        switch format {
        case .jpeg:
            return jpeg(bytes).first { $0.marker == 0xe1 && $0.content.starts(with: prefix) }
                .map { Array($0.content.dropFirst(prefix.count)) }
        case .png: return png(bytes).first { $0.name == "eXIf" }.map { Array($0.content) }
        case .webP:
            return riff(bytes).first { $0.name == "EXIF" }
                .map { Array($0.content.starts(with: prefix) ? $0.content.dropFirst(prefix.count) : $0.content) }
        case .tiff: return bytes
        case .avif, .gif, .bmp: return nil
        }
    }

    /// Dots for each inch, where the file says so beside Exif.
    static func resolution(_ format: PictureFormat, _ bytes: [UInt8]) -> (x: Double, y: Double)? {
        if format == .png, let chunk = png(bytes).first(where: { $0.name == "pHYs" }) {
            let reader = ByteReader(bytes: Array(chunk.content))
            guard let x = reader.number(0, 4), let y = reader.number(4, 4), reader.number(8, 1) == 1 else { return nil }
            return (Double(x) * 0.0254, Double(y) * 0.0254)
        }
        guard format == .jpeg, let segment = jpeg(bytes).first(where: { $0.marker == 0xe0 }),
            segment.content.starts(with: "JFIF".utf8)
        else { return nil }
        let reader = ByteReader(bytes: Array(segment.content))
        guard let unit = reader.number(7, 1), unit > 0, let x = reader.number(8, 2), let y = reader.number(10, 2)
        else { return nil }
        return unit == 2 ? (Double(x) * 2.54, Double(y) * 2.54) : (Double(x), Double(y))
    }
}

/// A format of picture files, as its first bytes tell it.
enum PictureFormat: String, CaseIterable {
    case png = "public.png"
    case jpeg = "public.jpeg"
    case webP = "org.webmproject.webp"
    case avif = "public.avif"
    case tiff = "public.tiff"
    case gif = "com.compuserve.gif"
    case bmp = "com.microsoft.bmp"

    /// Those that are written.
    static let written: [PictureFormat] = [.png, .jpeg, .webP, .avif, .tiff, .gif]

    /// The format of a file that begins so; `nil` for all that is no picture.
    init?(_ start: [UInt8]) {
        func begins(_ bytes: [UInt8], at place: Int = 0) -> Bool { start.dropFirst(place).starts(with: bytes) }
        func text(_ text: String) -> [UInt8] { Array(text.utf8) }
        if begins([0x89] + text("PNG") + [0x0d, 0x0a, 0x1a, 0x0a]) {
            self = .png
        } else if begins([0xff, 0xd8, 0xff]) {
            self = .jpeg
        } else if begins(text("RIFF")), begins(text("WEBP"), at: 8) {
            self = .webP
        } else if begins(text("ftypavif"), at: 4) || begins(text("ftypavis"), at: 4) {
            self = .avif
        } else if begins([0x49, 0x49, 42, 0]) || begins([0x4d, 0x4d, 0, 42]) {
            self = .tiff
        } else if begins(text("GIF87a")) || begins(text("GIF89a")) {
            self = .gif
        } else if begins(text("BM")), begins([0, 0, 0, 0], at: 6) {
            self = .bmp
        } else {
            return nil
        }
    }

    /// Whether a file may hold more images than one.
    var holdsMany: Bool { self == .gif }
}

/// How many images a GIF or a PNG holds, and how long each is shown.
///
/// Source: GIF89a; PNG Specification (Third Edition), 11.3.6.
struct AnimationFacts {
    /// Seconds for each image, as the file says.
    private(set) var delays: [Double] = []
    /// How often all are shown, 0 for ever; `nil` if the file does not say.
    private(set) var loopCount: Int?
    /// The size of the whole, and whether there is a table of colours for all images; of a GIF.
    private(set) var canvas: (width: Int, height: Int, hasColorMap: Bool)?

    /// More images than these are not counted.
    private static let maximumImages = Int(MediaLimits().frames)

    /// Those of a GIF; none if it is damaged before the first image.
    static func gif(_ bytes: [UInt8]) -> AnimationFacts {
        let reader = ByteReader(bytes: bytes, isLittle: true)
        var facts = AnimationFacts()
        guard let width = reader.number(6, 2), let height = reader.number(8, 2), let flags = reader.number(10, 1) else {
            return facts
        }
        facts.canvas = (width, height, flags & 0x80 != 0)
        var place = 13 + tableSize(flags)
        var delay = 0.0
        while let kind = reader.number(place, 1), facts.delays.count < maximumImages {
            if kind == 0x21, let label = reader.number(place + 1, 1) {
                if label == 0xf9 { delay = Double(reader.number(place + 4, 2) ?? 0) / 100 }
                if label == 0xff,
                    reader.part(place + 3, 11).map({ String(decoding: $0, as: UTF8.self) }) == "NETSCAPE2.0",
                    reader.number(place + 14, 2) == 0x0103
                {
                    facts.loopCount = reader.number(place + 16, 2)
                }
                place = end(ofBlocksAt: place + 2, reader)
            } else if kind == 0x2c, let flags = reader.number(place + 9, 1) {
                place = end(ofBlocksAt: place + 11 + tableSize(flags), reader)
                facts.delays.append(delay)
                delay = 0
            } else {
                break
            }
        }
        return facts
    }

    private static func tableSize(_ flags: Int) -> Int { flags & 0x80 == 0 ? 0 : 3 << (flags & 7 + 1) }

    private static func end(ofBlocksAt start: Int, _ reader: ByteReader) -> Int {
        var place = start
        while let length = reader.number(place, 1) {
            place += 1 + length
            if length == 0 { break }
        }
        return place
    }

    /// Those of a PNG; one image without a time if it is no animation.
    static func png(_ chunks: [(name: String, content: ArraySlice<UInt8>)]) -> AnimationFacts {
        var facts = AnimationFacts()
        guard let control = chunks.first(where: { $0.name == "acTL" }), control.content.count == 8 else {
            facts.delays = [0]
            return facts
        }
        facts.loopCount = ByteReader(bytes: Array(control.content)).number(4, 4)
        for chunk in chunks where chunk.name == "fcTL" && facts.delays.count < maximumImages {
            let reader = ByteReader(bytes: Array(chunk.content))
            guard let over = reader.number(20, 2), let under = reader.number(22, 2) else { continue }
            facts.delays.append(Double(over) / Double(under == 0 ? 100 : under))
        }
        if facts.delays.isEmpty { facts.delays = [0] }
        return facts
    }
}

/// Numbers in bytes, none of which is taken to be there.
struct ByteReader {
    let bytes: [UInt8]
    var isLittle = false

    /// A number of up to four bytes; `nil` if it does not lie inside.
    func number(_ place: Int, _ count: Int) -> Int? {
        guard place >= 0, count <= bytes.count, place <= bytes.count - count else { return nil }
        var value = 0
        for index in 0..<count { value = value << 8 | Int(bytes[place + (isLittle ? count - 1 - index : index)]) }
        return value
    }

    /// Some of the bytes; `nil` if they do not lie inside.
    func part(_ place: Int, _ count: Int) -> ArraySlice<UInt8>? {
        guard place >= 0, count >= 0, count <= bytes.count, place <= bytes.count - count else { return nil }
        return bytes[place..<(place + count)]
    }

    /// Four letters.
    func name(_ place: Int) -> String? { part(place, 4).map { String(decoding: $0, as: UTF8.self) } }
}
