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
