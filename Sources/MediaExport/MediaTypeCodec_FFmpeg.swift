internal import FFmpegKit
internal import MediaTypes

/// Codecs by the names that the parameter `codecs` of media types has for them.
///
/// Source: RFC 6381; ISO/IEC 14496-15; the bindings of AV1 and VP9 to ISO files.
enum MediaTypeCodec {
    /// Whether there is a decoder for a codec, by its name in lower case.
    static func canDecode(_ name: String) -> Bool { codec(named: name)?.hasDecoder ?? false }

    private static func codec(named name: String) -> Codec? {
        let parts = name.split(separator: ".").map(String.init)
        guard let code = parts.first else { return nil }
        return code == "mp4a" ? sounds[parts.dropFirst().first ?? "40"] : codecs[code]
    }

    private static let codecs: [String: Codec] = [
        "avc1": .h264, "avc3": .h264, "hvc1": .hevc, "hev1": .hevc, "av01": .av1, "vp8": .vp8, "vp08": .vp8,
        "vp9": .vp9, "vp09": .vp9, "mp4v": .mpeg4, "theora": .theora, "ac-3": .ac3, "ec-3": .eac3, "opus": .opus,
        "vorbis": .vorbis, "flac": .flac, "alac": .alac, "mp3": .mp3,
    ]

    /// Sound in MPEG-4 by its object type, in hexadecimal.
    private static let sounds: [String: Codec] = [
        "40": .aac, "66": .aac, "67": .aac, "68": .aac, "69": .mp3, "6b": .mp3, "a5": .ac3, "a6": .eac3, "ad": .opus,
    ]
}
