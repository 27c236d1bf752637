internal import FFmpegKit
internal import Foundation
internal import MediaAsset
internal import MediaCore

/// What becomes of each track of a composition whose pictures and sound are encoded anew.
extension PipelinePlanner {
    mutating func addTracks(of composition: CompositionState) throws {
        if request.segmentLength != nil || request.makesPiece || request.pieces != nil {
            throw Self.refusalOfSegments("they are put together of pieces already")
        }
        let content = composition.content
        var facts = MediaFacts()
        let rendering = request.rendering
        var isShown = try addComposedPictures(content, &facts)
        let isComposed = rendering.composing != nil
        var isHeard = false
        for track in asset.tracks {
            guard let part = content.tracks.first(where: { $0.trackID == track.trackID }) else { continue }
            guard part.firstMedia != nil else {
                lose(track, "there is nothing in it")
                continue
            }
            switch track.mediaType {
            case .video where isComposed: continue
            case .video where !content.keepsTracksApart && (isShown || !track.isEnabled):
                lose(track, track.isEnabled ? "the first track of pictures hides it" : "it is not enabled")
            case .video:
                isShown = try addPictures(track, part, &facts) || isShown
            case .audio where !content.keepsTracksApart && isHeard: continue
            case .audio:
                let mixed = content.tracks.filter {
                    $0.mediaType == .audio && $0.isEnabled && $0.firstMedia != nil && $0.trackID != track.trackID
                }
                isHeard = try addSound(track, [part] + (content.keepsTracksApart ? [] : mixed), &facts) || isHeard
            default: lose(track, "of compositions that are encoded, pictures and sound are kept only")
            }
        }
    }

    // MARK: Pictures

    /// - Returns: Whether there is such a track in the new file.
    private mutating func addPictures(
        _ track: TrackDescription, _ part: CompositionContent.Track, _ facts: inout MediaFacts
    ) throws -> Bool {
        guard var encoding = preset.videoEncoding else {
            guard preset.video == .none else { throw refusalOfCopies() }
            lose(track, "the preset makes no pictures")
            return false
        }
        var sources: [CompositionMedia: VideoSource] = [:]
        for media in part.medias { sources[media] = try facts.pictures(of: media, in: part) }
        guard let first = part.firstMedia, let source = sources[first] else { return false }
        // What is not HDR cannot become so; what is can become like the others.
        if source.isHDR, sources.values.contains(where: { !$0.isHDR }) { encoding.dynamicRange = .standard }
        let model = try VideoConversion(
            encoding, source, format, turnsPixels: part.turnsMedia || request.effects.overlay != nil)
        let (stream, traits) = try facts.stream(of: first)
        var conversion = try model.resolved(traits)
        guard conversion.encoding.paletteFilters == nil else {
            throw AVError(
                .operationNotSupportedForAsset, reason: "pictures of a composition cannot share a palette, as of a GIF")
        }
        var clips: [CompositionMedia: VideoFilters] = [:]
        for (media, source) in sources {
            clips[media] = try VideoConversion(source, joining: model).filters(joining: model)
        }
        let reel = try Reel(
            part.timeline.slice(shownRange), context: conversion.encoding.context
        ) { media in
            guard let filters = clips[media] else { return nil }
            return (try facts.stream(of: media).0.index, { filters.text(for: $0) })
        }
        conversion.encoding.reels = [reel]
        if let maximum = encoding.maximumFrameRate, reel.pieces.contains(where: { $0.stretchDenominator != nil }) {
            conversion.encoding.rateLimit = nil
            conversion.encoding.reelLimit = .atMost(Ratio(Int32((maximum * 1000).rounded()), 1000))
        }
        conversion.encoding.refineTicks(for: reel, of: try part.medias.map { FrameTiming(try facts.stream(of: $0).0) })
        add(track, stream, conversion)
        for media in part.medias {
            let own = try media.track()
            guard let reason = try EncodedCaptions.reasonForLoss(of: own, conversion, media.source) else { continue }
            losses.append(
                ExportLoss(
                    .media, "captions in the pictures, \(ExportPlanner.name(of: track))", reason: reason,
                    trackID: track.trackID, trait: .captions))
            break
        }
        return true
    }

    // MARK: Sound

