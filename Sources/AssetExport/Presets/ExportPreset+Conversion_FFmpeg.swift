package import FFmpegKit
package import MediaAsset
package import MediaCore
package import MediaEngine

extension ExportPreset {
    /// What the preset makes of a track.
    ///
    /// - Parameters:
    ///   - track: What the asset says of it.
    ///   - stream: What the demuxer says of it.
    ///   - traits: What else the demuxer says of it.
    ///   - format: Where it is to be written.
    ///   - turnsPixels: Whether pictures are turned themselves, although the file could say that they are.
    /// - Returns: `nil` if the preset does not encode tracks of this kind.
    /// - Throws: ``AVError`` that says what makes it impossible.
    package func conversion(
        of track: TrackDescription, stream: StreamInfo, traits: StreamTraits, to format: ContainerFormat,
        turnsPixels: Bool = false
    ) throws(AVError) -> TrackConversion? {
        if let encoding = videoEncoding, stream.kind == .video, !stream.isAttachedPicture {
            // First, as only the decoder tells the size of some.
            try stream.checkHasDecoder()
            guard let source = VideoSource(track, stream, traits) else {
                throw AVError(.operationNotSupportedForAsset, reason: "the size of the pictures is unknown")
            }
            return try VideoConversion(encoding, source, format, turnsPixels: turnsPixels).resolved(traits)
        }
        if let encoding = audioEncoding, stream.kind == .audio, let sound = stream.audio {
            try stream.checkHasDecoder()
            return try AudioConversion(encoding, sound, codec: stream.codec, format).resolved(traits)
        }
        return nil
    }

    /// Why the preset cannot be used with this FFmpeg at all, in one line: an encoder that it lacks; `nil` if it can.
    public var unavailabilityReason: String? {
        let encoders = [videoEncoding?.encoder, audioEncoding?.encoder].compactMap { $0 }
        return encoders.first { !Encoder.isAvailable(EncoderTraits.encoderName($0)) }.map {
            EncoderTraits.lacks("encoder", $0)
        }
    }
}

extension ExportPreset {
    /// The codecs of those tracks that stay as they are.
    func copiedCodecs(of tracks: [TrackDescription]) -> [Codec] { copied(of: tracks).map(\.codecType) }

    /// The tracks of pictures and sound that stay as they are.
    private func copied(of tracks: [TrackDescription]) -> [TrackDescription] {
        tracks.filter {
            $0.mediaType == .video && video == .passthrough || $0.mediaType == .audio && audio == .passthrough
        }
    }

    /// Whether a kind of file holds the tracks that stay as they are.
    func canCopy(_ tracks: [TrackDescription], into type: AVFileType) -> Bool {
        let copied = copied(of: tracks)
        guard let format = try? containerFormat(for: type, copying: copied.map(\.codecType)) else { return false }
        return copied.allSatisfy { format.canHold($0) }
    }

    /// The container for a kind of file that holds what the preset makes.
    ///
    /// - Parameter copied: Codecs of tracks that stay as they are.
    package func containerFormat(
        for type: AVFileType, copying copied: [Codec] = []
    ) throws(AVError) -> ContainerFormat {
        let encoders = [videoEncoding?.encoder, audioEncoding?.encoder].compactMap { $0 }
        do throws(FFmpegError) {
            return try type.containerFormat(holding: encoders.compactMap { EncoderTraits.known[$0]?.codec } + copied)
        } catch {
            throw AVError(.operationNotSupportedForAsset, reason: error.reason)
        }
    }
}
