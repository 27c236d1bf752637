public import Foundation
public import MediaCore

/// A track of a composition that can be changed.
///
/// Each change happens whole or not at all, from any thread. Times are on the composition's timeline, but for ranges of
/// other tracks, which are on their own assets'.
open class AVMutableCompositionTrack: AVCompositionTrack, @unchecked Sendable {
    // @unchecked Sendable: as AVCompositionTrack.

    // MARK: Inserting

    /// Puts a piece of a track in; what is there from that time on moves back.
    ///
    /// - Parameters:
    ///   - timeRange: On the timeline of the track's asset; where the asset goes on without the track, the piece is
    ///     empty. One without end goes up to the asset's end.
    ///   - track: Of the same kind.
    ///   - startTime: Where it is put; at the end for one that is not valid. What lies between the end and that time
    ///     becomes empty.
    /// - Throws: `AVError.incompatibleAsset` for a track of another kind;
    ///   `invalidCompositionTrackSegmentSourceStartTime`, `…Duration` and `…SourceDuration` for a range that is none or
    ///   beyond the asset's end; `operationNotAllowed` where there would be more than 10,000 segments; else what
    ///   opening the file fails with.
    /// - Complexity: Opens the file if nothing was asked of it before.
    public func insertTimeRange(_ timeRange: CMTimeRange, of track: AVAssetTrack, at startTime: CMTime) throws {
        let segments = try piece(timeRange, of: track)
        try change { $0.timeline.insert(segments, at: try CompositionEdit.place(startTime, orEnd: $0.timeline.end)) }
    }

    /// Puts pieces of tracks in, one after the other.
    ///
    /// - Parameters:
    ///   - timeRanges: As many as tracks, each in an object that `NSValue.init(timeRange:)` makes.
    ///   - tracks: Of the same kind.
    ///   - startTime: Where the first one is put; at the end for one that is not valid.
    /// - Throws: As `insertTimeRange(_:of:at:)`, and `AVError.operationNotAllowed` if there are not as many of both.
    /// - Note: AVFoundation's takes `NSNull` for empty pieces, which Swift's types rule out.
    public func insertTimeRanges(_ timeRanges: [NSValue], of tracks: [AVAssetTrack], at startTime: CMTime) throws {
        guard timeRanges.count == tracks.count else {
            throw AVError(
                .operationNotAllowed, reason: "there are \(timeRanges.count) time ranges for \(tracks.count) tracks")
        }
        var pieces = TrackTimeline<CompositionMedia>()
        var end = CMTime.zero
        for (range, track) in zip(timeRanges, tracks) {
            let segments = try piece(range.timeRangeValue, of: track)
            pieces.insert(segments, at: end)
            end = end + (segments.last?.target.end ?? .zero)
        }
        let all = pieces.slice(CMTimeRange(start: .zero, end: end))
        try change { $0.timeline.insert(all, at: try CompositionEdit.place(startTime, orEnd: $0.timeline.end)) }
    }

    private func piece(_ range: CMTimeRange, of track: AVAssetTrack) throws -> [CompositionEdit.Segment] {
        guard track.mediaType == mediaType else {
            throw AVError(
                .incompatibleAsset,
                reason:
                    "a track of kind \(track.mediaType.rawValue) cannot be put into one of kind \(mediaType.rawValue)")
        }
        return try CompositionEdit.segments(of: track, in: range)
    }

    /// Puts emptiness in; what is there from its start on moves back.
    ///
    /// A track ends with media: nothing happens at its end or after it.
    public func insertEmptyTimeRange(_ timeRange: CMTimeRange) {
        guard timeRange.isUsable else { return }
        try? change { $0.timeline.insertEmpty(timeRange) }
    }

    // MARK: Removing and scaling

    /// Takes a range out; what follows moves up.
    public func removeTimeRange(_ timeRange: CMTimeRange) {
        guard timeRange.start.isNumeric, timeRange.isValid else { return }
        try? change { $0.timeline.remove(timeRange) }
    }

