internal import CFFmpeg

/// Scales and converts pictures of one size and format to another, by libswscale.
///
/// The one owner of its context. Used by one thread at a time.
final class Scaler {
    /// A picture on one side of it.
    struct Side {
        var width: Int32, height: Int32
        var format: AVPixelFormat
    }

    /// How exactly it calculates, beyond the filter, which averages where pictures get smaller and else is cubic.
    enum Care {
        /// Rounds as it should.
        case rounding
        /// Takes all chroma samples into account besides.
        case roundingAndChroma
    }

    private let context: OpaquePointer

    /// - Parameters:
    ///   - chroma: Where the source's chroma samples lie.
    ///   - targetChroma: Where the target's lie.
    ///   - colors: The matrix of both sides, one of `SWS_CS_…`, and whether their ranges are full.
    /// - Throws: ``FFmpegError`` when memory lacks or the formats cannot be converted.
    init(
        from source: Side, to target: Side, care: Care, chroma: ChromaPosition? = nil,
        targetChroma: ChromaPosition? = nil,
        colors: (matrix: Int32, isSourceFull: Bool, isTargetFull: Bool)? = nil
    ) throws(FFmpegError) {
        guard let context = oav_scaler_alloc() else {
            throw FFmpegError(kind: .limit, operation: .render, reason: "not enough memory")
        }
        self.context = context
        let isReduced = target.width < source.width || target.height < source.height
        var flags = (isReduced ? oav_scaler_area : oav_scaler_bicubic) | oav_scaler_accurate_rounding
        if care == .roundingAndChroma { flags |= oav_scaler_full_chroma_output | oav_scaler_full_chroma_input }
        var options = [
            ("srcw", source.width), ("srch", source.height), ("src_format", source.format.rawValue),
            ("dstw", target.width), ("dsth", target.height), ("dst_format", target.format.rawValue),
            ("sws_flags", flags),
        ]
        if let chroma { options += [("src_h_chr_pos", chroma.horizontal), ("src_v_chr_pos", chroma.vertical)] }
        if let targetChroma {
            options += [("dst_h_chr_pos", targetChroma.horizontal), ("dst_v_chr_pos", targetChroma.vertical)]
        }
        for (option, value) in options {
            av_opt_set_int(UnsafeMutableRawPointer(context), option, Int64(value), 0)
        }
        if let colors {
            oav_scaler_set_colors(context, colors.matrix, colors.isSourceFull ? 1 : 0, colors.isTargetFull ? 1 : 0)
        }
        guard oav_scaler_init(context) >= 0 else {
            throw FFmpegError(kind: .other, operation: .render, reason: "this pixel format cannot be converted")
        }
    }

    deinit { oav_scaler_free(context) }

    /// Scales a whole picture.
    ///
    /// - Parameters:
    ///   - planes: Four starts of planes, as many of them `nil` as there are too few; `strides` are their rows' bytes.
    /// - Returns: The rows written: those of the target when all went well.
    func scale(
        _ planes: [UnsafePointer<UInt8>?], strides: [Int32], height: Int32,
        to target: [UnsafeMutablePointer<UInt8>?], strides targetStrides: [Int32]
    ) -> Int {
        Int(oav_scaler_scale(context, planes, strides, height, target, targetStrides))
    }
}
