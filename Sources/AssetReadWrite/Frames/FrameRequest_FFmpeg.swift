internal import FFmpegKit
internal import Foundation
internal import MediaAsset
internal import MediaCore
internal import MediaEngine
internal import SampleBuffers

/// A request for the pictures of an asset.
struct FrameRequest: Sendable {
    let asset: AVAsset
    let trackID: CMPersistentTrackID?
    let timeRange: CMTimeRange?
    let interval: CMTime?
    let width: Int?
    let height: Int?
    let pixelFormat: OSType?
    let isStored: Bool
    let allowsDamage: Bool

    private var source: AssetSource { asset.source }

    /// Opens the film.
    ///
    /// - Returns: What gives its pictures.
    func open(_ cancellation: Cancellation) throws -> () throws -> AssetFrame? {
        do {
            return try openFeed(cancellation)
        } catch {
            throw readerError(for: error)
        }
    }

    private func openFeed(_ cancellation: Cancellation) throws -> () throws -> AssetFrame? {
        try source.checkFilesAreOwn()
        if let interval, !interval.isNumeric || interval <= .zero {
            throw AVError(
                .incorrectlyConfigured, reason: "pictures are wanted at a distance above zero, not \(interval)")
        }
        let samples = try pixelFormat.map { code throws in
            guard let samples = PixelSamples(code) else {
                throw AVError(
                    .incorrectlyConfigured, reason: "pictures cannot be had in the pixel format \(fourCharacters(code))"
                )
            }
            return samples
        }
        let track = try source.pictureTrack(trackID)
        let isComposed = source.composition != nil
        let feed = try isComposed ? composedFeed(track, samples, cancellation) : feed(track, samples, cancellation)
        let isAsWide = isStored || isComposed
        let buffers = PictureBuffers(
            .init(
                samples: samples.map { [$0] } ?? [], width: isAsWide ? width : nil, height: isAsWide ? height : nil))
        let attachments = PictureAttachments(isComposed ? nil : CMFormatDescription(track: track))
        var spacing = FrameSpacing(interval, from: timeRange?.start)
        var waiting: [AssetFrame] = []
        return {
            do {
                while waiting.isEmpty {
                    guard let picture = try feed.next() else { return nil }
                    let times = spacing.times(in: picture.timeRange)
                    for time in times {
                        let buffer = try buffers.buffer(of: picture.frame)
                        attachments.attach(to: buffer, of: picture.frame)
                        waiting.append(
                            AssetFrame(
                                pixelBuffer: buffer, time: time, presentationTime: picture.timeRange.start,
                                duration: picture.timeRange.duration))
                    }
                }
                return waiting.removeFirst()
            } catch {
                throw readerError(for: error)
            }
        }
    }

    /// The pictures of a file's track.
    private func feed(
        _ track: TrackDescription, _ samples: PixelSamples?, _ cancellation: Cancellation
    ) throws -> any PictureFeeding {
        let stored = try PictureFeed(
            track, of: source, range: timeRange, allowsDamage: allowsDamage, cancellation: cancellation)
        guard !isStored else { return stored }
        return try ShownPictureFeed(
            stored, ShownForm(width: width, height: height, pixelFormat: samples?.filterName))
    }

    /// The pictures of a composition's track: as an export has them, or drawn upright.
    private func composedFeed(
        _ track: TrackDescription, _ samples: PixelSamples?, _ cancellation: Cancellation
    ) throws -> any PictureFeeding {
        var request = ComposedRequest(
            asset, trackIDs: [track.trackID], range: timeRange, allowsDamage: allowsDamage, cancellation: cancellation)
        if !isStored {
            let upright = AVMutableVideoComposition(propertiesOf: try asset.composed(ofTracks: [track.trackID]))
            upright.sourceTrackIDForFrameTiming = track.trackID
            request.rendering.composing = VideoComposing(upright)
        }
        return try ComposedPictureFeed(request, samples: samples.map { [$0] } ?? [])
    }
}

extension AssetSource {
    /// The track of pictures that is meant.
    ///
    /// - Parameter trackID: Its number; `nil` for the one that players show.
    func pictureTrack(_ trackID: CMPersistentTrackID?) throws -> TrackDescription {
        try track(trackID, of: .video, "pictures")
    }

    /// The track of sound that is meant.
    ///
    /// - Parameter trackID: Its number; `nil` for the one that players play.
    func soundTrack(_ trackID: CMPersistentTrackID?) throws -> TrackDescription {
        try track(trackID, of: .audio, "sound")
    }

    private func track(
        _ trackID: CMPersistentTrackID?, of mediaType: AVMediaType, _ what: String
    ) throws -> TrackDescription {
        let description = try describe()
        let tracks = description.tracks.filter { $0.mediaType == mediaType }
        let usual = mediaType == .video ? description.videoTrack : tracks.first(where: \.isEnabled) ?? tracks.first
        guard let track = trackID.map({ id in tracks.first { $0.trackID == id } }) ?? usual else {
            throw AVError(
                .noSourceTrack,
                reason: trackID.map { "there is no track \($0) of \(what)" } ?? "there is no track of \(what)")
        }
        return track
    }
}

/// Tells for which times a picture is wanted.
struct FrameSpacing {
    private let interval: CMTime?
    /// The start of the times at even distances; `nil` for where the first picture begins.
    private var start: CMTime?
    private var count: Int32 = 0

    init(_ interval: CMTime?, from start: CMTime?) { (self.interval, self.start) = (interval, start) }

    /// The times that a picture is wanted for, of those at which it is shown.
    mutating func times(in range: CMTimeRange) -> [CMTime] {
        guard let interval else { return [max(range.start, start ?? range.start)] }
        let start = start ?? range.start
        self.start = start
        var times: [CMTime] = []
        while true {
            let due = start + CMTimeMultiply(interval, multiplier: count)
            guard due.isNumeric, due < range.end, count < .max else { return times }
            times.append(due)
            count += 1
        }
    }
}

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
