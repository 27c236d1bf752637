internal import Foundation

/// Writes a GIF: whole images, each with a table of its own colours.
///
/// Source: GIF89a; the application extension `NETSCAPE2.0`.
enum GIFFile {
    /// An image, and the seconds that it is shown.
    struct Picture {
        var image: CGImage
        var delay: Double
    }

    /// - Parameter loopCount: 0 for ever; `nil` for a file that does not say, which is shown once.
    /// - Returns: `nil` for images of more than 65535 pixels in a row or column, or of different sizes.
    static func data(of pictures: [Picture], loopCount: Int?) -> Data? {
        guard let first = pictures.first?.image, first.width <= 65535, first.height <= 65535,
            pictures.allSatisfy({ $0.image.width == first.width && $0.image.height == first.height })
        else { return nil }
        var file = Array("GIF89a".utf8) + little(first.width) + little(first.height) + [0x70, 0, 0]
        if let loopCount {
            file +=
                [0x21, 0xff, 11] + Array("NETSCAPE2.0".utf8) + [3, 1] + little(min(65535, max(0, loopCount))) + [0]
        }
        for picture in pictures { append(picture, to: &file) }
        return Data(file + [0x3b])
    }

    private static func little(_ value: Int) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8 & 255)] }

    private static func append(_ picture: Picture, to file: inout [UInt8]) {
        let table = ColorTable(picture.image)
        var bits = 1
        while 1 << bits < table.colors.count { bits += 1 }
        let delay = Int((min(655.35, max(0, picture.delay)) * 100).rounded())
        // Disposal 2, back to nothing, where there is transparency; else the image covers what was there.
        let flags: UInt8 = table.transparent == nil ? 0x04 : 0x09
        file += [0x21, 0xf9, 4, flags] + little(delay) + [UInt8(table.transparent ?? 0), 0]
        file += [0x2c, 0, 0, 0, 0] + little(picture.image.width) + little(picture.image.height)
        file.append(0x80 | UInt8(bits - 1))
        for color in table.colors { file += [UInt8(color.x & 255), UInt8(color.y & 255), UInt8(color.z & 255)] }
        file += [UInt8](repeating: 0, count: 3 * (1 << bits - table.colors.count))
        appendCodes(of: table.indices, bits: max(2, bits), to: &file)
    }

    /// Packs indices by the method of Lempel, Ziv and Welch, in blocks of 255 bytes.
    private static func appendCodes(of indices: [UInt8], bits: Int, to file: inout [UInt8]) {
        file.append(UInt8(bits))
        let clear = 1 << bits
        var output = CodeBlocks()
        var (size, next) = (bits + 1, clear + 2)
        var known: [Int: Int] = [:]
        output.append(clear, size)
        var prefix: Int?
        for index in indices {
            guard let last = prefix else {
                prefix = Int(index)
                continue
            }
            if let code = known[last << 8 | Int(index)] {
                prefix = code
                continue
            }
            output.append(last, size)
            if next < 4096 {
                known[last << 8 | Int(index)] = next
                if next == 1 << size { size += 1 }
                next += 1
            } else {
                output.append(clear, size)
                known.removeAll(keepingCapacity: true)
                (size, next) = (bits + 1, clear + 2)
            }
            prefix = Int(index)
        }
        if let prefix { output.append(prefix, size) }
        // The reader has added an entry by now, which may have made codes longer.
        if next == 1 << size, size < 12 { size += 1 }
        output.append(clear + 1, size)
        file += output.finished()
    }

    /// Codes of any length, the lowest bit first.
    private struct CodeBlocks {
        private var bytes: [UInt8] = []
        private var bits = 0
        private var held = 0

        mutating func append(_ code: Int, _ size: Int) {
            held |= code << bits
            bits += size
            while bits >= 8 {
                bytes.append(UInt8(truncatingIfNeeded: held))
                held >>= 8
                bits -= 8
            }
        }

        func finished() -> [UInt8] {
            let all = bits > 0 ? bytes + [UInt8(truncatingIfNeeded: held)] : bytes
            var blocks: [UInt8] = []
            for start in stride(from: 0, to: all.count, by: 255) {
                let end = min(start + 255, all.count)
                blocks.append(UInt8(end - start))
                blocks += all[start..<end]
            }
            return blocks + [0]
        }
    }
}
