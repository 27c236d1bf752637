internal import Foundation

/// Puts Exif data and the resolution into files that were made without them.
enum MetadataInsertion {
    /// - Parameters:
    ///   - exif: Without the letters that they begin with in a JPEG; none if empty.
    ///   - resolution: Dots for each inch.
    ///   - hasAlpha: What a WebP's header is to say.
    static func adding(
        exif: [UInt8], resolution: (x: Double, y: Double)?, to file: Data, _ format: PictureFormat,
        size: (width: Int, height: Int), hasAlpha: Bool
    ) -> Data {
        switch format {
        case .jpeg: jpeg(Array(file), exif, resolution)
        case .png: png(Array(file), exif, resolution)
        case .webP where !exif.isEmpty: webP(Array(file), exif, size, hasAlpha)
        default: file
        }
    }

    private static func big(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
    }

    private static func little(_ value: Int, _ count: Int) -> [UInt8] { big(value, count).reversed() }

    private static func jpeg(_ file: [UInt8], _ exif: [UInt8], _ resolution: (x: Double, y: Double)?) -> Data {
        var file = file
        var place = 2
        // The encoder begins with a JFIF segment.
        if file.count > 20, file[2] == 0xff, file[3] == 0xe0 {
            place = 4 + Int(file[4]) << 8 + Int(file[5])
            if let resolution {
                let dots = [resolution.x, resolution.y].map { Int(min(65535, max(1, $0.rounded()))) }
                file.replaceSubrange(13..<18, with: [1] + big(dots[0], 2) + big(dots[1], 2))
            }
        }
        let content = Array("Exif".utf8) + [0, 0] + exif
        guard !exif.isEmpty, content.count + 2 <= 65535, place <= file.count else { return Data(file) }
        file.insert(contentsOf: [0xff, 0xe1] + big(content.count + 2, 2) + content, at: place)
        return Data(file)
    }

    private static func png(_ file: [UInt8], _ exif: [UInt8], _ resolution: (x: Double, y: Double)?) -> Data {
        var added: [UInt8] = []
        if let resolution {
            // Dots for each metre.
            let dots = [resolution.x, resolution.y].map { Int(min(2_000_000_000, max(1, $0 / 0.0254)).rounded()) }
            added += chunk("pHYs", big(dots[0], 4) + big(dots[1], 4) + [1])
        }
        if !exif.isEmpty { added += chunk("eXIf", exif) }
        // Behind the header of 25 bytes, before everything else.
        guard file.count > 33 else { return Data(file) }
        return Data(file[..<33] + added + file[33...])
    }

    private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let body = Array(name.utf8) + content
        return big(content.count, 4) + body + big(Int(checksum(body)), 4)
    }

    /// Source: PNG Specification (Third Edition), annex D.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var value = UInt32.max
        for byte in bytes {
            value ^= UInt32(byte)
            for _ in 0..<8 { value = value & 1 == 1 ? 0xedb8_8320 ^ value >> 1 : value >> 1 }
        }
        return ~value
    }

    /// Source: RFC 9649, 2.7.
    private static func webP(
        _ file: [UInt8], _ exif: [UInt8], _ size: (width: Int, height: Int), _ hasAlpha: Bool
    ) -> Data {
        guard file.count > 20 else { return Data(file) }
        var body = Array(file[12...])
        if body.starts(with: "VP8X".utf8) {
            body[8] |= 0x08
        } else {
            let flags: [UInt8] = [0x08 | (hasAlpha ? 0x10 : 0), 0, 0, 0]
            let header = flags + little(size.width - 1, 3) + little(size.height - 1, 3)
            body = Array("VP8X".utf8) + little(10, 4) + header + body
        }
        body += Array("EXIF".utf8) + little(exif.count, 4) + exif + [UInt8](repeating: 0, count: exif.count % 2)
        return Data(Array("RIFF".utf8) + little(4 + body.count, 4) + Array("WEBP".utf8) + body)
    }
}
