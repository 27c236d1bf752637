internal import FFmpegKit

/// From codes of 16 bits to RGB with its curve still on it, 0 to 1: a matrix
/// and an offset.
struct ComponentMatrix: Sendable {
    /// Rows for R, G and B, each with the factors of the three planes and the offset.
    let rows: [SIMD4<Float>]

    /// - Returns: `nil` for a matrix that is not known here.
    init?(matrix: YCbCrMatrix, isFullRange: Bool) {
        let weights: (red: Double, blue: Double)
        switch matrix {
        case .identity:
            // Planes come as G, B, R.
            let one = 1 / 65535.0
            rows = Self.single([[0, 0, one, 0], [one, 0, 0, 0], [0, one, 0, 0]])
            return
        case .yCgCo:
            // RGB is quantised before this matrix, so chroma has the range of luma.
            rows = Self.rows(isFullRange, chromaSteps: 219, [[1, -1, 1], [1, 1, 0], [1, -1, -1]])
            return
        case .iCtCp: return nil
        case .bt601: weights = (0.299, 0.114)
        case .bt709: weights = (0.2126, 0.0722)
        case .bt2020: weights = (0.2627, 0.0593)
        case .fcc: weights = (0.30, 0.11)
        case .smpte240M: weights = (0.212, 0.087)
        }
        let green = 1 - weights.red - weights.blue
        let (red, blue) = (2 * (1 - weights.red), 2 * (1 - weights.blue))
        rows = Self.rows(
            isFullRange, chromaSteps: 224,
            [[1, 0, red], [1, -weights.blue * blue / green, -weights.red * red / green], [1, blue, 0]])
    }

    /// Puts the scaling of codes in front of a matrix over Y from 0 to 1 and chroma from -0.5 to 0.5.
    private static func rows(_ isFullRange: Bool, chromaSteps: Double, _ matrix: [[Double]]) -> [SIMD4<Float>] {
        let luma = isFullRange ? 1 / 65535.0 : 1 / (219 * 256.0)
        let chroma = isFullRange ? 1 / 65535.0 : 1 / (chromaSteps * 256)
        let black = isFullRange ? 0 : 16 * 256.0
        return single(
            matrix.map { row in
                let factors = [row[0] * luma, row[1] * chroma, row[2] * chroma]
                return factors + [-factors[0] * black - (factors[1] + factors[2]) * 32768]
            })
    }

    private static func single(_ rows: [[Double]]) -> [SIMD4<Float>] {
        rows.map { SIMD4(Float($0[0]), Float($0[1]), Float($0[2]), Float($0[3])) }
    }

    /// Calls `body` with each pixel's number and its R, G and B, within 0 to 1.
    func forEachPixel(of planes: PixelConverter.Planes, _ body: (Int, SIMD3<Float>) -> Void) {
        let area = planes.samples.count / planes.count
        planes.samples.withUnsafeBufferPointer { samples in
            for pixel in 0..<area {
                let codes = SIMD4<Float>(
                    Float(samples[pixel]), Float(samples[area + pixel]), Float(samples[2 * area + pixel]), 1)
                let rgb = SIMD3(
                    (rows[0] * codes).sum(), (rows[1] * codes).sum(), (rows[2] * codes).sum())
                body(pixel, rgb.clamped(lowerBound: .zero, upperBound: .one))
            }
        }
    }
}
