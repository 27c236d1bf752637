internal import CFFmpeg

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
