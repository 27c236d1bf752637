internal import CFFmpeg
package import MediaCore

/// The matrix between YCbCr and RGB (ITU-T H.273, MatrixCoefficients).
package enum YCbCrMatrix: Sendable {
    case bt601, bt709, bt2020, fcc, smpte240M, yCgCo, iCtCp
    /// The samples are RGB already.
    case identity
}

/// The primaries that are wider than BT.709's.
package enum WidePrimaries: Sendable { case bt2020, displayP3 }

/// Where chroma samples lie, in 256ths of the distance between luma samples;
/// -513 leaves it to swscale, which takes the middle.
struct ChromaPosition: Equatable, Sendable {
    var horizontal: Int32
    var vertical: Int32
    static let centered = ChromaPosition(horizontal: -513, vertical: -513)
}

/// What a frame's tags mean, with the field's defaults where they say nothing.
extension Frame {
    /// The matrix: where the stream does not say, BT.601 below 720 lines and
    /// BT.709 from there on.
    package var yCbCrMatrix: YCbCrMatrix {
        if hasFormatFlag(AV_PIX_FMT_FLAG_RGB) || hasFormatFlag(AV_PIX_FMT_FLAG_PAL) { return .identity }
        switch pointer.pointee.colorspace {
        case AVCOL_SPC_BT709: return .bt709
        case AVCOL_SPC_FCC: return .fcc
        case AVCOL_SPC_SMPTE240M: return .smpte240M
        case AVCOL_SPC_BT2020_NCL, AVCOL_SPC_BT2020_CL: return .bt2020
        case AVCOL_SPC_BT470BG, AVCOL_SPC_SMPTE170M: return .bt601
        case AVCOL_SPC_YCGCO: return .yCgCo
        case AVCOL_SPC_ICTCP: return .iCtCp
        default:
            if hdrTransfer != nil { return .bt2020 }
            return ColorInfo.assumed(lines: Int(pointer.pointee.height)).yCbCrMatrix == .bt709 ? .bt709 : .bt601
        }
    }

    /// Whether samples use all codes; video range where the stream does not say, but for grey pictures of 16 bits.
    package var isFullRange: Bool {
        if hasJPEGFormat || pointer.pointee.color_range == AVCOL_RANGE_JPEG { return true }
        let deepGrey = [AV_PIX_FMT_GRAY16LE, AV_PIX_FMT_GRAY16BE, AV_PIX_FMT_YA16LE, AV_PIX_FMT_YA16BE]
        return pointer.pointee.color_range == AVCOL_RANGE_UNSPECIFIED
            && deepGrey.contains(AVPixelFormat(rawValue: pointer.pointee.format))
    }

    /// Whether it is grey of 8 bits, tagged as video range.
    var isVideoRangeGrey: Bool {
        [AV_PIX_FMT_GRAY8, AV_PIX_FMT_YA8].contains(AVPixelFormat(rawValue: pointer.pointee.format))
            && pointer.pointee.color_range == AVCOL_RANGE_MPEG
    }

    /// The HDR curve, `nil` for SDR.
    package var hdrTransfer: HDRTransfer? { color.transferFunction?.hdr }

    /// The primaries if they are wider than BT.709's, `nil` otherwise.
    package var widePrimaries: WidePrimaries? {
        switch pointer.pointee.color_primaries {
        case AVCOL_PRI_BT2020: .bt2020
        case AVCOL_PRI_SMPTE432: .displayP3
        default: nil
        }
    }

    /// The brightest light of the content in cd/m², as its metadata says:
    /// the brightest pixel, or else the peak of the display it was graded on.
    package var peakLuminance: Double? {
        if let side = av_frame_get_side_data(pointer, AV_FRAME_DATA_CONTENT_LIGHT_LEVEL),
            let light = LuminanceSideData.brightestPixel(side.pointee.data, side.pointee.size)
        {
            return light
        }
        return av_frame_get_side_data(pointer, AV_FRAME_DATA_MASTERING_DISPLAY_METADATA).flatMap {
            LuminanceSideData.masteringPeak($0.pointee.data, $0.pointee.size)
        }
    }

