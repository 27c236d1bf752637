import Foundation
import MediaImage
import MediaTestSupport

/// An image of a size, random or smooth.
struct ImageCase: Sendable, CustomStringConvertible {
    var width: Int
    var height: Int
    var hasAlpha: Bool

    init(_ width: Int, _ height: Int, alpha: Bool = false) {
        (self.width, self.height, self.hasAlpha) = (width, height, alpha)
    }

    var description: String { "\(width)x\(height)\(hasAlpha ? " with alpha" : "")" }
    var channels: Int { hasAlpha ? 4 : 3 }

    /// Random bytes, the same ones each time.
    var noise: CGImage {
        var random = SeededGenerator(seed: UInt64(width * 10_000 + height * 10 + channels))
        return CGImage(
            width: width, height: height, hasAlpha: hasAlpha, pixels: random.bytes(width * height * channels))!
    }

    /// Slow changes of colour, as in a photograph.
    var gradient: CGImage {
        var pixels: [UInt8] = []
        pixels.reserveCapacity(width * height * channels)
        for y in 0..<height {
            for x in 0..<width {
                pixels += [
                    UInt8(x * 255 / max(1, width - 1)), UInt8(y * 255 / max(1, height - 1)), UInt8((x + y) / 2 % 256),
                ]
                if hasAlpha { pixels.append(UInt8((x * y) % 256)) }
            }
        }
        return CGImage(width: width, height: height, hasAlpha: hasAlpha, pixels: pixels)!
    }
}

/// The pixels of an encoded picture, by another decoder.
func decoded(_ data: Data, as format: String, extension name: String) async throws -> [UInt8] {
    let folder = try TemporaryFolder()
    let path = folder.path("picture.\(name)")
    try data.write(to: URL(fileURLWithPath: path))
    return try await CommandRun.ffmpegPixels(of: path, options: [], format: format)
}

/// One chunk of a PNG file.
struct PNGChunk {
    var type: String
    var data: [UInt8]

    /// The chunks of a file, `nil` if it is none or a checksum is wrong.
    static func all(in file: Data) -> [PNGChunk]? {
        let bytes = [UInt8](file)
        guard bytes.starts(with: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) else { return nil }
        func word(_ at: Int) -> Int { bytes[at..<(at + 4)].reduce(0) { $0 << 8 | Int($1) } }
        var chunks: [PNGChunk] = []
        var position = 8
        while position + 12 <= bytes.count {
            let length = word(position)
            guard position + 12 + length <= bytes.count else { return nil }
            let type = String(decoding: bytes[(position + 4)..<(position + 8)], as: UTF8.self)
            guard word(position + 8 + length) == crc(bytes[(position + 4)..<(position + 8 + length)]) else {
                return nil
            }
            chunks.append(PNGChunk(type: type, data: Array(bytes[(position + 8)..<(position + 8 + length)])))
            position += 12 + length
        }
        return position == bytes.count ? chunks : nil
    }

    private static func crc(_ bytes: ArraySlice<UInt8>) -> Int {
        var value: UInt32 = .max
        for byte in bytes {
            value ^= UInt32(byte)
            for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0xedb8_8320 : value >> 1 }
        }
        return Int(~value)
    }

    /// Keyword and text of a `tEXt` chunk, or of an uncompressed `iTXt` chunk.
    var text: (keyword: String, text: String)? {
        let parts = data.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
        guard ["iTXt", "tEXt"].contains(type), parts.count == 2 else { return nil }
        guard type == "iTXt" else {
            guard parts[1].allSatisfy({ $0 < 0x80 }) else { return nil }
            return (String(decoding: parts[0], as: UTF8.self), String(decoding: parts[1], as: UTF8.self))
        }
        // Compression flag and method, then language and translated keyword, each ended by a zero.
        let rest = parts[1].dropFirst(2).split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
        guard parts[1].first == 0, rest.count == 3, let text = String(validating: rest[2], as: UTF8.self) else {
            return nil
        }
        return (String(decoding: parts[0], as: UTF8.self), text)
    }
}
