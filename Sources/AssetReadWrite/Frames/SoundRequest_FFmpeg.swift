internal import FFmpegKit
package import MediaAsset
internal import MediaCore
package import MediaEngine

/// A request for the sound of an asset.
struct SoundRequest: Sendable {
    let asset: AVAsset
    let trackID: CMPersistentTrackID?
    let timeRange: CMTimeRange?
    let sampleRate: Int?
    let channels: Int?
    let allowsDamage: Bool

    private var source: AssetSource { asset.source }

    /// Opens the film.
    ///
    /// - Returns: What gives its sound.
    func open(_ cancellation: Cancellation) throws -> () throws -> SoundPiece? {
        do {
            let feed = try openFeed(cancellation)
            return {
                do {
                    return try feed.next().map { SoundPiece($0) }
                } catch {
                    throw readerError(for: error)
                }
            }
        } catch {
            throw readerError(for: error)
        }
    }

    private func openFeed(_ cancellation: Cancellation) throws -> any SoundFeeding {
        try source.checkFilesAreOwn()
        let track = try source.soundTrack(trackID)
        if let sampleRate, !(1...10_000_000).contains(sampleRate) {
            throw AVError(.incorrectlyConfigured, reason: "sound cannot have \(sampleRate) samples in a second")
        }
        var form = SoundForm(sampleRate: sampleRate, sampleFormat: "fltp")
        if let channels, channels != track.audio?.channels {
            guard let name = ChannelNames.usual[channels] else {
                throw AVError(.incorrectlyConfigured, reason: "sound cannot be made to have \(channels) channels")
            }
            form.channelLayout = name
        }
        if source.composition != nil {
            return try ComposedSoundFeed(
                ComposedRequest(
                    asset, trackIDs: [track.trackID], range: timeRange, allowsDamage: allowsDamage,
                    cancellation: cancellation),
                form: form)
        }
        return try SoundFeed(
            track, of: source, range: timeRange, form: form, allowsDamage: allowsDamage, cancellation: cancellation)
    }
}

extension SoundPiece {
    fileprivate init(_ sound: FedSound) {
        let frame = sound.frame
        (time, sampleRate) = (sound.start, frame.sampleRate)
        (sampleCount, channelCount) = (frame.sampleCount, frame.channels)
        samples = frame.withSamples { planes in
            planes.flatMap { Array($0.bindMemory(to: Float.self)) }
        }
    }
}
