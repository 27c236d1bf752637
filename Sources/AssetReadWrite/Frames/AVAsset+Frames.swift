public import Foundation
public import MediaAsset
public import MediaCore
internal import SampleBuffers

extension AVAsset {
    /// The pictures of a track, in the order in which they are shown.
    ///
    /// ```swift
    /// for try await frame in asset.frames(in: range, format: kCVPixelFormatType_24RGB) {
    ///     frame.withPlane(0) { bytes, bytesPerRow in look(at: bytes, bytesPerRow) }
    /// }
    /// ```
    ///
    /// Pictures are given as they are meant to be seen: upright, without what lies outside the clean aperture, of square
    /// pixels, interlaced ones as frames, HDR as SDR where the format has eight bits. With `stored` they are given as the
    /// file has them.
    ///
    /// Beyond AVFoundation.
    ///
    /// - Parameters:
    ///   - range: Where, on the asset's timeline; `nil` for all. The first picture is what is shown at its start.
    ///   - interval: At which distance pictures are wanted, from the range's start on: what is shown at each of these times,
    ///     again where that is the same picture; `nil` for each picture once.
    ///   - size: In pixels. A side that is no size, as 0, is ignored: it is in proportion to the other one. `nil`, and
    ///     two of these, for the size in which the film is shown, stored pictures for their own.
    ///   - format: One of `kCVPixelFormatType_…`, as for ``AVAssetReaderTrackOutput``; `nil` for what is closest to the
    ///     film's own.
    ///   - trackID: The track's number; `nil` for the one that players show.
    ///   - stored: Whether pictures are given as the file has them.
    ///   - allowsDamagedMedia: Whether damaged pictures, and a file that ends early, are no errors.
    /// - Returns: A sequence that fails as `AssetFrames.Iterator.next()` tells, `AVError.incorrectlyConfigured` for
    ///   arguments that make no sense, `noSourceTrack` without such a track.
    public func frames(
        in range: CMTimeRange? = nil, every interval: CMTime? = nil, size: CGSize? = nil, format: OSType? = nil,
        trackID: CMPersistentTrackID? = nil, stored: Bool = false, allowsDamagedMedia: Bool = false
    ) -> AssetFrames {
        func side(_ length: CGFloat?) -> Int? {
            length.flatMap { $0 >= 1 && $0 <= CGFloat(PixelBufferLayout.longestSide) ? Int($0.rounded()) : nil }
        }
        return AssetFrames(
            request: FrameRequest(
                asset: self, trackID: trackID, timeRange: range, interval: interval, width: side(size?.width),
                height: side(size?.height), pixelFormat: format, isStored: stored,
                allowsDamage: allowsDamagedMedia))
    }

    /// The sound of a track, piece after piece.
    ///
    /// ```swift
    /// for try await piece in asset.sound(in: range, sampleRate: 16000, channels: 1) {
    ///     piece.withChannel(0) { samples in listen(to: samples) }
    /// }
    /// ```
    ///
    /// Pieces follow each other; where the file has a gap, the next one begins later.
    ///
    /// Beyond AVFoundation.
    ///
    /// - Parameters:
    ///   - range: Where, on the asset's timeline, to the sample; `nil` for all.
    ///   - sampleRate: Samples in a second, up to 10,000,000; `nil` for the film's.
    ///   - channels: How many, 1 to 8, as far as they are usual arrangements; `nil` for the film's.
    ///   - trackID: The track's number; `nil` for the one that players play.
    ///   - allowsDamagedMedia: Whether damaged sound, and a file that ends early, are no errors.
    /// - Returns: A sequence that fails as `AssetSound.Iterator.next()` tells, `AVError.incorrectlyConfigured` for
    ///   arguments that make no sense, `noSourceTrack` without such a track.
    public func sound(
        in range: CMTimeRange? = nil, sampleRate: Int? = nil, channels: Int? = nil,
        trackID: CMPersistentTrackID? = nil, allowsDamagedMedia: Bool = false
    ) -> AssetSound {
        AssetSound(
            request: SoundRequest(
                asset: self, trackID: trackID, timeRange: range, sampleRate: sampleRate, channels: channels,
                allowsDamage: allowsDamagedMedia))
    }
}
