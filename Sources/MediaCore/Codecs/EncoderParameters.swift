/// Encoders that take parameters of their own besides their options.
package enum EncoderParameters {
    /// The option that holds them all, `nil` for most encoders.
    ///
    /// - Parameter name: FFmpeg's name of the encoder.
    package static func option(ofEncoder name: String) -> String? {
        switch name {
        case "libx264", "libx264rgb": "x264-params"
        case "libx265": "x265-params"
        case "libsvtav1": "svtav1-params"
        default: nil
        }
    }
}
