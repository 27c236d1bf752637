internal import FFmpegKit
internal import Foundation
internal import MediaAsset
internal import MediaCore
internal import MediaEngine

/// What effects come to for each track.
extension PipelinePlanner {
    /// Completes what is encoded: which tracks are analysed first, and what is done to them.
    ///
    /// - Parameter duration: Of the new file.
    mutating func applyEffects(_ duration: CMTime) throws {
        let effects = request.effects
        let fades = try fades(duration)
        try checkEffectsAreDone()
        for place in conversions.indices {
            var encoding = conversions[place].conversion.encoding
            encoding.isAnalyzed = conversions[place].conversion.passes > 1
            encoding.effects.fades = fades
            switch encoding.encoder.media {
            case .audio:
                switch effects.volume {
                case .decibels(let decibels): encoding.effects.gain = Float(pow(10, decibels / 20))
                case .loudness(let target): encoding.effects.loudness = target
                case nil: break
                }
            case .video(let video):
                guard effects.changesPictures else { break }
                guard encoding.paletteFilters == nil else {
                    throw AVError(
                        .operationNotSupportedForAsset,
                        reason: "pictures that share a palette, as of a GIF, cannot be faded or have another one over "
                            + "them")
                }
                encoding.effects.patch = try effects.overlay?.patch(for: video)
            }
            conversions[place].conversion.encoding = encoding
            tracks[conversions[place].track].treatment = .encoding(encoding)
        }
    }

    /// What effects have nothing to work on.
    var effectWarnings: [String] {
        let kinds = Set(shown.map(\.mediaType))
        var warnings: [String] = []
        if request.effects.volume != nil, !kinds.contains(.audio) {
            warnings.append("there is no sound in the new file whose volume could change")
        }
        if request.effects.overlay != nil, !kinds.contains(.video) {
            warnings.append("there are no pictures in the new file that something could be laid over")
        }
        return warnings
    }

    /// How much is left of pictures and sound over time.
    private func fades(_ duration: CMTime) throws -> RampTimeline<Float> {
        let (length, end) = (request.effects.fadeInDuration, request.effects.fadeOutDuration)
        var fades = RampTimeline(initial: Float(1))
        guard length > .zero || end > .zero else { return fades }
        guard duration.isNumeric else {
            throw AVError(
                .operationNotSupportedForAsset, reason: "it is not known when the film ends, which is to be faded")
        }
        guard length + end <= duration else {
            throw AVError(
                .incorrectlyConfigured,
                reason: "fades of \(length.secondsText()) s and \(end.secondsText()) s do not fit into "
                    + "\(duration.durationText()) s")
        }
        if length > .zero {
            fades.setRamp(from: 0, to: 1, during: CMTimeRange(start: .zero, duration: length))
        }
        if end > .zero { fades.setRamp(from: 1, to: 0, during: CMTimeRange(start: duration - end, end: duration)) }
        return fades
    }

    /// Fails if something is to be changed that is kept as it is.
    private func checkEffectsAreDone() throws {
        let effects = request.effects
        for (track, shown) in zip(tracks, shown) {
            guard case .passthrough = track.treatment else { continue }
            let isChanged =
                shown.mediaType == .video && effects.changesPictures
                || shown.mediaType == .audio && effects.changesSound
            guard isChanged else { continue }
            throw Self.refusalOfRendering("track \(shown.trackID) (\(shown.mediaType.name))", by: preset)
        }
    }

    /// - Parameter kept: What is to be changed and stays as it is.
    static func refusalOfRendering(_ kept: String, by preset: ExportPreset) -> AVError {
        AVError(
            .operationNotSupportedForPreset,
            reason: "the preset \(preset.name) does not encode \(kept) anew, as is needed to compose, mix or fade, to "
                + "change the volume, or to lay a picture over; presets such as high and hevc-high do")
    }
}

extension ExportEffects {
    /// Whether there are none.
    var isEmpty: Bool { !changesPictures && !changesSound }

    fileprivate var fades: Bool { fadeInDuration > .zero || fadeOutDuration > .zero }
    var changesPictures: Bool { fades || overlay != nil }
    var changesSound: Bool { fades || volume != nil }

    /// Fails for values that mean nothing.
    func check() throws {
        func refusal(_ reason: String) -> AVError { AVError(.incorrectlyConfigured, reason: reason) }
        for length in [fadeInDuration, fadeOutDuration] where !length.isNumeric || length < .zero {
            throw refusal("a fade lasts a numeric time of zero or more")
        }
        switch volume {
        case .decibels(let decibels) where !(-100...100 ~= decibels):
            throw refusal("sound can become at most 100 dB louder or quieter")
        case .loudness(let target) where !(-70...0 ~= target):
            throw refusal("sound can be made as loud as -70 to 0 LUFS")
        default: break
        }
        guard let overlay else { return }
        guard 0...1 ~= overlay.opacity else { throw refusal("an overlay's opacity lies between 0 and 1") }
        if let width = overlay.relativeWidth, !(width > 0 && width <= 1) {
            throw refusal("an overlay is wider than nothing and no wider than the pictures")
        }
        if case .share(let x, let y) = overlay.position, !(0...1 ~= x && 0...1 ~= y) {
            throw refusal("an overlay lies within the pictures")
        }
    }
}
