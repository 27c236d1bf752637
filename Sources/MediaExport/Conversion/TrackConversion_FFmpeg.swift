package import FFmpegKit
package import MediaAsset
package import MediaCore

/// What a preset makes of one track: all that the pipeline and the plan need to know.
package struct TrackConversion: Sendable {
    /// How the track is encoded.
    package var encoding: TrackEncoding
    /// What the new track says of itself besides its codec.
    package var traits: StreamTraits
    /// The same for people.
    package var summary: ConversionSummary
    /// How often the pictures are gone through.
    package var passes = 1
}

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
            try Self.checkDecoder(of: stream)
            guard let source = VideoSource(track, stream, traits) else {
                throw AVError(.operationNotSupportedForAsset, reason: "the size of the pictures is unknown")
            }
            return try VideoConversion(encoding, source, format, turnsPixels: turnsPixels).resolved(traits)
        }
        if let encoding = audioEncoding, stream.kind == .audio, let sound = stream.audio {
            try Self.checkDecoder(of: stream)
            return try AudioConversion(encoding, sound, codec: stream.codec, format).resolved(traits)
        }
        return nil
    }

    static func checkDecoder(of stream: StreamInfo) throws(AVError) {
        if let objection = stream.decoder.objection(to: stream.codec) {
            throw AVError(.decoderNotFound, reason: objection)
        }
    }

    /// Why the preset cannot be used with this FFmpeg at all, in one line: an encoder that it lacks; `nil` if it can.
    public var unavailabilityReason: String? {
        let encoders = [videoEncoding?.encoder, audioEncoding?.encoder].compactMap { $0 }
        return encoders.first { !Encoder.isAvailable(PresetEncoder.encoderName($0)) }.map { Self.lacks("encoder", $0) }
    }

    static func lacks(_ what: String, _ name: String) -> String {
        "this FFmpeg has no \(what) \(name), which the preset needs"
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
            return try type.containerFormat(holding: encoders.compactMap { PresetEncoder.known[$0]?.codec } + copied)
        } catch {
            throw AVError(.operationNotSupportedForAsset, reason: error.reason)
        }
    }
}

extension ContainerFormat {
    /// Whether the samples of a track of pictures or sound can be read from it as they are.
    func canHold(_ track: TrackDescription) -> Bool {
        guard canHold(codec: track.codecType) else { return false }
        return track.codecType != .uncompressedVideo || canHold(uncompressed: track.codecTag)
    }
}
