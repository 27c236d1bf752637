internal import FFmpegKit
package import MediaAsset
package import MediaCore

/// What is read of several tracks of an asset together, or of one track of a composition.
package struct ComposedRequest: Sendable {
    package let asset: AVAsset
    package let trackIDs: Set<CMPersistentTrackID>
    /// On the asset's timeline; `nil` for all.
    package let range: CMTimeRange?
    /// How tracks become one picture and one sound.
    package var rendering = ExportRendering()
    /// Whether damage, and a file that ends early, are no errors.
    package let allowsDamage: Bool
    /// Stops the reading.
    package let cancellation: Cancellation

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

    /// - Parameter preset: What pictures, or sound, are to be before they would be encoded.
    init(_ request: ComposedRequest, _ preset: ExportPreset) throws {
        let composition = try request.asset.composed(ofTracks: request.trackIDs)
        var export = ExportRequest(preset: preset, fileType: .mov)
        if let range = request.range { export.timeRange = range }
        export.rendering = request.rendering
        export.allowsDamagedMedia = request.allowsDamage
        let planner = try ExportPlanner(source: composition.source, request: export)
        guard case .pipeline(let job, _) = try planner.prepare().engine,
            case .encoding(let encoding) = job.tracks.first?.treatment
        else {
            throw AVError(.operationNotSupportedForAsset, reason: "there is nothing in the tracks to be read")
        }
        self.encoding = encoding
        start = planner.shown(export.timeRange).start
        let own = Cancellation()
        following = request.cancellation
        following.onCancel(of: own) { own.cancel() }
        run = try PipelineRun(job, source: composition.source, cancellation: own, pass: .only)
    }

    deinit {
        run.cancellation.cancel()
        run.threads.wait()
        following.forget(run.cancellation)
    }

    /// Waits for the threads once everything was taken.
    ///
    /// - Throws: What one of them failed with, and what is missing of the files.
    func finish(shortfall: () -> String?) throws {
        do {
            _ = try run.finish(reading: nil, shortfall: shortfall)
        } catch {
            throw exportError(for: error)
        }
    }

    /// The next of what the threads make.
    func receive<Item>(_ channel: BoundedChannel<Item>) throws -> Item? {
        do { return try channel.receive() } catch {
            throw exportError(for: run.cancellation.reason ?? error)
        }
    }
}

extension ExportPreset {
    /// What keeps nothing but pictures or sound.
    fileprivate static func reading(_ video: VideoRule, _ audio: AudioRule) -> ExportPreset {
        ExportPreset(
            name: "reading", description: "", avFoundationName: nil, fileTypes: [.mov], video: video, audio: audio,
            subtitles: .drop, otherTracks: .drop, chapters: .drop, metadata: .drop, fileLengthLimit: nil)
    }

    /// - Parameters:
    ///   - layouts: What pictures may be, by FFmpeg's names.
    ///   - keepsHDR: Whether HDR stays.
    static func readingPictures(_ layouts: [String], keepsHDR: Bool) -> ExportPreset {
        var encoding = VideoEncoding(encoder: Codec.ffv1.rawValue, pixelFormats: layouts, rateControl: .encoder)
        encoding.dynamicRange = keepsHDR ? .source : .standard
        encoding.keepsAlpha = true
        return reading(.encode(encoding), .none)
    }

    static var readingSound: ExportPreset { reading(.none, .encode(AudioEncoding(encoder: Codec.pcmFloat.rawValue))) }
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
        reading = try ComposedReading(request, .readingSound)
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
            try reading.finish { outcome.value?.reels.lazy.compactMap(\.shortfall).first }
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
        reading = try ComposedReading(request, .readingPictures(layouts, keepsHDR: keepsHDR))
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
                try reading.finish { outcomes.lazy.compactMap { $0.value?.shortfall }.first }
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
