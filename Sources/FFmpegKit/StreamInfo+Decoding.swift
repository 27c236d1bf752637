internal import CLibAV

extension StreamInfo {
    /// Whether there is a decoder for the stream that may be used on files from strangers.
    package var hasDecoder: Bool {
        guard let id = codec.id, let decoder = avcodec_find_decoder(id) else { return false }
        let name = String(cString: decoder.pointee.name)
        return (SafetyPolicy.videoDecoders + SafetyPolicy.audioDecoders).contains(name)
    }
}
