internal import FFmpegKit

/// A small picture in hue, saturation and brightness, by which frames are compared.
struct ScenePicture: Sendable {
    /// Hue in steps of two degrees, saturation and brightness to 255, one plane
    /// after the other.
    private let bytes: [UInt8]
    private let area: Int
    /// Whether there is nothing to be seen.
    let isBlack: Bool

    init(_ samples: FrameSampler.Samples) {
        area = samples.area
        let area = area
        let rows = Self.factors(samples)
        let bytes = [UInt8](unsafeUninitializedCapacity: 3 * area) { output, count in
            samples.bytes.withUnsafeBufferPointer { input in
                guard let output = output.baseAddress, let input = input.baseAddress else { return }
                Self.convert(input, rows, area: area, into: output)
                count = 3 * area
            }
        }
        self.bytes = bytes
        isBlack = Self.isBlack(bytes[(2 * area)...])
    }

    /// The mean difference of hue, saturation and brightness from another picture, 0 to 255.
    func difference(from other: ScenePicture) -> Double {
        guard area == other.area, area > 0 else { return 255 }
        let sum = bytes.withUnsafeBufferPointer { one in
            other.bytes.withUnsafeBufferPointer { two in
                var (sum, index): (UInt32, Int) = (0, 0)
                let end = min(one.count, two.count)
                while index < end {
                    let (a, b) = (one[index], two[index])
                    sum &+= UInt32(a > b ? a &- b : b &- a)
                    index &+= 1
                }
                return sum
            }
        }
        return Double(sum) / Double(3 * area)
    }

    /// Rows for R, G and B to 255, each with the factors of three samples of eight bits and the offset.
    private static func factors(_ samples: FrameSampler.Samples) -> [SIMD4<Float>] {
        guard samples.matrix != .identity else { return [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]] }
        let matrix =
            ComponentMatrix(matrix: samples.matrix, isFullRange: samples.isFullRange)
            ?? ComponentMatrix(matrix: .bt2020, isFullRange: samples.isFullRange)
        let scale: SIMD4<Float> = [256 * 255, 256 * 255, 256 * 255, 255]
        return matrix?.rows.map { $0 * scale } ?? []
    }

    /// Greys have no hue, and what is nearly black has little saturation: there both
    /// are noise of the coding, which changes at each keyframe.
    ///
    /// Without a branch for each pixel, so that the compiler does several at a time.
    private static func convert(
        _ input: UnsafePointer<UInt8>, _ rows: [SIMD4<Float>], area: Int, into output: UnsafeMutablePointer<UInt8>
    ) {
        guard rows.count == 3 else { return }
        let (red, green, blue) = (rows[0], rows[1], rows[2])
        var index = 0
        while index < area {
            let (x, y, z) = (Float(input[index]), Float(input[area &+ index]), Float(input[2 &* area &+ index]))
            let r = code(red.x * x + red.y * y + red.z * z + red.w)
            let g = code(green.x * x + green.y * y + green.z * z + green.w)
            let b = code(blue.x * x + blue.y * y + blue.z * z + blue.w)
            let high = larger(larger(r, g), b)
            let span = high - smaller(smaller(r, g), b)
            let step: Float = span > 2 ? 30 / span : 0
            let second = g == high ? 60 + (b - r) * step : 120 + (r - g) * step
            let hue = r == high ? (g - b) * step : second
            let whole = hue < 0 ? hue + 180 : hue
            output[index] = byte(span > 2 ? whole : 0)
            output[area &+ index] = byte(255 * span / larger(high, 32))
            output[2 &* area &+ index] = byte(high)
            index &+= 1
        }
    }

    @inline(__always) private static func larger(_ a: Float, _ b: Float) -> Float { a > b ? a : b }
    @inline(__always) private static func smaller(_ a: Float, _ b: Float) -> Float { a < b ? a : b }

    /// A whole number from 0 to 255.
    ///
    /// Sums with 1.5 × 2²³ are whole numbers, which stand in their lowest bits.
    @inline(__always) private static func code(_ value: Float) -> Float {
        (larger(0, smaller(255, value)) + 12_582_912) - 12_582_912
    }

    @inline(__always) private static func byte(_ value: Float) -> UInt8 {
        UInt8(truncatingIfNeeded: (value + 12_582_912).bitPattern)
    }

    /// Dark as a whole, and without any lettering.
    private static func isBlack(_ brightness: ArraySlice<UInt8>) -> Bool {
        var (sum, bright): (UInt32, UInt32) = (0, 0)
        brightness.withUnsafeBufferPointer { values in
            for value in values {
                sum &+= UInt32(value)
                bright &+= value > 40 ? 1 : 0
            }
        }
        let count = UInt32(max(1, brightness.count))
        return sum < 10 &* count && bright &* 1000 <= count
    }
}