    private mutating func addSound(
        _ track: TrackDescription, _ parts: [CompositionContent.Track], _ facts: inout MediaFacts
    ) throws -> Bool {
        guard let encoding = preset.audioEncoding else {
            guard preset.audio == .none else { throw refusalOfCopies() }
            lose(track, "the preset makes no sound")
            return false
        }
        var richest: (media: CompositionMedia, stream: StreamInfo, traits: StreamTraits, sound: AudioInfo)?
        for media in parts.flatMap(\.medias) {
            let (stream, traits) = try facts.stream(of: media)
            try ExportPreset.checkDecoder(of: stream)
            guard let sound = stream.audio else { continue }
            if let richest, richest.sound.isAsRich(as: sound) { continue }
            richest = (media, stream, traits, sound)
        }
        guard let richest else { return false }
        let rendering = request.rendering
        let model = try AudioConversion(encoding, richest.sound, codec: richest.stream.codec, format)
        var conversion = model.resolved(richest.traits)
        guard case .audio(let audio) = conversion.encoding.encoder.media else { return false }
        let isMixed = parts.count > 1 || parts.contains { rendering.volume(of: $0.trackID) != nil }
        let soundFormat =
            "aformat=sample_fmts=\(isMixed ? "fltp" : audio.sampleFormat):sample_rates=\(audio.sampleRate)"
            + ":channel_layouts=\(audio.channelLayout)"
        conversion.encoding.reels = try parts.map { part in
            var reel = try Reel(
                part.timeline.slice(shownRange), soundFormat: soundFormat,
                timePitch: rendering.timePitch(of: part.trackID)
            ) { media in
                let stream = try facts.stream(of: media).0
                guard let sound = stream.audio else { return nil }
                var filters = try AudioConversion(encoding, sound, codec: stream.codec, format).filters
                (filters.sampleRate, filters.layout) = (audio.sampleRate, audio.channelLayout)
                filters.channels = AudioLayout.channels(of: audio.channelLayout)
                filters.sampleFormat = isMixed ? "fltp" : audio.sampleFormat
                let fixed = filters
                return (stream.index, { fixed.text(for: $0) })
            }
            reel.volume = rendering.volume(of: part.trackID)?.segments(over: shownRange).map { ramp in
                var moved = ramp
                moved.timeRange.start = ramp.timeRange.start - shownRange.start
                return moved
            }
            return reel
        }
        add(track, richest.stream, conversion)
        return true
    }

    mutating func add(_ track: TrackDescription, _ stream: StreamInfo, _ conversion: TrackConversion) {
        conversions.append((tracks.count, conversion))
        append(
            track, .encoding(conversion.encoding), conversion.traits, codec: conversion.summary.codec,
            details: conversion.summary.details, bitRate: conversion.summary.bitRate,
            changes: conversion.summary.videoChanges)
    }

    /// What is exported of the composition.
    var shownRange: CMTimeRange { planner.shown(range) }

    func refusalOfCopies() -> AVError {
        AVError(
            .operationNotSupportedForPreset,
            reason: "pieces of a composition are all kept as they are or all encoded; presets such as passthrough, "
                + "high and hevc-high do that")
    }
}

/// What the demuxers say of a composition's files, asked once for each.
struct MediaFacts {
    private var known: [CompositionMedia: (StreamInfo, StreamTraits)] = [:]

    mutating func stream(of media: CompositionMedia) throws -> (StreamInfo, StreamTraits) {
        if let known = known[media] { return known }
        let index = try media.track().streamIndex
        let demuxer = try media.source.checkOut()
        defer { media.source.checkIn(demuxer) }
        guard demuxer.streams.indices.contains(index) else {
            throw AVError(.noSourceTrack, reason: "\(media.url.lastPathComponent) has no track \(media.trackID)")
        }
        let facts = (demuxer.streams[index], demuxer.traits(ofStream: index))
        known[media] = facts
        return facts
    }

    /// The pictures of a file as a track of a composition shows them.
    mutating func pictures(of media: CompositionMedia, in part: CompositionContent.Track) throws -> VideoSource {
        let (stream, traits) = try stream(of: media)
        var track = try media.track()
        try media.source.checkIsDecodable(track)
        try ExportPreset.checkDecoder(of: stream)
        if !part.turnsMedia { track.video?.turn(by: part.preferredTransform) }
        guard var source = VideoSource(track, stream, traits) else {
            throw AVError(.operationNotSupportedForAsset, reason: "the size of the pictures is unknown")
        }
        if !part.turnsMedia { source.displayMatrix = part.preferredTransform.displayMatrix }
        return source
    }
}

