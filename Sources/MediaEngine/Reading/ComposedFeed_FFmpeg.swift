internal import FFmpegKit
package import MediaAsset
package import MediaCore

/// What is read of several tracks of an asset together, or of one track of a composition.
package struct ComposedRequest: Sendable {
    let asset: AVAsset
    let trackIDs: Set<CMPersistentTrackID>
    /// On the asset's timeline; `nil` for all.
    package let range: CMTimeRange?
    /// How tracks become one picture and one sound.
    package var rendering = ExportRendering()
    /// Whether damage, and a file that ends early, are no errors.
    let allowsDamage: Bool
    /// Stops the reading.
    let cancellation: Cancellation

    package init(
        _ asset: AVAsset, trackIDs: Set<CMPersistentTrackID>, range: CMTimeRange?, allowsDamage: Bool,
        cancellation: Cancellation
    ) {
        (self.asset, self.trackIDs, self.range) = (asset, trackIDs, range)
        (self.allowsDamage, self.cancellation) = (allowsDamage, cancellation)
    }
}

/// The threads that make pictures or sound of several tracks, as an export has them before it encodes.
///
/// They run ahead of whoever asks by a few pictures, or blocks of sound.
final class ComposedReading {
    let run: PipelineRun
    let encoding: TrackEncoding
    /// The beginning of what is read, on the asset's timeline.
    let start: CMTime
    var stages: ReelStages { ReelStages(run, 0) }

    private let following: Cancellation

    private init(
        _ request: ComposedRequest, codec: Codec,
        _ encoded: (AssetDescription, inout CompositionEncoder, CompositionContent) throws -> (
            track: TrackDescription, CompositionEncoder.Encoded
        )?
    ) throws {
        let source = try request.asset.composed(ofTracks: request.trackIDs).source
        let asset = try source.describe()
        guard !asset.hasProtectedContent else {
            throw AVError(
                .contentIsProtected, reason: "the content is encrypted (DRM): without its key it cannot be read")
        }
        let all = CMTimeRange(start: .zero, duration: .positiveInfinity)
        let part = try asset.range(within: request.range ?? all)
        let range = part ?? CMTimeRange(start: .zero, duration: asset.duration)
        start = range.start
        let format = try Self.format(codec)
        guard let content = source.composition?.content else {
            throw AVError(.operationNotSupportedForAsset, reason: "it is no composition")
        }
        var encoder = CompositionEncoder(content, range: range, to: format, request.rendering)
        guard let (track, encoded) = try encoded(asset, &encoder, content) else {
            throw AVError(.operationNotSupportedForAsset, reason: "there is nothing in the tracks to be read")
        }
        encoding = encoded.conversion.encoding
        var new = PipelineJob.Track(
            stream: track.streamIndex, treatment: .encoding(encoding), traits: encoded.conversion.traits)
        new.name = track.nameForPeople
        new.trackID = track.trackID
        var job = PipelineJob(tracks: [new], format: format)
        job.range = part.map { CMTimeRange(start: $0.start + asset.origin, duration: $0.duration) }
        job.allowsDamage = request.allowsDamage
        let own = Cancellation()
        following = request.cancellation
        following.onCancel(of: own) { own.cancel() }
        run = try PipelineRun(job, source: source, cancellation: own, pass: .only)
    }

    /// Pictures as they are before they would be encoded.
    ///
    /// - Parameters:
    ///   - layouts: What pictures may be, by FFmpeg's names.
    ///   - keepsHDR: Whether HDR stays.
    convenience init(picturesOf request: ComposedRequest, layouts: [String], keepsHDR: Bool) throws {
        var encoding = VideoEncoding(encoder: Codec.ffv1.rawValue, pixelFormats: layouts, rateControl: .encoder)
        encoding.dynamicRange = keepsHDR ? .source : .standard
        encoding.keepsAlpha = true
        try self.init(request, codec: .ffv1) { asset, encoder, content in
            let tracks = asset.tracks.filter { $0.mediaType == .video }
            if let composing = request.rendering.composing {
                return try encoder.composedPictures(of: tracks, by: composing, as: encoding)
            }
            for track in tracks where content.keepsTracksApart || track.isEnabled {
                guard let part = content.track(track.trackID), part.firstMedia != nil else { continue }
                if let encoded = try encoder.pictures(of: part, as: encoding) { return (track, encoded) }
            }
            return nil
        }
    }

    /// The sound of a track, mixed with that of the others, as it is before it would be encoded.
    convenience init(soundOf request: ComposedRequest) throws {
        let encoding = AudioEncoding(encoder: Codec.pcmFloat.rawValue)
        try self.init(request, codec: .pcmFloat) { asset, encoder, content in
            for track in asset.tracks where track.mediaType == .audio {
                guard let part = content.track(track.trackID), part.firstMedia != nil else { continue }
                let parts = content.tracks(heardWith: part)
                if let encoded = try encoder.sound(of: parts, as: encoding) { return (track, encoded) }
            }
            return nil
        }
    }

