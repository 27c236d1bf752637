internal import FFmpegKit
internal import MediaCore

/// Codecs by the names that the parameter `codecs` of media types has for them.
enum MediaTypeCodec {
    /// Whether there is a decoder for a codec; false for a name that is not known.
    static func canDecode(_ name: String) -> Bool { Codec(mediaTypeName: name)?.hasDecoder ?? false }
}
