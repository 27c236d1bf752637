package import FFmpegKit
package import MediaAsset
package import MediaLoading

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
    /// - Returns: `nil` if the preset does not encode tracks of this kind.
    /// - Throws: ``AVError`` that says what makes it impossible.
    package func conversion(
        of track: TrackDescription, stream: StreamInfo, traits: StreamTraits, to format: ContainerFormat
    ) throws(AVError) -> TrackConversion? {
        if let encoding = videoEncoding, stream.kind == .video, !stream.isAttachedPicture {
            guard let source = VideoSource(track, stream, traits) else {
                throw AVError(.operationNotSupportedForAsset, reason: "the size of the pictures is unknown")
            }
            try Self.checkDecoder(of: stream)
            return try VideoConversion(encoding, source, format).resolved(traits)
        }
        if let encoding = audioEncoding, stream.kind == .audio, let sound = stream.audio {
            try Self.checkDecoder(of: stream)
            return try AudioConversion(encoding, sound, format).resolved(traits)
        }
        return nil
    }

    private static func checkDecoder(of stream: StreamInfo) throws(AVError) {
        guard !stream.hasDecoder else { return }
        throw AVError(.decoderNotFound, reason: "there is no decoder for the codec \(stream.codecName)")
    }

    /// Why the preset cannot be used with this FFmpeg at all; `nil` if it can.
    public var unavailabilityReason: String? {
        let encoders = [videoEncoding?.encoder, audioEncoding?.encoder].compactMap { $0 }
        return encoders.first { !Encoder.isAvailable($0) }.map { Self.lacks("encoder", $0) }
    }

    static func lacks(_ what: String, _ name: String) -> String {
        "this FFmpeg has no \(what) \(name), which the preset needs"
    }
}

/// One track of an asset, seen from all sides that matter to an export.
package struct SourceTrack: Sendable {
    /// What the asset says of it.
    package var description: TrackDescription
    /// What the demuxer says of it.
    package var stream: StreamInfo
    /// What else the demuxer says of it.
    package var traits: StreamTraits

    package init(_ description: TrackDescription, _ stream: StreamInfo, _ traits: StreamTraits) {
        (self.description, self.stream, self.traits) = (description, stream, traits)
    }
}

extension ExportPreset {
    /// Why the preset cannot be used with an asset; `nil` if it can.
    ///
    /// - Parameters:
    ///   - tracks: The asset's tracks, without cover art.
    ///   - fileType: What to make; `nil` for any of the preset's kinds of files.
    package func incompatibilityReason(with tracks: [SourceTrack], fileType: AVFileType? = nil) -> String? {
        if let fileType, !fileTypes.contains(fileType) {
            let names = fileTypes.map(\.preferredFilenameExtension).joined(separator: ", ")
            return "the preset \(name) makes \(names), not \(fileType.preferredFilenameExtension)"
        }
        if let unavailabilityReason { return unavailabilityReason }
        let kept = tracks.filter { track in
            switch track.stream.kind {
            case .video: video != .none
            case .audio: audio != .none
            default: false
            }
        }
        guard !kept.isEmpty else {
            return
                "there is \(audio == .none ? "no picture" : video == .none ? "no sound" : "neither picture nor sound")"
        }
        var reason: String?
        for type in fileType.map({ [$0] }) ?? fileTypes {
            do throws(AVError) {
                let format = try containerFormat(for: type)
                for track in kept {
                    _ = try conversion(
                        of: track.description, stream: track.stream, traits: track.traits, to: format)
                }
                return nil
            } catch {
                reason = reason ?? error.reason
            }
        }
        return reason
    }

    /// The container for a kind of file that holds what the preset makes.
    ///
    /// - Parameter copied: Codecs of tracks that stay as they are, by FFmpeg's names.
    package func containerFormat(
        for type: AVFileType, copying copied: [String] = []
    ) throws(AVError) -> ContainerFormat {
        let encoders = [videoEncoding?.encoder, audioEncoding?.encoder].compactMap { $0 }
        do throws(FFmpegError) {
            return try type.containerFormat(holding: encoders.compactMap { PresetEncoder.known[$0]?.codec } + copied)
        } catch {
            throw AVError(.operationNotSupportedForAsset, reason: error.reason)
        }
    }
}