extension CompositionContent.Track {
    /// Each file's track once, in the order in which they are shown.
    var medias: [CompositionMedia] {
        var seen: Set<CompositionMedia> = []
        return timeline.segments.compactMap(\.media).filter { seen.insert($0).inserted }
    }
}

extension Reel {
    /// The pieces that a track of a composition consists of.
    ///
    /// - Parameters:
    ///   - soundFormat: The filter after those that change the speed of sound, which change its format too.
    ///   - timePitch: How the speed of sound is changed.
    ///   - clip: The stream of a file's track, and what makes of it what all pieces are.
    init(
        _ segments: [TrackTimeline<CompositionMedia>.Segment], context: CMTime = .zero, soundFormat: String? = nil,
        timePitch: AVAudioTimePitchAlgorithm = .spectral,
        clip: (CompositionMedia) throws -> (stream: Int, filters: @Sendable (FrameFormat) -> String)?
    ) rethrows {
        pieces = try segments.map { segment in
            guard let media = segment.media, let (stream, filters) = try clip(media) else {
                return Piece(clip: nil, target: segment.target)
            }
            var new = Clip(
                source: media.source, stream: stream, range: segment.source, filters: filters, context: context)
            if let soundFormat, segment.isScaled {
                let tempo = SoundTempo(
                    from: segment.source.duration, to: segment.target.duration, keepsPitch: timePitch != .varispeed)
                new.filters = { (tempo.filters(for: $0) + [filters($0), soundFormat]).joined(separator: ",") }
            }
            return Piece(clip: new, target: segment.target)
        }
        // A track ends with media.
        while pieces.last?.clip == nil, !pieces.isEmpty { pieces.removeLast() }
    }
}

/// Sound that is made faster or slower.
struct SoundTempo {
    private let speed: Double
    /// Whether the pitch stays as it is, rather than changing with the speed.
    private let keepsPitch: Bool

    init(from old: CMTime, to new: CMTime, keepsPitch: Bool) {
        (speed, self.keepsPitch) = (old.seconds / new.seconds, keepsPitch)
    }

    /// FFmpeg's filters.
    func filters(for format: FrameFormat) -> [String] {
        guard !keepsPitch, case .audio(let sound) = format else { return tempo }
        let rate = Double(sound.sampleRate) * speed
        return ["asetrate=\(Int(max(1, min(rate, 10_000_000)).rounded()))", "aresample=\(sound.sampleRate)"]
    }

    /// One filter takes from half to a hundred times.
    private var tempo: [String] {
        var (left, filters) = (speed, [String]())
        while left < 0.5 {
            filters.append("atempo=0.5")
            left *= 2
        }
        while left > 100 {
            filters.append("atempo=100")
            left /= 100
        }
        return filters + ["atempo=\(left)"]
    }
}

extension TrackEncoding {
    /// Tells times so finely that pictures of all files, and the pieces' beginnings, are told exactly, as far as that
    /// is possible.
    mutating func refineTicks(for reel: Reel, of timings: [FrameTiming]) {
        guard case .video(var video) = encoder.media, video.timeBase.numerator == 1 else { return }
        var ticks = UInt64(video.timeBase.denominator)
        let bases = timings.map { UInt64($0.encodingTimeBase.denominator.magnitude) }
        let stretched = reel.pieces.compactMap(\.stretchDenominator).flatMap { divisor in
            bases.map { $0.multipliedReportingOverflow(by: divisor).partialValue }
        }
        let wanted = bases + reel.pieces.map { UInt64($0.target.start.timescale.magnitude) } + stretched
        for scale in wanted where scale > 0 && scale <= Self.finestTicks {
            let common = leastCommonMultiple(ticks, scale)
            if common <= Self.finestTicks { ticks = common }
        }
        video.timeBase = TimeBase(numerator: 1, denominator: Int32(ticks))
        encoder.media = .video(video)
    }

    /// Encoders and containers count in 32 bits.
    private static var finestTicks: UInt64 { 10_000_000 }
}

extension AudioInfo {
    /// Whether another sound has no more channels, and of as many no higher rate.
    fileprivate func isAsRich(as other: AudioInfo) -> Bool {
        (channels, sampleRate) >= (other.channels, other.sampleRate)
    }
}
