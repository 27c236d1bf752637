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
