internal import FFmpegKit
internal import MediaCore
internal import MediaImage
internal import Synchronization

/// The filters that bring HDR light (ITU-R BT.2100) into the range of SDR frames, as ``ToneMap`` has it for stills.
///
/// FFmpeg's own filters know neither its curve nor HLG's display. It becomes a table of colors, which a filter looks up.
/// The result carries sRGB's curve, which players take for BT.709's.
struct ToneMapping: Sendable {
    /// The name of the table in descriptions of filters.
    static let still = "light"

    private let transfer: HDRTransfer
    private let primaries: ColorPrimaries
    private let matrix: MatrixCoefficients
    private let table: Table

    /// - Parameter peakLuminance: The content's brightest light in cd/m², `nil` if unknown.
    init(
        transfer: HDRTransfer, primaries: ColorPrimaries, matrix: MatrixCoefficients, peakLuminance: Double?
    ) {
        (self.transfer, self.primaries, self.matrix) = (transfer, primaries, matrix)
        let points: Chromaticities =
            switch primaries {
            case .bt709: .bt709
            case .smpte432: .displayP3
            default: .bt2020
            }
        table = Table { ToneMap(transfer: transfer, primaries: points, peakLuminance: peakLuminance) }
    }

    /// The table, made when it is first asked for: some tens of milliseconds.
    func makeTable() throws(FFmpegError) -> Frame { try table.frame() }

    /// The filters, for frames of video range or full range.
    ///
    /// - Parameters:
    ///   - size: What to scale to.
    ///   - pixels: What the pixel format is.
    ///   - keepsAlpha: Whether there is alpha, and it stays.
    func filters(
        isFullRange: Bool, isRGB: Bool, size: (width: Int, height: Int)?, pixelFormat: String, _ pixels: PixelLayout,
        keepsAlpha: Bool = false
    ) -> [String] {
        let scale = size.map { "w=\($0.width):h=\($0.height):f=bicubic:" } ?? ""
        let curve: TransferFunction = transfer == .hlg ? .hlg : .pq
        let range: ColorRange = isFullRange ? .full : .video
        let tags = "tin=\(curve.rawValue):pin=\(primaries.rawValue)"
        let input = isRGB ? "min=gbr:rin=pc" : "min=\(matrix.rawValue):rin=\(range.rawValue)"
        let (planar, packed) = keepsAlpha ? ("gbrap16le", "rgba64le") : ("gbrp16le", "rgb48le")
        let output = pixels.isRGB ? "m=gbr:r=pc" : "m=bt709:r=tv"
        var result = [
            "zscale=\(scale)\(tags):\(input):m=gbr:r=pc", "format=\(planar)",
            // The filter mixes up the planes of those that it knows.
            "format=\(packed)[hdr];[hdr][\(Self.still)]haldclut=clut=first:interp=tetrahedral", "format=\(planar)",
            "zscale=tin=bt709:pin=bt709:min=gbr:rin=pc:t=bt709:p=bt709:\(output):d=ordered",
        ]
        // RGB comes in planes only.
        if pixels.isRGB { result.append("format=\(keepsAlpha ? "gbrap" : "gbrp")") }
        return result + ["format=\(pixelFormat)"]
    }

    /// The filters of FFmpeg's that it takes.
    static let filterNames = ["zscale", "haldclut"]
}

/// The colors of SDR for those of HDR, in the order that FFmpeg's `haldclut` wants.
private final class Table: Sendable {
    /// Colors along each axis: the square of the level, whose cube is the width of the picture.
    private static let (side, width) = (64, 512)

    private let map: @Sendable () -> ToneMap
    private let made = Mutex<Frame?>(nil)

    init(_ map: @escaping @Sendable () -> ToneMap) { self.map = map }

    func frame() throws(FFmpegError) -> Frame {
        try made.withLock { made throws(FFmpegError) in
            if let made { return made }
            let (map, side) = (map(), Self.side)
            let frame = try Frame.packedRGB(width: Self.width, height: Self.width) { column, row in
                // Red changes fastest.
                let index = row * Self.width + column
                let steps = SIMD3(Float(index % side), Float(index / side % side), Float(index / (side * side)))
                return SIMD3<UInt16>(map.sRGB(steps / Float(side - 1)) * 257, rounding: .toNearestOrEven)
            }
            made = frame
            return frame
        }
    }
}
