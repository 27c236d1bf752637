internal import FFmpegKit

extension MediaFormats {
    /// Why a format cannot be allowed (`AVURLAssetAllowedFormatsKey`), in one line; `nil` if it can.
    ///
    /// - Parameter name: The demuxer's name, as FFmpeg spells it.
    public static func objection(toAllowing name: String) -> String? { FormatAllowance.objection(toAllowing: name) }
}

extension MediaFormats {
    /// The versions of FFmpeg's libraries, such as `libavcodec 59.37.100`.
    package static var libraryVersions: [String] { LibraryVersions.texts }
}
