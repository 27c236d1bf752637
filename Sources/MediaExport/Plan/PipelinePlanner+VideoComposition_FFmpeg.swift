internal import FFmpegKit
internal import Foundation
internal import MediaAsset
internal import MediaCore
internal import SampleBuffers

/// Pictures that are composed of those of several tracks.
extension PipelinePlanner {
    /// Adds the track of composed pictures, if the request says how they are composed.
    ///
    /// - Returns: Whether there is such a track in the new file.
    mutating func addComposedPictures(_ content: CompositionContent, _ facts: inout MediaFacts) throws -> Bool {
        guard let composing = request.rendering.composing else { return false }
        let composition = composing.composition.configuration
        let tracks = asset.tracks.filter { $0.mediaType == .video }
        guard var encoding = preset.videoEncoding else {
            guard preset.video == .none else { throw Self.refusalOfRendering("pictures", by: preset) }
            for track in tracks { lose(track, "the preset makes no pictures") }
            return false
        }
        try composition.check(trackIDs: Set(tracks.map(\.trackID)), over: shownRange)
        let compositor = try composing.compositor()
        let drawn = composition.trackIDs(over: shownRange, among: Set(tracks.map(\.trackID)))
        for track in tracks where !drawn.contains(track.trackID) {
            lose(track, "no layer of the video composition shows it")
        }
        let parts = content.tracks.filter { drawn.contains($0.trackID) && $0.firstMedia != nil }
        guard let main = parts.first, let first = main.firstMedia,
            let track = tracks.first(where: { $0.trackID == main.trackID })
        else {
            throw AVError(.invalidVideoComposition, reason: "no layer of the video composition shows anything")
        }
        let sources = try parts.map { part in
            try part.medias.map { (media: $0, source: try facts.pictures(of: $0, in: part)) }
        }
        guard let source = sources.first?.first?.source else { return false }
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
        if case .video(let video) = conversion.encoding.encoder.media {
            losses += composition.colorLosses(of: video, track.trackID)
        }
        let layers = try zip(parts, sources).map { part, sources in
            try layer(part, sources, model, &facts)
        }
        conversion.encoding.canvas = PictureCanvas(
            composition: composition, compositor: compositor, layers: layers,
            timing: canvas.pace(limit: conversion.encoding.rateLimit),
            width: canvas.width, height: canvas.height, start: shownRange.start, duration: shownRange.duration,
            keepsAlpha: composition.hasClearBackground && conversion.encoding.hasAlpha)
        conversion.encoding.rateLimit = nil
        for (part, layer) in zip(parts, layers) {
            conversion.encoding.refineTicks(
                for: layer.reel, of: try part.medias.map { FrameTiming(try facts.stream(of: $0).0) } + [canvas.timing])
        }
        add(track, stream, conversion)
        return true
    }

    /// The pictures of one track as they are drawn.
    private func layer(
        _ part: CompositionContent.Track, _ sources: [(media: CompositionMedia, source: VideoSource)],
        _ model: VideoConversion, _ facts: inout MediaFacts
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
        let reel = try Reel(part.timeline.slice(shownRange), context: context) { media in
            guard let own = filters[media] else { return nil }
            return (try facts.stream(of: media).0.index, { own.text(for: $0) })
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

    /// The colours that are asked for and not made: those of the sources stay as they are.
    fileprivate func colorLosses(of video: VideoSettings, _ trackID: CMPersistentTrackID) -> [ExportLoss] {
        typealias Value = CMFormatDescription.Extensions.Value
        let facts = [
            ("primaries", colorPrimaries, Value.ColorPrimaries(video.color.primaries)?.rawValue as String?),
            (
                "transfer function", colorTransferFunction,
                Value.TransferFunction(video.color.transferFunction)?.rawValue as String?
            ),
            ("matrix", colorYCbCrMatrix, Value.YCbCrMatrix(video.color.yCbCrMatrix)?.rawValue as String?),
        ]
        return facts.compactMap { name, wanted, made in
            guard let wanted, let made, wanted != made else { return nil }
            return ExportLoss(
                .media, "the \(name) \(wanted) of the video composition",
                reason: "colours stay those of the sources, \(made)", effect: .changed, trackID: trackID, trait: .color)
        }
    }
}
