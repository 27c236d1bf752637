internal import AssetReadWrite
internal import Foundation
public import MediaAsset
public import MediaCore

extension AVAsset {
    /// The waveform of the sound of a track.
    ///
    /// Where the film has a gap, and before a track that begins late, there is silence.
    ///
    /// Beyond AVFoundation.
    ///
    /// - Parameters:
    ///   - settings: How fine it is.
    ///   - range: Of which part, on the asset's timeline; `nil` for all.
    ///   - trackID: The track's number; `nil` for the one that players play.
    ///   - allowsDamagedMedia: Whether damaged sound, and a file that ends early, are no errors.
    ///   - progress: Called with how much of it is done, from 0 to 1.
    /// - Throws: `WaveformSettingsError` for settings that make no sense; what decoding fails with, as
    ///   `AssetSound.Iterator.next()` tells; `CancellationError`.
    /// - Complexity: Decodes all of the sound once; memory grows with the number of points.
    public func waveform(
        _ settings: WaveformSettings, in range: CMTimeRange? = nil, trackID: CMPersistentTrackID? = nil,
        allowsDamagedMedia: Bool = false, progress: (Double) -> Void = { _ in }
    ) async throws -> Waveform {
        try settings.check()
        let duration = try await load(.duration)
        let start = range?.start ?? .zero
        let end = range.map { CMTimeMinimum($0.end, duration) } ?? duration
        var builder: WaveformBuilder?
        var reached: Int64 = 0
        for try await piece in sound(in: range, trackID: trackID, allowsDamagedMedia: allowsDamagedMedia) {
            let rate = CMTimeScale(clamping: piece.sampleRate)
            func samples(_ time: CMTime) -> Int64 {
                time.isNumeric ? time.convertScale(rate, method: .roundHalfAwayFromZero).value : 0
            }
            if builder == nil {
                builder = try WaveformBuilder(
                    sampleRate: piece.sampleRate, channels: piece.channelCount, settings: settings,
                    sampleCount: Int(max(1, samples(end - start))))
            }
            let gap = samples(piece.time - start) - reached
            if gap > 0 { try builder?.addSilence(samples: Int(gap)) }
            try piece.withChannels { channels in try builder?.add(channels: channels) }
            reached += max(0, gap) + Int64(piece.sampleCount)
            if end > start { progress(min(1, (piece.time - start).seconds / (end - start).seconds)) }
        }
        guard let waveform = builder.take()?.finish() else {
            throw AVError(.noSourceTrack, reason: "there is no sound there")
        }
        return waveform
    }
}
