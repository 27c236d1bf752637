import Foundation
import ImageGeneration
import MediaAsset
import MediaCore
import MediaEngine
import MediaImage
import MediaTestSupport
import Testing

/// How `ffmpeg` lays out a raw picture.
struct RawFormat: Sendable, CustomTestStringConvertible {
    /// ffmpeg's name of it.
    let name: String
    /// Bits of one component; more than eight are stored in two bytes.
    var depth = 8
    /// How many components a pixel has, alpha included.
    var components = 3
    /// Whether a pixel's components lie side by side rather than in planes of their own.
    var isPacked = false
    var isBigEndian = false
    /// Luma samples across and down for one chroma sample.
    var chroma = (across: 1, down: 1)

    var testDescription: String { name }
    /// The greatest code.
    var top: Double { Double(1 << depth - 1) }
    /// Codes of this depth for one of eight bits, where range is narrow.
    var step: Double { Double(1 << (depth - 8)) }

    static func packed(_ name: String, _ components: Int, depth: Int = 8, isBigEndian: Bool = false) -> RawFormat {
        RawFormat(name: name, depth: depth, components: components, isPacked: true, isBigEndian: isBigEndian)
    }

    /// A colour's share of the greatest code.
    func code(_ share: Double) -> Int { Int((share * top).rounded()) }

    /// A picture of vertical bars.
    ///
    /// - Parameter codes: One list of components for each bar, in the format's order.
    func picture(_ codes: [[Int]], height: Int) -> Data {
        if isPacked {
            let row = codes.flatMap { bar in [[Int]](repeating: bar, count: Bars.barWidth).flatMap { $0 } }
            return rows(row, height)
        }
        return (0..<components).reduce(into: Data()) { data, component in
            let shares = component == 1 || component == 2 ? chroma : (1, 1)
            let row = codes.flatMap { [Int](repeating: $0[component], count: Bars.barWidth / shares.0) }
            data += rows(row, height / shares.1)
        }
    }

    private func rows(_ row: [Int], _ count: Int) -> Data {
        let bytes: [UInt8] = row.flatMap { code -> [UInt8] in
            let (low, high) = (UInt8(code & 255), UInt8(code >> 8))
            return depth == 8 ? [low] : isBigEndian ? [high, low] : [low, high]
        }
        return (0..<count).reduce(into: Data()) { data, _ in data += bytes }
    }
}

/// A matrix between RGB and YCbCr, with the constants of its standard.
struct ColorMatrix: Sendable {
    /// ffmpeg's name of it.
    let name: String
    /// Luma's share of red and of blue; `nil` where chroma is made of them in another way.
    let weights: (red: Double, blue: Double)?

    private init(_ name: String, kr: Double, kb: Double) { (self.name, weights) = (name, (kr, kb)) }
    private init(_ name: String) { (self.name, weights) = (name, nil) }

    /// ITU-R BT.709.
    static let bt709 = ColorMatrix("bt709", kr: 0.2126, kb: 0.0722)
    /// ITU-R BT.601 with 525 lines, as SMPTE 170M has it.
    static let smpte170m = ColorMatrix("smpte170m", kr: 0.299, kb: 0.114)
    /// ITU-R BT.601 with 625 lines, as BT.470 has it for systems B and G.
    static let bt470bg = ColorMatrix("bt470bg", kr: 0.299, kb: 0.114)
    /// SMPTE 240M.
    static let smpte240m = ColorMatrix("smpte240m", kr: 0.212, kb: 0.087)
    /// ITU-R BT.2020 with non-constant luminance.
    static let bt2020nc = ColorMatrix("bt2020nc", kr: 0.2627, kb: 0.0593)
    /// Title 47 of the United States Code of Federal Regulations, 73.682.
    static let fcc = ColorMatrix("fcc", kr: 0.30, kb: 0.11)
    /// ITU-T H.273, MatrixCoefficients 8.
    static let ycgco = ColorMatrix("ycgco")

    /// Those made of luma's weights.
    static let weighted = [bt709, smpte170m, bt470bg, smpte240m, bt2020nc, fcc]
}

/// What a file's tags say about its colours.
struct ColorCoding: Sendable, CustomTestStringConvertible {
    var matrix: ColorMatrix
    var isFull: Bool

    var testDescription: String { "\(matrix.name) \(isFull ? "full" : "limited")" }
    /// ffmpeg's filter that tags a picture and leaves it as it is.
    var filter: String { "setparams=range=\(isFull ? "pc" : "tv"):colorspace=\(matrix.name)" }

    /// The steps of luma and of chroma, of 8 bits, from none to all.
    ///
    /// H.273 (8.3) brings R, G and B into their range before it makes YCgCo of
    /// them, so that chroma has the steps of luma.
    private var steps: (luma: Double, chroma: Double) { (219, matrix.weights == nil ? 219 : 224) }

