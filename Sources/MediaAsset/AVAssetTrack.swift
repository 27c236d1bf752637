public import MediaLoading
public import MediaTime
internal import MediaTypes

/// One track of an asset.
///
/// All facts are known when the asset has been opened: `load(_:)` of a track
/// opens nothing more, but for its metadata. Times are on the asset's timeline.
///
/// - Note: AVFoundation's is an `NSObject` and not `Sendable`.
public final class AVAssetTrack: AVAsynchronousKeyValueLoading, Sendable {
    package let source: AssetSource
    package let track: TrackDescription
    package let propertyStore = PropertyStore()

    init(source: AssetSource, track: TrackDescription) {
        self.source = source
        self.track = track
    }

    /// The track's number in its asset.
    public var trackID: CMPersistentTrackID { track.trackID }
    /// What the track holds.
    public var mediaType: AVMediaType { track.mediaType }

    /// The segment at a time of the track, the closest one if the time lies
    /// outside all of them; never `nil`.
    ///
    /// - Parameter time: On the asset's timeline.
    /// - Throws: Nothing: the segments are known with the track.
    public func loadSegment(forTrackTime time: CMTime) async throws -> AVAssetTrackSegment? {
        let segments = track.segments
        return segments.first { $0.timeMapping.target.containsTime(time) }
            ?? (time < .zero ? segments.first : segments.last)
    }
}

extension TrackDescription {
    /// The edit list, or one segment over the whole track without one.
    var segments: [AVAssetTrackSegment] {
        guard editList.isEmpty else { return editList.map(AVAssetTrackSegment.init) }
        let media = CMTimeRange(start: .zero, duration: timeRange.duration)
        return [AVAssetTrackSegment(timeMapping: CMTimeMapping(source: media, target: timeRange))]
    }

    /// What the media are like.
    var characteristics: [AVMediaCharacteristic] {
        var result: [AVMediaCharacteristic] = []
        switch mediaType {
        case .video: result += [.visual, .frameBased]
        case .audio: result += [.audible]
        case .text, .subtitle, .closedCaption: result += [.legible]
        default: break
        }
        guard let video else { return result }
        if video.hasAlpha { result.append(.containsAlphaChannel) }
        if video.color.tags.isHDR { result.append(.containsHDRVideo) }
        if video.color.tags.primaries?.isWide == true { result.append(.usesWideGamutColorSpace) }
        return result
    }
}
