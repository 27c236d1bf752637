package import FFmpegKit
public import MediaAsset
package import MediaCore
package import MediaEngine

extension ExportPreset {
    /// Finds out what the rules for documents cannot say: whether the encoders of
    /// this FFmpeg take their options, and whether the kinds of files hold what they make.
    ///
    /// Each encoder is opened as an export would open it. One that this FFmpeg
    /// lacks is passed over: ``unavailabilityReason`` tells of it.
    ///
    /// - Parameters:
    ///   - fileTypes: The kinds of files to look at; `nil` for all of the preset's.
    ///   - path: The document's file, for errors.
    /// - Throws: ``ExportPresetError`` of the kind `impossible`, for the first thing that is.
    /// - Complexity: Opens each encoder several times; encodes nothing, reads no file. Blocks.
    public func checkEncoders(for fileTypes: [AVFileType]? = nil, path: String? = nil) throws {
        func refusal(_ keyPath: String, _ reason: String) -> ExportPresetError {
            ExportPresetError(.impossible, path: path, keyPath: keyPath, reason)
        }
        for type in fileTypes ?? self.fileTypes {
            if let (key, codec) = try codecWithoutPlace(in: type) {
                throw refusal("fileTypes", "\(type.name) files cannot hold \(codec), which \(key) makes")
            }
        }
        guard let format = try? containerFormat(for: fileTypes?.first ?? self.fileTypes.first ?? .matroska) else {
            return
        }
        if let encoding = videoEncoding, Encoder.isAvailable(encoding.encoder) {
            if let (key, reason) = encoding.problem(in: format) { throw refusal("video.\(key)", reason) }
        }
        if let encoding = audioEncoding, Encoder.isAvailable(EncoderTraits.encoderName(encoding.encoder)) {
            if let (key, reason) = encoding.problem(in: format) { throw refusal("audio.\(key)", reason) }
        }
    }

    /// What is encoded that a kind of file has no place for: the key of its encoder, and its codec.
    private func codecWithoutPlace(in type: AVFileType) throws -> (String, String)? {
        let format = try containerFormat(for: type)
        let encoders = [("video.encoder", videoEncoding?.encoder), ("audio.encoder", audioEncoding?.encoder)]
        for case (let key, let encoder?) in encoders {
            guard let codec = EncoderTraits.known[encoder]?.codec, !format.canHold(codec: codec) else { continue }
            return (key, codec.rawValue)
        }
        return nil
    }
}

extension ExportPreset.VideoEncoding {
    /// Why the encoder cannot be opened: the key that it lies with, and the reason; `nil` if it can.
    fileprivate func problem(in format: ContainerFormat) -> (String, String)? {
        let taken = EncoderCapabilities(ofEncoder: encoder)?.pixelFormats ?? []
        let usable = pixelFormats.filter { taken.isEmpty || taken.contains($0) }
        guard !usable.isEmpty else {
            return ("pixelFormats", "\(encoder) of this FFmpeg takes none of \(pixelFormats.joined(separator: ", "))")
        }
        for (name, value) in options.sorted(by: { $0.key < $1.key }) {
            // x264 complains of these on standard error itself.
            guard encoder == "libx264", let known = Self.namesOfX264[name], !known.contains(value), Int(value) == nil
            else { continue }
            return ("options.\(name)", "must be one of \(known.joined(separator: ", "))")
        }
        for pixelFormat in usable {
            var plain = self
            plain.pixelFormats = [pixelFormat]
            guard let reason = plain.reasonNotToOpen(format) else { continue }
            let (options, parameters) = (options, parameters)
            (plain.options, plain.parameters) = ([:], [:])
            guard plain.reasonNotToOpen(format) == nil else { return ("encoder", reason) }
            for (name, value) in options.sorted(by: { $0.key < $1.key }) {
                plain.options = [name: value]
                if let reason = plain.reasonNotToOpen(format) { return ("options.\(name)", reason) }
            }
            plain.options = [:]
            for (name, value) in parameters.sorted(by: { $0.key < $1.key }) {
                plain.parameters = [name: value]
                if let reason = plain.reasonNotToOpen(format) { return ("parameters.\(name)", reason) }
            }
            return ("options", reason)
        }
        return nil
    }

    private static let namesOfX264 = [
        "preset": [
            "ultrafast", "superfast", "veryfast", "faster", "fast", "medium", "slow", "slower", "veryslow", "placebo",
        ],
        "profile": ["baseline", "main", "high", "high10", "high422", "high444"],
    ]

    private func reasonNotToOpen(_ format: ContainerFormat) -> String? {
        let (width, height) = (max(640, (crop?.x ?? 0) + (crop?.width ?? 0)), (crop?.y ?? 0) + (crop?.height ?? 0))
        do throws(AVError) {
            let source = VideoSource(width: width, height: max(480, height), pixelFormat: pixelFormats.first ?? "")
            let conversion = try VideoConversion(self, source, format).resolved(StreamTraits())
            return opening(conversion.encoding.encoder)
        } catch {
            return error.reason
        }
    }
}

extension ExportPreset.AudioEncoding {
    /// Why the encoder cannot be opened: the key that it lies with, and the reason; `nil` if it can.
    fileprivate func problem(in format: ContainerFormat) -> (String, String)? {
        let most = maximumChannels ?? 8
        for channels in Set([1, 2] + bitRates.keys).sorted() where channels <= most && channels <= 8 {
            guard let reason = reasonNotToOpen(format, channels: channels) else { continue }
            var plain = self
            (plain.bitRates, plain.quality) = ([:], nil)
            if plain.reasonNotToOpen(format, channels: channels) == nil {
                return (quality == nil ? "bitRates" : "quality", "\(reason) (\(channels) channels)")
            }
            plain.options = [:]
            for (name, value) in options.sorted(by: { $0.key < $1.key }) {
                plain.options = [name: value]
                if let reason = plain.reasonNotToOpen(format, channels: channels) { return ("options.\(name)", reason) }
            }
            return ("encoder", reason)
        }
        return nil
    }

    private func reasonNotToOpen(_ format: ContainerFormat, channels: Int) -> String? {
        let source = AudioInfo(
            sampleRate: 48000, channels: channels, channelLayout: AudioLayout.defaults[channels], sampleFormat: "s16")
        do throws(AVError) {
            let conversion = try AudioConversion(self, source, codec: .pcm16, format).resolved(StreamTraits())
            return opening(conversion.encoding.encoder)
        } catch {
            return error.reason
        }
    }
}

/// Why an encoder cannot be opened; `nil` if it can.
private func opening(_ settings: EncoderSettings) -> String? {
    var settings = settings
    settings.threads = 1
    do throws(FFmpegError) {
        _ = try Encoder.open(settings)
        return nil
    } catch {
        return error.reason
    }
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

    /// Whether pictures or sound stay as they are.
    var copiesTracks: Bool { video == .passthrough || audio == .passthrough }

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
