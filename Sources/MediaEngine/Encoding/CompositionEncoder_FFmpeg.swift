package import FFmpegKit
internal import Foundation
package import MediaAsset
package import MediaCore
internal import SampleBuffers

/// Works out how tracks of a composition are encoded: what each of their pieces goes through to become like the others.
///
/// Reading a composition begins with the same: what would be encoded is taken before it is.
package struct CompositionEncoder {
    /// What a track becomes.
    package struct Encoded {
        /// What the demuxer says of the first media, or the richest.
        let stream: StreamInfo
        /// How it is encoded.
        package let conversion: TrackConversion
    }

    private let content: CompositionContent
    /// What is encoded, on the composition's timeline.
    private let range: CMTimeRange
    private let format: ContainerFormat
    private let rendering: ExportRendering
    /// Whether pictures are turned themselves, although the file could say that they are.
    private let turnsPixels: Bool
    private var facts = MediaFacts()

    package init(
        _ content: CompositionContent, range: CMTimeRange, to format: ContainerFormat, _ rendering: ExportRendering,
        turnsPixels: Bool = false
    ) {
        (self.content, self.range, self.format) = (content, range, format)
        (self.rendering, self.turnsPixels) = (rendering, turnsPixels)
    }

    // MARK: Pictures

    /// - Returns: `nil` for a track without media.
    package mutating func pictures(
        of part: CompositionContent.Track, as encoding: VideoEncoding
    ) throws -> Encoded? {
        var encoding = encoding
        var sources: [CompositionMedia: VideoSource] = [:]
        for media in part.medias { sources[media] = try facts.pictures(of: media, in: part) }
        guard let first = part.firstMedia, let source = sources[first] else { return nil }
        // What is not HDR cannot become so; what is can become like the others.
        if source.isHDR, sources.values.contains(where: { !$0.isHDR }) { encoding.dynamicRange = .standard }
        let model = try VideoConversion(
            encoding, source, format, turnsPixels: part.turnsMedia || turnsPixels)
        let (stream, traits) = try facts.stream(of: first)
        var conversion = try model.resolved(traits)
        guard conversion.encoding.paletteFilters == nil else {
            throw AVError(
                .operationNotSupportedForAsset, reason: "pictures of a composition cannot share a palette, as of a GIF")
        }
        var clips: [CompositionMedia: VideoFilters] = [:]
        for (media, source) in sources {
            let clip = try VideoConversion(source, joining: model)
            clips[media] = clip.filters(joining: model)
            if clip.isToneMapped { conversion.summary.note(.toneMapped) }
        }
        let reel = try Reel(
            part.timeline.slice(range), context: conversion.encoding.context
        ) { media in
            guard let filters = clips[media] else { return nil }
            return (
                try facts.stream(of: media).0.index,
                { format throws(FFmpegError) in try filters.description(for: format) }
            )
        }
        conversion.encoding.reels = [reel]
        if let maximum = encoding.maximumFrameRate, reel.pieces.contains(where: { $0.stretchDenominator != nil }) {
            conversion.encoding.rateLimit = nil
            conversion.encoding.reelLimit = .atMost(Ratio(Int32((maximum * 1000).rounded()), 1000))
        }
        conversion.encoding.refineTicks(for: reel, of: try part.medias.map { FrameTiming(try facts.stream(of: $0).0) })
        return Encoded(stream: stream, conversion: conversion)
    }

    // MARK: Sound

    /// - Parameter parts: The track, and those that are mixed with it.
    /// - Returns: `nil` for tracks without media.
    package mutating func sound(
        of parts: [CompositionContent.Track], as encoding: AudioEncoding
    ) throws -> Encoded? {
        var richest: (media: CompositionMedia, stream: StreamInfo, traits: StreamTraits, sound: AudioInfo)?
        for media in parts.flatMap(\.medias) {
            let (stream, traits) = try facts.stream(of: media)
            try stream.checkHasDecoder()
            guard let sound = stream.audio else { continue }
            if let richest, richest.sound.isAsRich(as: sound) { continue }
            richest = (media, stream, traits, sound)
        }
        guard let richest else { return nil }
        let model = try AudioConversion(
            encoding, richest.sound, codec: richest.stream.codec, format, isJoined: true)
        var conversion = model.resolved(richest.traits)
        guard case .audio(let audio) = conversion.encoding.encoder.media else { return nil }
        let isMixed = parts.count > 1 || parts.contains { rendering.volume(of: $0.trackID) != nil }
        let soundFormat =
            "aformat=sample_fmts=\(isMixed ? "fltp" : audio.sampleFormat):sample_rates=\(audio.sampleRate)"
            + AudioLayout.option(audio.channelLayout)
        conversion.encoding.reels = try parts.map { part in
            var reel = try Reel(
                part.timeline.slice(range), soundFormat: soundFormat,
                timePitch: rendering.timePitch(of: part.trackID)
            ) { media in
                let stream = try facts.stream(of: media).0
                guard let sound = stream.audio else { return nil }
                var filters = try AudioConversion(
                    encoding, sound, codec: stream.codec, format, isJoined: true
                ).filters
                (filters.sampleRate, filters.layout) = (audio.sampleRate, audio.channelLayout)
                filters.channels = AudioLayout.channels(of: audio.channelLayout)
                filters.sampleFormat = isMixed ? "fltp" : audio.sampleFormat
                let fixed = filters
                return (stream.index, { fixed.description(for: $0) })
            }
            reel.volume = rendering.volume(of: part.trackID)?.segments(over: range).map { ramp in
                var moved = ramp
                moved.timeRange.start = ramp.timeRange.start - range.start
                return moved
            }
            return reel
        }
        return Encoded(stream: richest.stream, conversion: conversion)
    }

    // MARK: Composed pictures

    /// The pictures that a video composition makes of those of several tracks.
    ///
    /// - Parameter tracks: The composition's tracks of pictures.
    /// - Returns: The track that comes first among those that are drawn, and what becomes of it; `nil` for no sources.
    package mutating func composedPictures(
        of tracks: [TrackDescription], by composing: VideoComposing, as encoding: VideoEncoding
    ) throws -> (track: TrackDescription, encoded: Encoded)? {
        var encoding = encoding
        let composition = composing.composition.configuration
        try composition.check(trackIDs: Set(tracks.map(\.trackID)), over: range)
        let compositor = try composing.compositor()
        let drawn = composition.trackIDs(over: range, among: Set(tracks.map(\.trackID)))
        let parts = content.tracks.filter { drawn.contains($0.trackID) && $0.firstMedia != nil }
        guard let main = parts.first, let first = main.firstMedia,
            let track = tracks.first(where: { $0.trackID == main.trackID })
        else {
            throw AVError(.invalidVideoComposition, reason: "no layer of the video composition shows anything")
        }
        let sources = try parts.map { part in
            try part.medias.map { (media: $0, source: try facts.pictures(of: $0, in: part)) }
        }
        guard let source = sources.first?.first?.source else { return nil }
        let all = sources.joined().map(\.source)
        if composition.asksForSDR || (source.isHDR && all.contains { !$0.isHDR }) { encoding.dynamicRange = .standard }
        let canvas = try CanvasShape(composition, content, &facts)
        var composed = source.composed(
            width: canvas.width, height: canvas.height, timing: canvas.timing, hasAlpha: composition.hasClearBackground)
        if let matrix = composition.matrix, !composed.isHDR { composed.color.yCbCrMatrix = matrix }
        let model = try VideoConversion(encoding, composed, format)
        let (stream, traits) = try facts.stream(of: first)
        var conversion = try model.resolved(traits)
        guard conversion.encoding.paletteFilters == nil else {
            throw AVError(
                .operationNotSupportedForAsset, reason: "composed pictures cannot share a palette, as of a GIF")
        }
        let layers = try zip(parts, sources).map { part, sources in
            try layer(part, sources, model)
        }
        conversion.encoding.canvas = PictureCanvas(
            composition: composition, compositor: compositor, layers: layers,
            timing: canvas.pace(limit: conversion.encoding.rateLimit),
            width: canvas.width, height: canvas.height, start: range.start, duration: range.duration,
            keepsAlpha: composition.hasClearBackground && conversion.encoding.hasAlpha)
        conversion.encoding.rateLimit = nil
        for (part, layer) in zip(parts, layers) {
            conversion.encoding.refineTicks(
                for: layer.reel, of: try part.medias.map { FrameTiming(try facts.stream(of: $0).0) } + [canvas.timing])
        }
        return (track, Encoded(stream: stream, conversion: conversion))
    }

    /// The pictures of one track as they are drawn.
    private mutating func layer(
        _ part: CompositionContent.Track, _ sources: [(media: CompositionMedia, source: VideoSource)],
        _ model: VideoConversion
    ) throws -> PictureCanvas.Layer {
        let first = sources[0].source
        func turn(_ source: VideoSource) -> PictureTurn { part.turnsMedia ? source.turn : PictureTurn() }
        let size = FrameSizing(
            width: first.aperture.width, height: first.aperture.height,
            sampleAspect: (Int(first.sampleAspect.numerator), Int(first.sampleAspect.denominator)), isScaled: false)
        var filters: [CompositionMedia: VideoFilters] = [:]
        for (media, source) in sources {
            let swaps = turn(source).swapsAxes != turn(first).swapsAxes
            filters[media] = VideoConversion(
                source, layerOf: model, size: swaps ? size.turned : size, turn: turn(source)
            ).filters(layeredLike: first)
        }
        let context = sources.contains { $0.source.isInterlaced } ? CMTime(value: 1, timescale: 1) : .zero
        let reel = try Reel(part.timeline.slice(range), context: context) { media in
            guard let own = filters[media] else { return nil }
            return (
                try facts.stream(of: media).0.index, { format throws(FFmpegError) in try own.description(for: format) }
            )
        }
        let shown = VideoDescription.displaySize(
            of: PixelSize(width: size.width, height: size.height),
            sampleAspectRatio: AspectRatio(
                horizontal: size.sampleAspect.horizontal, vertical: size.sampleAspect.vertical),
            transform: .identity)
        let upright = turn(first).swapsAxes ? (shown.height, shown.width) : (shown.width, shown.height)
        return PictureCanvas.Layer(
            trackID: part.trackID, reel: reel, size: CGSize(width: upright.0, height: upright.1),
            hasAlpha: sources.contains { $0.source.hasAlpha || $0.source.pixels?.hasAlpha == true })
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
        try stream.checkHasDecoder()
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
    package var medias: [CompositionMedia] {
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
        clip: (CompositionMedia) throws -> (stream: Int, filters: FilterChoice)?
    ) rethrows {
        pieces = try segments.map { segment in
            guard let media = segment.media, let (stream, filters) = try clip(media) else {
                return Segment(clip: nil, target: segment.target)
            }
            var new = Clip(
                source: media.source, stream: stream, range: segment.source, filters: filters, context: context)
            if let soundFormat, segment.isScaled {
                let tempo = SoundTempo(
                    from: segment.source.duration, to: segment.target.duration, keepsPitch: timePitch != .varispeed)
                new.filters = { format throws(FFmpegError) in
                    let own = try filters(format).text
                    return FilterDescription((tempo.filters(for: format) + [own, soundFormat]).joined(separator: ","))
                }
            }
            return Segment(clip: new, target: segment.target)
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

/// The size and the times of composed pictures.
private struct CanvasShape {
    let width: Int
    let height: Int
    let timing: FrameTiming
    private let composition: AVVideoComposition.Configuration

    init(
        _ composition: AVVideoComposition.Configuration, _ content: CompositionContent, _ facts: inout MediaFacts
    ) throws {
        self.composition = composition
        // Sizes were found to be between 0 and 16384.
        (width, height) = composition.pixelSize
        let trackID = composition.sourceTrackIDForFrameTiming
        if trackID != kCMPersistentTrackID_Invalid,
            let media = content.tracks.first(where: { $0.trackID == trackID })?.firstMedia
        {
            timing = FrameTiming(try facts.stream(of: media).0)
        } else {
            timing = FrameTiming(frameDuration: composition.frameDuration)
        }
    }

    /// When pictures are composed, at a rate that may be limited.
    func pace(limit: FrameRateLimit?) -> PictureCanvas.Timing {
        let trackID = composition.sourceTrackIDForFrameTiming
        if trackID != kCMPersistentTrackID_Invalid { return .asTrack(trackID, limit: limit) }
        switch limit {
        case .oneOf(let count):
            return .every(CMTimeMultiply(composition.frameDuration, multiplier: Int32(clamping: count)))
        case .atMost(let rate):
            let shortest = CMTime(value: Int64(rate.denominator), timescale: max(1, rate.numerator))
            return .every(max(composition.frameDuration, shortest))
        case nil: return .every(composition.frameDuration)
        }
    }
}

extension FrameTiming {
    /// The timing of pictures of which each lasts so long, above zero.
    fileprivate init(frameDuration: CMTime) {
        let value = Int32(clamping: max(1, frameDuration.value))
        self.init(rate: Ratio(frameDuration.timescale, value))
    }
}

extension TrackEncoding {
    /// Whether the encoder gets pictures that may be seen through.
    fileprivate var hasAlpha: Bool {
        guard case .video(let video) = encoder.media else { return false }
        return PixelLayout.known[video.pixelFormat]?.hasAlpha ?? false
    }
}

extension AVVideoComposition.Configuration {
    /// Whether the composed pictures are not to be HDR.
    fileprivate var asksForSDR: Bool {
        guard let colorTransferFunction else { return false }
        return ![AVVideoTransferFunction_SMPTE_ST_2084_PQ, AVVideoTransferFunction_ITU_R_2100_HLG].contains(
            colorTransferFunction)
    }

    /// The matrix that the composed pictures are to be told by.
    fileprivate var matrix: MatrixCoefficients? {
        switch colorYCbCrMatrix {
        case AVVideoYCbCrMatrix_ITU_R_709_2: .bt709
        case AVVideoYCbCrMatrix_ITU_R_601_4: .smpte170M
        case AVVideoYCbCrMatrix_SMPTE_240M_1995: .smpte240M
        default: nil
        }
    }
}