    /// Shows a range over another time; what follows moves back or up.
    ///
    /// - Parameter duration: More than zero.
    public func scaleTimeRange(_ timeRange: CMTimeRange, toDuration duration: CMTime) {
        guard timeRange.isUsable, duration.isNumeric else { return }
        try? change { $0.timeline.scale(timeRange, to: duration) }
    }

    /// Fails for segments that a track cannot consist of.
    ///
    /// - Throws: `AVError.compositionTrackSegmentsNotContiguous` where one does not begin where the one before it
    ///   ends, `invalidCompositionTrackSegmentDuration`, `…SourceStartTime` and `…SourceDuration` for ranges that are
    ///   none or beyond the file's end, `noSourceTrack`; else what opening a file fails with.
    public func validateSegments(_ trackSegments: [AVCompositionTrackSegment]) throws {
        _ = try trackSegments.timeline()
    }

    // MARK: Relations

    /// Says that the track refers to another one of the composition.
    public func addTrackAssociation(to compositionTrack: AVCompositionTrack, type: AssociationType) {
        let other = compositionTrack.trackID
        try? change { track in
            if let index = track.references.firstIndex(where: { $0.type == type.rawValue }) {
                if !track.references[index].trackIDs.contains(other) { track.references[index].trackIDs.append(other) }
            } else {
                track.references.append(TrackDescription.Reference(type: type.rawValue, trackIDs: [other]))
            }
        }
    }

    /// Says no more that the track refers to another one.
    public func removeTrackAssociation(to compositionTrack: AVCompositionTrack, type: AssociationType) {
        let other = compositionTrack.trackID
        try? change { track in
            for index in track.references.indices where track.references[index].type == type.rawValue {
                track.references[index].trackIDs.removeAll { $0 == other }
            }
            track.references.removeAll(where: \.trackIDs.isEmpty)
        }
    }
}

// What can be set stands beside AVAssetTrack's, which only tell. What is set once the track is removed counts for nothing.

extension AVAsynchronousKeyValueLoading where Self: AVMutableCompositionTrack {
    /// Whether the track is to be shown; true for a new one.
    public var isEnabled: Bool {
        get { content?.isEnabled ?? false }
        nonmutating set { try? change { $0.isEnabled = newValue } }
    }

    /// Ticks in each second that the track's own times are best told in: those of the first media until it is set.
    public var naturalTimeScale: CMTimeScale {
        get { track.timescale }
        nonmutating set { try? change { $0.naturalTimeScale = newValue > 0 ? newValue : nil } }
    }

    /// ISO 639-2 code of the language, `nil` if unknown.
    public var languageCode: String? {
        get { content?.languageCode }
        nonmutating set { try? change { $0.languageCode = newValue } }
    }

    /// BCP 47 tag of the language, `nil` if unknown.
    public var extendedLanguageTag: String? {
        get { content?.extendedLanguageTag }
        nonmutating set { try? change { $0.extendedLanguageTag = newValue } }
    }

    /// Maps pictures as they are coded to the upright ones; the identity for a new track.
    public var preferredTransform: CGAffineTransform {
        get { content?.preferredTransform ?? .identity }
        nonmutating set { try? change { $0.preferredTransform = newValue } }
    }

    /// The volume, where 1 is the media's own; 1 for a new track.
    public var preferredVolume: Float {
        get { content?.preferredVolume ?? 0 }
        nonmutating set { try? change { $0.preferredVolume = newValue } }
    }

    /// The segments that the track consists of, in order.
    ///
    /// Setting segments that `validateSegments(_:)` refuses changes nothing.
    ///
    /// - Note: AVFoundation raises an exception for those.
    public var segments: [AVCompositionTrackSegment]! {
        get { content?.timeline.segments.map(AVCompositionTrackSegment.init) ?? [] }
        nonmutating set {
            guard let timeline = try? (newValue ?? []).timeline() else { return }
            try? change { $0.timeline = timeline }
        }
    }
}

extension CMTimeRange {
    /// Whether it begins at a time from zero on and lasts a time that is known.
    var isUsable: Bool { isValid && start.isNumeric && start >= .zero && duration.isNumeric && duration > .zero }
}
