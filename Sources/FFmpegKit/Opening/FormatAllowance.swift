internal import CFFmpeg

/// Which formats and decoders may be allowed besides those that are.
package enum FormatAllowance {
    /// Formats that open further files past the hook that checks them.
    private static let unknown = "FFmpeg knows no format and no decoder of this name"
    private static let unchecked: Set<String> = ["concat", "dash", "image2", "imf", "rtp", "rtsp", "sdp", "vobsub"]

    /// Why a format or a decoder cannot be allowed, `nil` if it can.
    package static func objection(toAllowing name: String) -> String? {
        guard !name.isEmpty, !name.contains(",") else { return unknown }
        guard let format = av_find_input_format(name) else {
            return avcodec_find_decoder_by_name(name) == nil ? unknown : nil
        }
        if unchecked.contains(name) || format.pointee.flags & AVFMT_NOFILE != 0 {
            return "this format opens other files without asking whether it may, and cannot be allowed"
        }
        return nil
    }
}
