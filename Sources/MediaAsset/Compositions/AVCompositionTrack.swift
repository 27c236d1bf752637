internal import Foundation
public import MediaCore

/// A track of a composition.
open class AVCompositionTrack: AVAssetTrack, @unchecked Sendable {
    // @unchecked Sendable: as AVAssetTrack; the composition's state is behind a lock.

    private let state: CompositionState
    private let id: CMPersistentTrackID
    private let kind: AVMediaType

    init(_ state: CompositionState, _ track: CompositionContent.Track, source: AssetSource, of asset: AVAsset?) {
        (self.state, id, kind) = (state, track.trackID, track.mediaType)
        super.init(source: source, track: TrackDescription(unread: track), of: asset)
    }

    /// The track as the composition has it now; as it was made where it is gone or its file cannot be opened.
    package override var track: TrackDescription {
        (try? state.describe())?.tracks.first { $0.trackID == id } ?? super.track
    }

    /// The track's number in the composition.
    open override var trackID: CMPersistentTrackID { id }
    /// What the track holds.
    open override var mediaType: AVMediaType { kind }

    /// What the composition says of the track; `nil` once it is removed.
    var content: CompositionContent.Track? { state.content.tracks.first { $0.trackID == id } }

    /// Changes what the composition says of the track, or nothing where that fails.
    ///
    /// - Throws: `AVError.operationNotAllowed` once the track is removed.
    func change(_ body: (inout CompositionContent.Track) throws -> Void) throws {
        try state.change { content in
            guard let index = content.index(ofTrack: id) else {
                throw AVError(.operationNotAllowed, reason: "track \(id) is in the composition no more")
            }
            try body(&content.tracks[index])
            try CompositionEdit.check(content.tracks[index].timeline)
        }
        forgetValues()
    }

    /// Forgets values that were loaded of the track and the composition.
    func forgetValues() {
        propertyStore.forget()
        asset?.propertyStore.forget()
    }
}

extension AVAsynchronousKeyValueLoading where Self: AVCompositionTrack {
    /// The segments that the track consists of, in order.
    public var segments: [AVCompositionTrackSegment] {
        content?.timeline.segments.map(AVCompositionTrackSegment.init) ?? []
    }

    /// The segment at a time of the composition's timeline, the closest one if the time lies outside all of them;
    /// `nil` if there are none.
    public func segment(forTrackTime trackTime: CMTime) -> AVCompositionTrackSegment? {
        guard let timeline = content?.timeline else { return nil }
        let segment =
            timeline.segment(at: trackTime)
            ?? (trackTime < .zero ? timeline.segments.first : timeline.segments.last)
        return segment.map(AVCompositionTrackSegment.init)
    }
}

extension AVPartialAsyncProperty where Root: AVCompositionTrack {
    /// The segments that the track consists of, in order.
    public static var segments: AVAsyncProperty<Root, [AVCompositionTrackSegment]> {
        AVAsyncProperty(
            MediaProperty<AVAssetTrack, _>("compositionSegments") { track in
                (track as? AVCompositionTrack)?.segments ?? []
            }
        ) { $0 }
    }
}

extension TrackDescription {
    /// A composition's track before anything is known of its media.
    fileprivate init(unread track: CompositionContent.Track) {
        self.init(
            trackID: track.trackID, streamIndex: 0, mediaType: track.mediaType, isEnabled: track.isEnabled, codec: "",
            codecTag: "", mediaSubType: 0x756E_6B6E, timescale: 600, timeRange: .zero, estimatedDataRate: 0,
            editList: [])
    }
}
