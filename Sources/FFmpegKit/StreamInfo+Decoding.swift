internal import CLibAV
package import MediaTypes

extension StreamInfo {
    /// Whether there is a decoder for the stream that may be used on files from strangers.
    package var hasDecoder: Bool { codec.hasDecoder }
}

extension Codec {
    /// Whether there is a decoder of pictures or sound that may be used on files from strangers.
    package var hasDecoder: Bool { hasDecoder(among: SafetyPolicy.videoDecoders + SafetyPolicy.audioDecoders) }

    /// Whether there is a decoder of subtitles that may be used on files from strangers.
    package var hasSubtitleDecoder: Bool { hasDecoder(among: SafetyPolicy.subtitleDecoders) }

    private func hasDecoder(among names: [String]) -> Bool {
        guard let id, let decoder = avcodec_find_decoder(id) else { return false }
        return names.contains(String(cString: decoder.pointee.name))
    }
}
