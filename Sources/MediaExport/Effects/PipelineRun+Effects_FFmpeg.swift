internal import FFmpegKit
internal import MediaConcurrency

/// What effects come to in one pass.
extension PipelineRun {
    /// What takes the sound of a track: its encoder, after what is done to it.
    func outlet(
        _ encoding: TrackEncoding, _ encoder: sending Encoder, track index: Int, _ mux: MuxPort
    ) -> sending any SoundOutlet {
        let encoded = EncodedSound(encoder, track: index, mux: mux)
        var effects = encoding.effects
        guard !effects.isEmpty else { return encoded }
        let found = loudness(ofTrack: index, effects)
        if let found { effects.gain *= Float(found.gain) }
        return EffectedSound(encoded, effects, peak: found?.limits == true ? TrackLoudness.highestSample : nil)
    }

    private func loudness(ofTrack index: Int, _ effects: TrackEffects) -> (gain: Double, limits: Bool)? {
        guard case .second(_, let found) = pass, let target = effects.loudness else { return nil }
        return found.loudness[index]?.gain(to: target)
    }

    /// Notes how loud a track was that was to become as loud as said.
    func noteLoudness(ofTrack index: Int, in result: inout PipelineResult.Track) {
        guard case .second(_, let found) = pass, case .encoding(let encoding) = job.tracks[index].treatment else {
            return
        }
        result.loudness = found.loudness[index]
        result.limitsPeaks = loudness(ofTrack: index, encoding.effects)?.limits ?? false
    }
}

extension AudioSettings {
    /// Ticks of a sample.
    var timeBase: TimeBase { TimeBase(numerator: 1, denominator: Int32(clamping: max(1, sampleRate))) }
}