    /// The codes of a colour: ITU-T H.273, 8.3.
    func codes(of rgb: [Double], in format: RawFormat) -> [Int] {
        let (r, g, b) = (rgb[0], rgb[1], rgb[2])
        var ycc = [r / 4 + g / 2 + b / 4, -r / 4 + g / 2 - b / 4, r / 2 - b / 2]
        if let (kr, kb) = matrix.weights {
            let y = kr * r + (1 - kr - kb) * g + kb * b
            ycc = [y, (b - y) / (2 * (1 - kb)), (r - y) / (2 * (1 - kr))]
        }
        let middle = 128 * format.step
        let codes =
            isFull
            ? [ycc[0] * format.top, ycc[1] * format.top + middle, ycc[2] * format.top + middle]
            : [
                (steps.luma * ycc[0] + 16) * format.step, steps.chroma * ycc[1] * format.step + middle,
                steps.chroma * ycc[2] * format.step + middle,
            ]
        return codes.map { Int(min(format.top, max(0, $0.rounded()))) }
    }

    /// The colour of codes, in steps of 255: the inverse of the above.
    func color(of codes: [Int], in format: RawFormat) -> [Double] {
        let middle = 128 * format.step
        let (y, cb, cr) =
            isFull
            ? (
                Double(codes[0]) / format.top, (Double(codes[1]) - middle) / format.top,
                (Double(codes[2]) - middle) / format.top
            )
            : (
                (Double(codes[0]) / format.step - 16) / steps.luma,
                (Double(codes[1]) - middle) / format.step / steps.chroma,
                (Double(codes[2]) - middle) / format.step / steps.chroma
            )
        var rgb = [y - cb + cr, y + cb, y - cb - cr]
        if let (kr, kb) = matrix.weights {
            let (r, b) = (y + 2 * (1 - kr) * cr, y + 2 * (1 - kb) * cb)
            rgb = [r, (y - kr * r - kb * b) / (1 - kr - kb), b]
        }
        return rgb.map { min(255, max(0, 255 * $0)) }
    }
}

/// Sixteen vertical bars.
enum Bars {
    static let barWidth = 32
    static let colors: [[Double]] = [
        [1, 1, 1], [1, 1, 0], [0, 1, 1], [0, 1, 0], [1, 0, 1], [1, 0, 0], [0, 0, 1], [0, 0, 0],
        [0.5, 0.5, 0.5], [0.18, 0.18, 0.18], [0.9, 0.6, 0.5], [0.2, 0.4, 0.7],
        [0.75, 0.1, 0.3], [0.02, 0.02, 0.02], [0.3, 0.8, 0.2], [0.95, 0.95, 0.9],
    ]
    static let width = barWidth * colors.count
    static let height = 64
    /// From opaque to clear.
    static let alphas = (0..<16).map { 1 - Double($0) / 15 }
}

extension TemporaryFolder {
    /// The asset of a file in the folder.
    func asset(_ name: String) -> AVURLAsset { AVURLAsset(url: url.appendingPathComponent(name)) }

    /// Makes files of raw pictures by `ffmpeg`.
    ///
    /// - Parameter arguments: All that comes after the input; the folder is the working directory.
    func encode(
        _ pictures: Data, _ format: String, width: Int = Bars.width, height: Int = Bars.height, _ arguments: [String]
    ) async throws {
        let raw = url.appendingPathComponent("pictures.raw")
        try pictures.write(to: raw)
        let input = ["-v", "error", "-f", "rawvideo", "-pix_fmt", format, "-s", "\(width)x\(height)", "-r", "25"]
        // From version 7 on, full range would be made the other one for encoders that are told nothing.
        let range = arguments.contains { $0.contains("range=pc") } ? ["-color_range", "pc"] : []
        let output = arguments.dropLast() + range + arguments.suffix(1)
        let run = try await CommandRun.run("ffmpeg", input + ["-i", raw.path] + output, in: url)
        try #require(run.exitCode == 0, "\(run.errorOutput)")
    }

    /// The still of a file's first picture.
    func still(of name: String) async throws -> CGImage {
        try await exactGenerator(of: asset(name)).image(at: .zero).image
    }
}

extension String {
    /// The arguments of a command.
    var words: [String] { split(separator: " ").map(String.init) }
}

extension CGImage {
    /// Where the middles of the bars are not as expected, by component of 255.
    ///
    /// - Parameter expected: A colour for each bar; alpha is looked at if there are four components.
    func mismatches(with expected: [[Double]], within tolerance: Double) -> [String] {
        guard width % 16 == 0, bitsPerComponent == 8 else { return ["\(width)x\(height)x\(bitsPerPixel)"] }
        let (channels, barWidth) = (packedBytesPerPixel, width / 16)
        return expected.indices.compactMap { bar in
            let places = [10, 16, 21].flatMap { x in
                [height / 8, height / 2, height * 7 / 8].map { (bar * barWidth + x * barWidth / 32, $0) }
            }
            let found = places.map { x, y in
                pixels[(y * packedBytesPerRow + x * channels)...].prefix(channels).map { Int($0) }
            }
            func distance(_ pixel: [Int]) -> Double {
                zip(pixel, expected[bar]).map { abs(Double($0) - $1) }.max() ?? 255
            }
            guard let worst = found.max(by: { distance($0) < distance($1) }) else { return "no pixels" }
            let isGood = worst.count >= expected[bar].count && distance(worst) <= tolerance
            return isGood ? nil : "bar \(bar): \(worst) for \(expected[bar].map { ($0 * 10).rounded() / 10 })"
        }
    }
}
