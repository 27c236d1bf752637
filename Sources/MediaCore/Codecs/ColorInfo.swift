/// The four colour tags and the chroma position; `nil` where the stream does not say.
package struct ColorInfo: Sendable, Hashable {
    package var primaries: ColorPrimaries?
    package var transferFunction: TransferFunction?
    package var yCbCrMatrix: MatrixCoefficients?
    package var range: ColorRange?
    package var chromaLocation: ChromaLocation?

    package init(
        primaries: ColorPrimaries? = nil, transferFunction: TransferFunction? = nil,
        yCbCrMatrix: MatrixCoefficients? = nil, range: ColorRange? = nil, chromaLocation: ChromaLocation? = nil
    ) {
        (self.primaries, self.transferFunction, self.yCbCrMatrix) = (primaries, transferFunction, yCbCrMatrix)
        (self.range, self.chromaLocation) = (range, chromaLocation)
    }

    /// Whether its curve is one of ITU-R BT.2100.
    package var isHDR: Bool { transferFunction?.hdr != nil }

    /// What players assume where nothing is said: BT.601 below 720 lines, BT.709 from there on.
    package static func assumed(lines: Int) -> ColorInfo {
        lines < 720
            ? ColorInfo(primaries: .smpte170M, transferFunction: .smpte170M, yCbCrMatrix: .smpte170M)
            : ColorInfo(primaries: .bt709, transferFunction: .bt709, yCbCrMatrix: .bt709)
    }
}

/// The red, green, blue and white points (ITU-T H.273, ColourPrimaries), by FFmpeg's names.
package enum ColorPrimaries: String, Sendable, CaseIterable {
    case reserved, bt709
    case bt470M = "bt470m"
    case bt470BG = "bt470bg"
    case smpte170M = "smpte170m"
    case smpte240M = "smpte240m"
    case film, bt2020, smpte428
    case smpte431
    /// Display P3.
    case smpte432
    case ebu3213

    /// Whether colours are there that BT.709 has not.
    package var isWide: Bool { self == .bt2020 || self == .smpte431 || self == .smpte432 }
}

/// The curve from light to code (ITU-T H.273, TransferCharacteristics), by FFmpeg's names.
package enum TransferFunction: String, Sendable, CaseIterable {
    case reserved, bt709
    case bt470M = "bt470m"
    case bt470BG = "bt470bg"
    case smpte170M = "smpte170m"
    case smpte240M = "smpte240m"
    case linear, log100, log316
    case xvYCC = "iec61966-2-4"
    case bt1361 = "bt1361e"
    case sRGB = "iec61966-2-1"
    case bt2020With10Bits = "bt2020-10"
    case bt2020With12Bits = "bt2020-12"
    case pq = "smpte2084"
    case smpte428
    case hlg = "arib-std-b67"

    /// The curve of ITU-R BT.2100 that it is; `nil` for SDR.
    package var hdr: HDRTransfer? {
        switch self {
        case .pq: .pq
        case .hlg: .hlg
        default: nil
        }
    }
}

/// The curves that are no plain SDR (ITU-R BT.2100).
package enum HDRTransfer: Sendable { case pq, hlg }

/// The matrix between YCbCr and RGB (ITU-T H.273, MatrixCoefficients), by FFmpeg's names.
package enum MatrixCoefficients: String, Sendable, CaseIterable {
    /// The samples are RGB.
    case identity = "gbr"
    case reserved, bt709, fcc
    case bt470BG = "bt470bg"
    case smpte170M = "smpte170m"
    case smpte240M = "smpte240m"
    case yCgCo = "ycgco"
    case bt2020 = "bt2020nc"
    case bt2020ConstantLuminance = "bt2020c"
    case smpte2085
    case chromaDerived = "chroma-derived-nc"
    case chromaDerivedConstantLuminance = "chroma-derived-c"
    case iCtCp = "ictcp"
    case iptC2 = "ipt-c2"
    case yCgCoRe = "ycgco-re"
    case yCgCoRo = "ycgco-ro"
}

/// Which codes samples use, by FFmpeg's names.
package enum ColorRange: String, Sendable, CaseIterable {
    case video = "tv"
    case full = "pc"
}

/// Where chroma samples lie, by FFmpeg's names.
package enum ChromaLocation: String, Sendable, CaseIterable {
    case left, center
    case topLeft = "topleft"
    case top
    case bottomLeft = "bottomleft"
    case bottom

    /// Whether it is in the middle between two luma samples of a row.
    package var isCenteredHorizontally: Bool { self == .center || self == .top || self == .bottom }
}

/// Whether pictures are whole ones, or which of their two fields comes first.
package enum FieldOrder: String, Sendable {
    case progressive
    /// The top field is shown first, and coded by itself and first.
    case topFirst = "tt"
    case bottomFirst = "bb"
    /// Lines of both fields lie between each other; those of the top one are the earlier ones.
    case interleavedTopFirst = "tb"
    case interleavedBottomFirst = "bt"

    package var isInterlaced: Bool { self != .progressive }
    /// Whether the top field is shown first; so it is of whole pictures.
    package var isTopFirst: Bool { self != .bottomFirst && self != .interleavedBottomFirst }
}
