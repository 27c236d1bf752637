extension Codec {
    /// The codec that the parameter `codecs` of a media type names, such as `avc1.640028`; `nil` for a name that is
    /// not known here.
    ///
    /// Source: RFC 6381; ISO/IEC 14496-15; the bindings of AV1 and VP9 to ISO files.
    package init?(mediaTypeName name: String) {
        let parts = name.lowercased().split(separator: ".").map(String.init)
        guard let code = parts.first else { return nil }
        let known = code == "mp4a" ? Self.soundsOfMPEG4[parts.dropFirst().first ?? "40"] : Self.mediaTypeNames[code]
        guard let known else { return nil }
        self = known
    }

    private static let mediaTypeNames: [String: Codec] = [
        "avc1": .h264, "avc3": .h264, "hvc1": .hevc, "hev1": .hevc, "av01": .av1, "vp8": .vp8, "vp08": .vp8,
        "vp9": .vp9, "vp09": .vp9, "mp4v": .mpeg4, "theora": .theora, "ac-3": .ac3, "ec-3": .eac3, "opus": .opus,
        "vorbis": .vorbis, "flac": .flac, "alac": .alac, "mp3": .mp3,
    ]

    /// By object type, in hexadecimal.
    private static let soundsOfMPEG4: [String: Codec] = [
        "40": .aac, "66": .aac, "67": .aac, "68": .aac, "69": .mp3, "6b": .mp3, "a5": .ac3, "a6": .eac3, "ad": .opus,
    ]
}