    /// Where chroma lies: as tagged, else on the left as in MPEG-2 and its
    /// successors, or in the middle as in JPEG.
    var chromaPosition: ChromaPosition {
        guard let descriptor = av_pix_fmt_desc_get(AVPixelFormat(rawValue: pointer.pointee.format)),
            !hasFormatFlag(AV_PIX_FMT_FLAG_RGB), descriptor.pointee.nb_components >= 3
        else { return .centered }
        let (log2Width, log2Height) = (descriptor.pointee.log2_chroma_w, descriptor.pointee.log2_chroma_h)
        let tagged = pointer.pointee.chroma_location
        let location =
            tagged != AVCHROMA_LOC_UNSPECIFIED ? tagged : hasJPEGFormat ? AVCHROMA_LOC_CENTER : AVCHROMA_LOC_LEFT
        // Other subsamplings than 4:2:0 are co-sited horizontally, where not JPEG's.
        guard log2Width == 1, log2Height == 1 else {
            let isCoSited = log2Width > 0 && log2Height == 0 && !hasJPEGFormat
            return ChromaPosition(horizontal: isCoSited ? 0 : -513, vertical: -513)
        }
        switch location {
        case AVCHROMA_LOC_CENTER: return ChromaPosition(horizontal: 128, vertical: 128)
        case AVCHROMA_LOC_TOPLEFT: return ChromaPosition(horizontal: 0, vertical: 0)
        case AVCHROMA_LOC_TOP: return ChromaPosition(horizontal: 128, vertical: 0)
        case AVCHROMA_LOC_BOTTOMLEFT: return ChromaPosition(horizontal: 0, vertical: 256)
        case AVCHROMA_LOC_BOTTOM: return ChromaPosition(horizontal: 128, vertical: 256)
        default: return ChromaPosition(horizontal: 0, vertical: 128)
        }
    }

    /// The pixel format, the deprecated full-range ones by their plain twin.
    var formatWithoutRange: AVPixelFormat {
        let format = AVPixelFormat(rawValue: pointer.pointee.format)
        return switch format {
        case AV_PIX_FMT_YUVJ420P: AV_PIX_FMT_YUV420P
        case AV_PIX_FMT_YUVJ422P: AV_PIX_FMT_YUV422P
        case AV_PIX_FMT_YUVJ444P: AV_PIX_FMT_YUV444P
        case AV_PIX_FMT_YUVJ440P: AV_PIX_FMT_YUV440P
        case AV_PIX_FMT_YUVJ411P: AV_PIX_FMT_YUV411P
        default: format
        }
    }

    private var hasJPEGFormat: Bool { formatWithoutRange.rawValue != pointer.pointee.format }

    func hasFormatFlag(_ flag: Int32) -> Bool {
        av_pix_fmt_desc_get(AVPixelFormat(rawValue: pointer.pointee.format))
            .map { $0.pointee.flags & UInt64(flag) != 0 } ?? false
    }
}

/// Reads FFmpeg's structures on the brightness of HDR content, in cd/m².
enum LuminanceSideData {
    static func brightestPixel(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Double? {
        let light = oav_max_content_light(data, size)
        return light > 0 ? Double(light) : nil
    }

    static func masteringPeak(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Double? {
        let peak = oav_mastering_peak(data, size)
        return peak > 0 ? peak : nil
    }
}

/// What a layout of samples can hold, as FFmpeg describes it.
package struct PixelFormatFacts: Sendable, Hashable {
    /// Bits of the first component.
    package var depth: Int
    /// How many luma samples share one of chroma, as powers of two.
    package var chromaShiftHorizontal: Int
    package var chromaShiftVertical: Int
    /// Whether it holds red, green and blue, by themselves or in a palette.
    package var isRGB: Bool
    /// Whether it holds no colour.
    package var isGrey: Bool
    package var hasAlpha: Bool
    /// Whether the format itself says that samples use all codes.
    package var isFullRange: Bool

    /// - Parameter name: FFmpeg's name: `yuv420p10le`.
    /// - Returns: `nil` for a name that is not known, and for formats of hardware.
    package init?(named name: String) {
        let format = av_get_pix_fmt(name)
        guard format != AV_PIX_FMT_NONE, let descriptor = av_pix_fmt_desc_get(format)?.pointee else { return nil }
        func has(_ flag: Int32) -> Bool { descriptor.flags & UInt64(flag) != 0 }
        guard !has(AV_PIX_FMT_FLAG_HWACCEL) else { return nil }
        depth = has(AV_PIX_FMT_FLAG_PAL) ? 8 : Int(descriptor.comp.0.depth)
        chromaShiftHorizontal = Int(descriptor.log2_chroma_w)
        chromaShiftVertical = Int(descriptor.log2_chroma_h)
        isRGB = has(AV_PIX_FMT_FLAG_RGB) || has(AV_PIX_FMT_FLAG_PAL)
        isGrey = descriptor.nb_components < 3 && !isRGB
        hasAlpha = has(AV_PIX_FMT_FLAG_ALPHA)
        isFullRange = [
            AV_PIX_FMT_YUVJ420P, AV_PIX_FMT_YUVJ422P, AV_PIX_FMT_YUVJ444P, AV_PIX_FMT_YUVJ440P, AV_PIX_FMT_YUVJ411P,
        ].contains(format)
    }
}
