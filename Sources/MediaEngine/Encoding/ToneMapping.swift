package import MediaCore

/// The filters that bring HDR light (ITU-R BT.2100) into the range of an SDR picture.
///
/// As in stills, HDR's reference white of 203 cd/m² (ITU-R BT.2408) becomes
/// SDR's white, light below a knee stays as it is, above it the content's peak
/// is rolled off to, and the result carries sRGB's curve, which players take
/// for BT.709's. The knee is where FFmpeg's curve is nearest to that of stills,
/// ITU-R BT.2390: greys differ by four codes of 255 at most.
package struct ToneMapping: Sendable, Equatable {
    package var transfer: HDRTransfer
    package var primaries: ColorPrimaries
    package var matrix: MatrixCoefficients
    /// The content's brightest light in cd/m², `nil` if unknown.
    package var peakLuminance: Double?

    private static let referenceWhite = 203.0

    /// The content's peak, relative to reference white.
    private var peak: Double {
        // HLG is made for a display of 1000 cd/m².
        let known = transfer == .hlg ? 1000 : peakLuminance ?? 1000
        return min(4000, max(Self.referenceWhite, known)) / Self.referenceWhite
    }

    /// Found by a search for the least difference of sRGB codes, by peak in cd/m².
    private static let knees: [(peak: Double, knee: Double)] = [
        (203, 1), (250, 0.933), (400, 0.793), (600, 0.685), (1000, 0.56), (2000, 0.408), (4000, 0.271),
    ]

    private var knee: Double {
        let luminance = peak * Self.referenceWhite
        guard let upper = Self.knees.firstIndex(where: { $0.peak >= luminance }), upper > 0 else {
            return Self.knees.first?.knee ?? 1
        }
        let (low, high) = (Self.knees[upper - 1], Self.knees[upper])
        return low.knee + (high.knee - low.knee) * (luminance - low.peak) / (high.peak - low.peak)
    }

    /// The filters, for frames of video range or full range.
    ///
    /// - Parameters:
    ///   - size: What to scale to.
    ///   - isRGB: Whether the result's layout of samples is one of RGB.
    package func filters(
        isFullRange: Bool, size: (width: Int, height: Int)?, pixelFormat: String, isRGB: Bool = false
    ) -> [String] {
        let scale = size.map { "w=\($0.width):h=\($0.height):f=bicubic:" } ?? ""
        let curve: TransferFunction = transfer == .hlg ? .hlg : .pq
        let range: ColorRange = isFullRange ? .full : .video
        let tags = [
            "tin=\(curve.rawValue)", "pin=\(primaries.rawValue)", "min=\(matrix.rawValue)", "rin=\(range.rawValue)",
        ].joined(separator: ":")
        var result = ["zscale=\(scale)\(tags):t=linear:npl=\(Int(Self.referenceWhite))", "format=gbrpf32le"]
        if peak > 1.01 {
            result.append("tonemap=mobius:param=\(Self.text(knee)):peak=\(Self.text(peak)):desat=0")
        }
        let output = isRGB ? "m=gbr:r=pc" : "m=bt709:r=tv"
        result.append("zscale=t=iec61966-2-1:p=bt709:\(output):d=ordered")
        // The filter knows RGB in planes only.
        if isRGB { result.append("format=gbrp") }
        return result + ["format=\(pixelFormat)"]
    }

    /// Three decimals, whatever the language.
    private static func text(_ value: Double) -> String {
        Int((value * 1000).rounded()).fixedPointText(decimals: 3)
    }
}
