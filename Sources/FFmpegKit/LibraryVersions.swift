internal import CFFmpeg

/// The versions of FFmpeg's libraries that are in use.
package enum LibraryVersions {
    /// Such as `libavcodec 59.37.100`.
    package static var texts: [String] {
        [
            text("libavformat", avformat_version()), text("libavcodec", avcodec_version()),
            text("libavutil", avutil_version()), text("libswscale", swscale_version()),
        ]
    }

    private static func text(_ name: String, _ version: UInt32) -> String {
        "\(name) \(version >> 16).\(version >> 8 & 0xff).\(version & 0xff)"
    }
}
