import Foundation
import MediaImage
import MediaTestSupport
import Testing

/// A colour space, and what files say of it by the codes of ITU-T H.273.
struct SpaceCase: Sendable, CustomTestStringConvertible {
    let name: String
    let primaries: UInt8
    let transfer: UInt8

    init(_ name: String, _ primaries: UInt8, _ transfer: UInt8) {
        (self.name, self.primaries, self.transfer) = (name, primaries, transfer)
    }

    var testDescription: String { String(name.dropFirst("kCGColorSpace".count)) }
    var space: CGColorSpace? { CGColorSpace(name: name) }
    var isHDR: Bool { transfer == 16 || transfer == 18 }

    static let sRGB = SpaceCase(CGColorSpace.sRGB, 1, 13)
    static let wide = [
        SpaceCase(CGColorSpace.displayP3, 12, 13), SpaceCase(CGColorSpace.itur_2020_sRGBGamma, 9, 13),
    ]
    static let hdr = [
        SpaceCase(CGColorSpace.itur_2100_PQ, 9, 16), SpaceCase(CGColorSpace.itur_2100_HLG, 9, 18),
        SpaceCase(CGColorSpace.itur_709_PQ, 1, 16), SpaceCase(CGColorSpace.itur_709_HLG, 1, 18),
        SpaceCase(CGColorSpace.displayP3_PQ, 12, 16), SpaceCase(CGColorSpace.displayP3_HLG, 12, 18),
    ]
}

extension ImageCase {
    /// An image of 16 bits for each component, random ones.
    var deepNoise: CGImage {
        var random = SeededGenerator(seed: UInt64(width * 20_000 + height * 10 + channels))
        return CGImage(
            width: width, height: height, hasAlpha: hasAlpha, pixels: random.bytes(width * height * channels * 2),
            bitsPerComponent: 16)!
    }

    /// Slow changes of colour, without a jump, of 8 or 16 bits; slow in small pictures too, so that chroma
    /// at half resolution holds them.
    func smooth(bits: Int = 8, space: String = CGColorSpace.sRGB) -> CGImage {
        var pixels: [UInt8] = []
        pixels.reserveCapacity(width * height * channels * bits / 8)
        let top = Double(1 << bits - 1)
        for y in 0..<height {
            for x in 0..<width {
                let (right, down) = (Double(x) / Double(max(64, width)), Double(y) / Double(max(64, height)))
                let shares = [0.2 + 0.6 * right, 0.8 - 0.6 * down, 0.5 + 0.2 * (right - down), (right + down) / 2]
                for share in shares.prefix(channels) {
                    let code = Int((share * top).rounded())
                    pixels += bits == 8 ? [UInt8(code)] : [UInt8(code & 255), UInt8(code >> 8)]
                }
            }
        }
        return CGImage(
            width: width, height: height, hasAlpha: hasAlpha, pixels: pixels, bitsPerComponent: bits,
            colorSpace: CGColorSpace(name: space))!
    }
}

extension CGImage {
    /// The samples of chosen components, of 8 bits or, low byte first, of 16.
    func samples(_ components: Range<Int>) -> [Int] {
        let (channels, size) = (hasAlpha ? 4 : 3, bitsPerComponent / 8)
        return (0..<(width * height)).flatMap { pixel in
            components.map { component in
                let start = (pixel * channels + component) * size
                return size == 1 ? Int(pixels[start]) : Int(pixels[start]) | Int(pixels[start + 1]) << 8
            }
        }
    }
}

/// The peak signal-to-noise ratio of two lists of samples in dB; zero if they differ in length.
func peakSignalToNoise(_ one: [Int], _ other: [Int], top: Double = 255) -> Double {
    guard one.count == other.count, !one.isEmpty else { return 0 }
    let sum = zip(one, other).reduce(0.0) { $0 + Double(($1.0 - $1.1) * ($1.0 - $1.1)) }
    return sum == 0 ? .infinity : 10 * log10(top * top * Double(one.count) / sum)
}

/// The samples of an encoded picture, by another decoder; of 16 bits where the format says `le`.
func decodedSamples(
    _ data: Data, as format: String, extension name: String, options: [String] = []
) async throws -> [Int] {
    let folder = try TemporaryFolder()
    let path = folder.path("picture.\(name)")
    try data.write(to: URL(fileURLWithPath: path))
    let bytes = try await CommandRun.ffmpegPixels(of: path, options: options, format: format)
    guard format.hasSuffix("le") else { return bytes.map { Int($0) } }
    return stride(from: 0, to: bytes.count - 1, by: 2).map { Int(bytes[$0]) | Int(bytes[$0 + 1]) << 8 }
}

/// What `ffprobe` says of an encoded picture's first stream.
func probed(_ data: Data, extension name: String) async throws -> [String: String] {
    let folder = try TemporaryFolder()
    let path = folder.path("picture.\(name)")
    try data.write(to: URL(fileURLWithPath: path))
    let run = try await CommandRun.run(
        "ffprobe", ["-v", "error", "-select_streams", "v:0", "-show_streams", "-of", "default=nw=1", path])
    try #require(run.exitCode == 0, "\(run.errorOutput)")
    let pairs = run.output.split(separator: "\n").map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
    return Dictionary(pairs.filter { $0.count == 2 }.map { ($0[0], $0[1]) }) { first, _ in first }
}
