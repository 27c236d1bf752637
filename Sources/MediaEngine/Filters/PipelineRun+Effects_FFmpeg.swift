package import FFmpegKit
internal import MediaCore

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
        guard let found, found.limits else { return EffectedSound(encoded, effects) }
        return EffectedSound(
            encoded, effects, highest: found.highestSample,
            meter: LoudnessMeter(timeBase: encoded.timeBase, found: reached[index]))
    }

    /// What measures how loud a track is once it is faded.
    func meter(
        _ encoding: TrackEncoding, _ audio: AudioSettings, _ found: LoudnessRecord, _ progress: ProgressReport
    ) -> sending any SoundOutlet {
        let meter = LoudnessMeter(timeBase: audio.timeBase, found: found, progress: progress)
        var fades = TrackEffects()
        fades.fades = encoding.effects.fades
        return fades.isEmpty ? meter : EffectedSound(meter, fades)
    }

    private func loudness(
        ofTrack index: Int, _ effects: TrackEffects
    ) -> (gain: Double, limits: Bool, highestSample: Double)? {
        guard case .second(_, let found) = pass, let target = effects.loudness, let loudness = found.loudness[index]
        else { return nil }
        let (gain, limits) = loudness.gain(to: target)
        return (gain, limits, loudness.highestSample)
    }

    /// Notes how loud a track was that was to become as loud as said.
    func noteLoudness(ofTrack index: Int, in result: inout PipelineResult.Track) {
        guard case .second(_, let found) = pass, case .encoding(let encoding) = job.tracks[index].treatment else {
            return
        }
        result.loudness = found.loudness[index]
        guard loudness(ofTrack: index, encoding.effects)?.limits == true else { return }
        result.reachedLoudness = reached[index].value
    }
}

extension AudioSettings {
    /// Ticks of a sample.
    package var timeBase: TimeBase { TimeBase(numerator: 1, denominator: Int32(clamping: max(1, sampleRate))) }
}
