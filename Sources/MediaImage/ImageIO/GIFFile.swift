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

/// At most 256 colours for a picture, and the number of each pixel's.
///
/// Exact where the picture has no more colours; else the colours are divided at their middles (Heckbert, *Color image
/// quantization for frame buffer display*, 1982), and what is rounded away is spread over the next pixels (Floyd and
/// Steinberg, 1976).
struct ColorTable {
    /// R, G and B.
    private(set) var colors: [SIMD3<Int32>] = []
    /// The number for pixels that are transparent, if there are such.
    private(set) var transparent: Int?
    private(set) var indices: [UInt8] = []

    init(_ image: CGImage) {
        let pixels = image.packedBytes()
        let size = image.hasAlpha ? 4 : 3
        let isClear = { (pixel: Int) in size == 4 && pixels[4 * pixel + 3] < 128 }
        let area = image.width * image.height
        let hasClear = size == 4 && (0..<area).contains(where: isClear)
        let limit = hasClear ? 255 : 256
        // Colours and how many pixels have them, by 5 bits of each component beyond a number that would be too many.
        var counts: [Int32: Int32] = [:]
        for pixel in 0..<area where !isClear(pixel) && counts.count <= limit {
            counts[Self.code(pixels, size * pixel, bits: 8), default: 0] += 1
        }
        let isExact = counts.count <= limit
        if isExact {
            colors = counts.keys.sorted().map { SIMD3($0 >> 16, $0 >> 8 & 255, $0 & 255) }
        } else {
            counts = [:]
            for pixel in 0..<area where !isClear(pixel) {
                counts[Self.code(pixels, size * pixel, bits: 5), default: 0] += 1
            }
            colors = Self.divided(counts, limit)
        }
        if colors.isEmpty { colors = [SIMD3(0, 0, 0)] }
        if hasClear { transparent = colors.count }
        indices = Self.indices(
            pixels, size, width: image.width, height: image.height, colors, isExact: isExact, transparent)
        if hasClear { colors.append(SIMD3(0, 0, 0)) }
    }

    private static func code(_ pixels: [UInt8], _ start: Int, bits: Int) -> Int32 {
        let mask = Int32(0xff << (8 - bits) & 0xff)
        return (Int32(pixels[start]) & mask) << 16 | (Int32(pixels[start + 1]) & mask) << 8
            | Int32(pixels[start + 2]) & mask
    }

    private struct Box {
        var members: [(color: SIMD3<Int32>, count: Int32)]
        var low = SIMD3<Int32>(repeating: 255), high = SIMD3<Int32>(repeating: 0)
        var total: Int64 = 0

        init(_ members: [(color: SIMD3<Int32>, count: Int32)]) {
            self.members = members
            for member in members {
                low = pointwiseMin(low, member.color)
                high = pointwiseMax(high, member.color)
                total += Int64(member.count)
            }
        }

        /// What dividing the box is worth.
        var weight: Int64 { members.count < 2 ? 0 : Int64((high &- low).max()) * total }

        var middle: SIMD3<Int32> {
            var sum = SIMD3<Int64>.zero
            for member in members {
                sum &+= SIMD3<Int64>(truncatingIfNeeded: member.color) &* Int64(member.count)
            }
            let half = SIMD3<Int64>(repeating: max(1, total) / 2)
            return SIMD3<Int32>(truncatingIfNeeded: (sum &+ half) / max(1, total))
        }

        func halves() -> (Box, Box) {
            let span = high &- low
            let axis = span.x >= span.y && span.x >= span.z ? 0 : span.y >= span.z ? 1 : 2
            let sorted = members.sorted { $0.color[axis] < $1.color[axis] }
            var (seen, cut) = (Int64(0), 1)
            for (index, member) in sorted.enumerated().dropLast() {
                seen += Int64(member.count)
                cut = index + 1
                if seen * 2 >= total { break }
            }
            return (Box(Array(sorted[..<cut])), Box(Array(sorted[cut...])))
        }
    }

    private static func divided(_ counts: [Int32: Int32], _ limit: Int) -> [SIMD3<Int32>] {
        // The middle of what the five bits stand for; sorted, so that equal pictures have equal files.
        let members = counts.sorted { $0.key < $1.key }.map { code, count in
            let color = SIMD3<Int32>(code >> 16, code >> 8 & 255, code & 255)
            return (color: color | color &>> 5, count: count)
        }
        var boxes = [Box(members)]
        while boxes.count < limit {
            guard let index = boxes.indices.max(by: { boxes[$0].weight < boxes[$1].weight }), boxes[index].weight > 0
            else { break }
            let (one, other) = boxes[index].halves()
            boxes[index] = one
            boxes.append(other)
        }
        return boxes.map(\.middle)
    }

    private static func indices(
        _ pixels: [UInt8], _ size: Int, width: Int, height: Int, _ colors: [SIMD3<Int32>], isExact: Bool,
        _ transparent: Int?
    ) -> [UInt8] {
        var result = [UInt8](repeating: 0, count: width * height)
        var known: [Int32: UInt8] = [:]
        var errors = [SIMD3<Int32>](repeating: .zero, count: width + 2)
        var nextErrors = errors
        let top = SIMD3<Int32>(repeating: 255)
        for y in 0..<height {
            for x in 0..<width {
                let start = (y * width + x) * size
                if let transparent, pixels[start + 3] < 128 {
                    result[y * width + x] = UInt8(truncatingIfNeeded: transparent)
                    continue
                }
                var color = SIMD3(Int32(pixels[start]), Int32(pixels[start + 1]), Int32(pixels[start + 2]))
                if !isExact { color = (color &+ errors[x + 1] / 16).clamped(lowerBound: .zero, upperBound: top) }
                let code = isExact ? color : color & SIMD3(repeating: 0xfc)
                let key = code.x << 16 | code.y << 8 | code.z
                let index = known[key] ?? nearest(to: color, colors)
                known[key] = index
                result[y * width + x] = index
                guard !isExact else { continue }
                let rest = color &- colors[Int(index)]
                errors[x + 2] &+= rest &* 7
                nextErrors[x] &+= rest &* 3
                nextErrors[x + 1] &+= rest &* 5
                nextErrors[x + 2] &+= rest
            }
            errors = nextErrors
            nextErrors = [SIMD3<Int32>](repeating: .zero, count: width + 2)
        }
        return result
    }

    private static func nearest(to color: SIMD3<Int32>, _ colors: [SIMD3<Int32>]) -> UInt8 {
        var (best, least) = (0, Int32.max)
        for (index, candidate) in colors.enumerated() {
            let distance = color &- candidate
            let sum = (distance &* distance).wrappedSum()
            if sum < least { (best, least) = (index, sum) }
        }
        return UInt8(truncatingIfNeeded: best)
    }
}

extension CGImage {
    /// The components of 8 bits, with alpha if there is alpha.
    func packedBytes() -> [UInt8] {
        guard bitsPerComponent == 16 else { return pixels }
        return pixels.withUnsafeBytes { samples in
            stride(from: 0, to: samples.count, by: 2).map {
                UInt8((UInt32(samples.loadUnaligned(fromByteOffset: $0, as: UInt16.self)) * 255 + 32767) / 65535)
            }
        }
    }
}
