internal import CLibAV

/// Which formats may be allowed besides those that are.
package enum FormatAllowance {
    /// Formats that open further files past the hook that checks them.
    private static let unchecked: Set<String> = ["concat", "dash", "image2", "imf", "rtp", "rtsp", "sdp", "vobsub"]

    /// Why a format cannot be allowed, `nil` if it can.
    package static func objection(toAllowing name: String) -> String? {
        guard !name.isEmpty, !name.contains(","), let format = av_find_input_format(name) else {
            return "FFmpeg knows no format of this name"
        }
        if unchecked.contains(name) || format.pointee.flags & AVFMT_NOFILE != 0 {
            return "this format opens other files without asking whether it may, and cannot be allowed"
        }
        return nil
    }
}