    private static func format(_ codec: Codec) throws(AVError) -> ContainerFormat {
        do throws(FFmpegError) {
            return try AVFileType.mov.containerFormat(holding: [codec])
        } catch {
            throw AVError(.operationNotSupportedForAsset, reason: error.reason)
        }
    }

    deinit {
        run.cancellation.cancel()
        run.threads.wait()
        following.forget(run.cancellation)
    }

    /// Waits for the threads once everything was taken.
    ///
    /// - Throws: What one of them failed with, and what is missing of the files.
    func finish(shortfall: () -> Shortfall?) throws {
        do {
            _ = try run.finish(reading: nil, namesTornEnds: false, shortfall: shortfall)
        } catch {
            throw writingError(for: error)
        }
    }

    /// The next of what the threads make.
    func receive<Item>(_ channel: BoundedChannel<Item>) throws -> Item? {
        do { return try channel.receive() } catch {
            throw writingError(for: run.cancellation.reason ?? error)
        }
    }
}

// MARK: Sound

/// Gives the mixed sound of several tracks, or that of a composition's track, from the range's beginning to the end of the
/// longest without gaps.
package final class ComposedSoundFeed: SoundFeeding {
    private let reading: ComposedReading
    private let sound: BoundedChannel<Frame>
    private let outcome: StageOutcome<SoundReelStage.Outcome>
    /// Samples that were given.
    private var position: Int64 = 0
    private var isOver = false

    /// - Parameter form: What the sound is to be; its rate and channels are otherwise those of the richest of the tracks.
    package init(_ request: ComposedRequest, form: SoundForm) throws {
        reading = try ComposedReading(soundOf: request)
        guard case .audio(let audio) = reading.encoding.encoder.media else {
            throw AVError(.noSourceTrack, reason: "there is no sound")
        }
        var encoding = reading.encoding
        encoding.filters = { form.filters(for: $0) }
        sound = reading.run.cancellation.channel(capacity: 16, byteCapacity: 8 << 20)
        let outlet = ChanneledSound(
            sound, timeBase: TimeBase(numerator: 1, denominator: Int32(clamping: audio.sampleRate)))
        outcome = reading.stages.startSound(encoding, audio, outlet)
    }

    package func next() throws -> FedSound? {
        guard !isOver else { return nil }
        guard let frame = try reading.receive(sound) else {
            isOver = true
            try reading.finish { outcome.value?.reels.compactMap(\.shortfall).merged }
            return nil
        }
        defer { position += Int64(frame.sampleCount) }
        let rate = CMTimeScale(clamping: max(1, frame.sampleRate))
        return FedSound(
            frame: frame,
            start: reading.start.convertScale(rate, method: .default) + CMTime(value: position, timescale: rate))
    }
}

// MARK: Pictures

/// Gives the pictures that are composed of those of several tracks, or those of a composition's track.
package final class ComposedPictureFeed: PictureFeeding {
    private let reading: ComposedReading
    private let pictures: BoundedChannel<EncodeStage.Item>
    private let outcomes: [StageOutcome<ReelOutcome>]
    private let timeBase: TimeBase
    private var waiting: (frame: Frame, ticks: Int64)?
    private var isOver = false

    /// - Parameters:
    ///   - layouts: What pictures may be, by FFmpeg's names; the one is taken that loses least.
    ///   - drawn: What drawn pictures are instead, of red, green and blue; `nil` for no other.
    ///   - keepsHDR: Whether HDR stays, rather than becoming SDR.
    package init(_ request: ComposedRequest, layouts: [String], drawn: String?, keepsHDR: Bool) throws {
        reading = try ComposedReading(picturesOf: request, layouts: layouts, keepsHDR: keepsHDR)
        var encoding = reading.encoding
        guard case .video(let video) = encoding.encoder.media else {
            throw AVError(.noSourceTrack, reason: "there are no pictures")
        }
        // They are drawn in red, green and blue.
        if let drawn, encoding.canvas != nil { encoding.filters = { _ in "format=\(drawn)" } }
        timeBase = video.timeBase
        (pictures, outcomes) = try reading.stages.startPictures(encoding, timeBase: timeBase)
    }

    package func next() throws -> FedPicture? {
        while !isOver {
            switch try reading.receive(pictures) {
            case .frame(let frame, let ticks):
                defer { waiting = (frame, ticks) }
                if let shown = picture(until: ticks) { return shown }
            case .end(let end):
                defer { waiting = nil }
                if let shown = picture(until: end) { return shown }
            case nil:
                isOver = true
                try reading.finish { outcomes.compactMap { $0.value?.shortfall }.merged }
            }
        }
        return nil
    }

    /// The picture that waits, now that it is known how long it is shown.
    private func picture(until end: Int64?) -> FedPicture? {
        guard let waiting else { return nil }
        let start = reading.start + timeBase.time(of: waiting.ticks)
        let duration = end.map { timeBase.time(of: $0 - waiting.ticks) } ?? .invalid
        return FedPicture(frame: waiting.frame, timeRange: CMTimeRange(start: start, duration: duration))
    }
}
