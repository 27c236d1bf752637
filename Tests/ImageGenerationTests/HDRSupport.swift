import Foundation
import ImageGeneration
import MediaAsset
import MediaCore
import MediaEngine
import MediaImage
import MediaTestSupport
import Testing

/// A curve of ITU-R BT.2100, by the formulas of its standards.
enum HDRCurve: String, Sendable, CaseIterable, CustomTestStringConvertible {
    case pq = "smpte2084"
    case hlg = "arib-std-b67"

    var testDescription: String { self == .pq ? "PQ" : "HLG" }

    /// The signals of R, G and B for light in cd/m², on a display of 1000 cd/m² for HLG.
    ///
    /// - Parameter luma: The share of each component in luminance.
    func signals(of light: [Double], luma: [Double] = Primaries.bt2020.luma) -> [Double] {
        if self == .pq { return light.map(Self.pqSignal) }
        let luminance = zip(light, luma).reduce(0) { $0 + $1.0 * $1.1 } / 1000
        guard luminance > 0 else { return light.map { _ in 0 } }
        // BT.2100, table 5: the light of the display is that of the scene times Y to the power of gamma - 1, 0.2.
        let factor = pow(pow(luminance, 1 / 1.2), 0.2)
        return light.map { Self.hlgSignal($0 / 1000 / factor) }
    }

    /// The light of a grey in cd/m².
    func light(ofGrey signal: Double) -> Double {
        self == .pq ? Self.pqLight(signal) : 1000 * pow(Self.hlgScene(signal), 1.2)
    }

    private static let (m1, m2) = (2610.0 / 16384, 2523.0 / 4096 * 128)
    private static let (c1, c2, c3) = (3424.0 / 4096, 2413.0 / 4096 * 32, 2392.0 / 4096 * 32)

    /// SMPTE ST 2084, equation 5.2.
    private static func pqSignal(_ light: Double) -> Double {
        let power = pow(light / 10000, m1)
        return pow((c1 + c2 * power) / (1 + c3 * power), m2)
    }

    /// SMPTE ST 2084, equation 4.1.
    private static func pqLight(_ signal: Double) -> Double {
        let power = pow(signal, 1 / m2)
        return 10000 * pow(max(power - c1, 0) / (c2 - c3 * power), 1 / m1)
    }

    private static let (a, b, c) = (0.17883277, 0.28466892, 0.55991073)

    /// BT.2100, table 5: the opto-electronic function.
    private static func hlgSignal(_ scene: Double) -> Double {
        scene <= 1 / 12.0 ? (3 * scene).squareRoot() : a * log(12 * scene - b) + c
    }

    private static func hlgScene(_ signal: Double) -> Double {
        signal <= 0.5 ? signal * signal / 3 : (exp((signal - c) / a) + b) / 12
    }
}

/// Primaries, and light of BT.709's primaries in them.
struct Primaries: Sendable, CustomTestStringConvertible {
    /// ffmpeg's name.
    let name: String
    /// From linear BT.709, in rows: BT.2087 for BT.2020, SMPTE EG 432-1's primaries for the other.
    let fromBT709: [[Double]]
    let luma: [Double]

    var testDescription: String { name }

    static let bt709 = Primaries(
        name: "bt709", fromBT709: [[1, 0, 0], [0, 1, 0], [0, 0, 1]], luma: [0.2126, 0.7152, 0.0722])
    static let bt2020 = Primaries(
        name: "bt2020", fromBT709: [[0.6274, 0.3293, 0.0433], [0.0691, 0.9195, 0.0114], [0.0164, 0.0880, 0.8956]],
        luma: [0.2627, 0.6780, 0.0593])
    static let displayP3 = Primaries(
        name: "smpte432", fromBT709: [[0.8225, 0.1774, 0], [0.0332, 0.9669, 0], [0.0171, 0.0724, 0.9108]],
        luma: [0.2290, 0.6917, 0.0793])

    /// Light of BT.709's primaries in these.
    func light(ofBT709 light: [Double]) -> [Double] {
        fromBT709.map { row in zip(row, light).reduce(0) { $0 + $1.0 * $1.1 } }
    }
}

/// The code of IEC 61966-2-1 for light relative to white.
func codeOfSRGB(_ light: Double) -> Double {
    255 * (light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055)
}

/// HDR's reference white in cd/m²: ITU-R BT.2408.
let referenceWhite = 203.0

/// A clip of one picture of vertical bars, coded without loss.
struct PatchClip {
    static let height = 16
    var format = RawFormat(name: "yuv444p10le", depth: 10)
    var coding = ColorCoding(matrix: .bt2020nc, isFull: false)
    var primaries = "bt2020"
    var transfer = HDRCurve.pq.rawValue
    var codec = "-c:v ffv1"
    /// R'G'B' of each bar, from 0 to 1.
    let signals: [[Double]]

    /// The codes of each bar.
    var codes: [[Int]] { signals.map { coding.codes(of: $0, in: format) } }
    /// R'G'B' that the rounded codes stand for, from 0 to 1.
    var storedSignals: [[Double]] { codes.map { coding.color(of: $0, in: format).map { $0 / 255 } } }

    /// The still of the clip.
    ///
    /// - Parameter prepare: Sets the generator up.
    func still(_ prepare: (AVAssetImageGenerator) -> Void = { _ in }) async throws -> CGImage {
        let folder = try TemporaryFolder()
        let tags = coding.filter + ":color_primaries=\(primaries):color_trc=\(transfer)"
        try await folder.encode(
            format.picture(codes, height: Self.height), format.name, width: signals.count * Bars.barWidth,
            height: Self.height, ["-vf", tags] + codec.words + ["a.mkv"])
        let generator = exactGenerator(of: folder.asset("a.mkv"))
        prepare(generator)
        return try await generator.image(at: .zero).image
    }
}

extension CGImage {
    /// The components in the middle of each of a number of bars, alpha included.
    func barComponents(_ count: Int) -> [[Int]] {
        let (channels, size) = (hasAlpha ? 4 : 3, bitsPerComponent / 8)
        return (0..<count).map { bar in
            let x = (2 * bar + 1) * width / (2 * count)
            return (0..<channels).map { component in
                let start = height / 2 * packedBytesPerRow + (x * channels + component) * size
                return size == 1 ? Int(pixels[start]) : Int(pixels[start]) | Int(pixels[start + 1]) << 8
            }
        }
    }
}

/// The greatest difference between two lists of components; infinite if they differ in length.
func greatestDifference(_ found: [[Int]], _ expected: [[Double]]) -> Double {
    guard found.count == expected.count else { return .infinity }
    var greatest = 0.0
    for (one, other) in zip(found, expected) {
        guard one.count == other.count else { return .infinity }
        for (component, wanted) in zip(one, other) { greatest = max(greatest, abs(Double(component) - wanted)) }
    }
    return greatest
}
