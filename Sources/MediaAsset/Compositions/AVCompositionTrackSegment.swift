public import Foundation
public import MediaCore

/// A piece of a composition's track: which span of which track of which file is shown over which span of the
/// composition's timeline.
///
/// Segments with the same media and the same mapping are equal.
open class AVCompositionTrackSegment: AVAssetTrackSegment, @unchecked Sendable {
    // @unchecked Sendable: every stored property is immutable and Sendable.

    /// What is shown; `nil` for nothing.
    let media: CompositionMedia?

    init(_ segment: CompositionEdit.Segment) {
        media = segment.media
        super.init(timeMapping: CMTimeMapping(source: segment.source, target: segment.target))
    }

    /// Makes a segment of a file's track; touches no file.
    ///
    /// - Parameters:
    ///   - URL: Where the file is.
    ///   - trackID: The track's number in the file.
    ///   - sourceTimeRange: On the file's own timeline.
    ///   - targetTimeRange: On the composition's timeline; another duration than the source's changes the speed.
    public init(
        url URL: URL, trackID: CMPersistentTrackID, sourceTimeRange: CMTimeRange, targetTimeRange: CMTimeRange
    ) {
        media = CompositionMedia(source: AVURLAsset.source(url: URL, options: [:]), trackID: trackID, url: URL)
        super.init(timeMapping: CMTimeMapping(source: sourceTimeRange, target: targetTimeRange))
    }

    /// Makes a segment that shows nothing.
    ///
    /// - Parameter timeRange: On the composition's timeline.
    public init(timeRange: CMTimeRange) {
        media = nil
        super.init(timeMapping: CMTimeMapping(source: .invalid, target: timeRange))
    }

    /// Where the file is; `nil` for a segment that shows nothing.
    public var sourceURL: URL? { media?.url }

    /// The track's number in its file; `kCMPersistentTrackID_Invalid` for a segment that shows nothing.
    public var sourceTrackID: CMPersistentTrackID { media?.trackID ?? kCMPersistentTrackID_Invalid }

    /// Whether the other object is a segment with the same media and the same mapping.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? AVCompositionTrackSegment else { return false }
        return other.media == media && other.timeMapping == timeMapping
    }

    /// Equal for equal segments.
    open override var hash: Int {
        var hasher = Hasher()
        hasher.combine(media)
        hasher.combine(timeMapping)
        return hasher.finalize()
    }

    /// The mapping and the file, for debugging.
    open override var description: String {
        "AVCompositionTrackSegment(\(timeMapping), \(sourceURL?.lastPathComponent ?? "empty"))"
    }

    /// As the timeline of a track has it.
    var segment: CompositionEdit.Segment {
        CompositionEdit.Segment(
            media: media, source: media == nil ? .invalid : timeMapping.source, target: timeMapping.target)
    }
}

extension [AVCompositionTrackSegment] {
    /// The timeline that they make.
    ///
    /// - Throws: `AVError` that says which one does not follow, or has no time.
    func timeline() throws -> TrackTimeline<CompositionMedia> {
        var end = CMTime.zero
        for (index, segment) in enumerated() {
            let (source, target) = (segment.timeMapping.source, segment.timeMapping.target)
            guard target.start == end else {
                throw AVError(
                    .compositionTrackSegmentsNotContiguous,
                    reason:
                        "segment \(index + 1) does not begin at \(end.secondsText()) s, where the one before it ends")
            }
            guard target.isValid, target.duration.isNumeric, target.duration > .zero else {
                throw AVError(
                    .invalidCompositionTrackSegmentDuration, reason: "segment \(index + 1) has no duration above zero")
            }
            end = target.end
            guard let media = segment.media else { continue }
            guard source.isValid, source.start.isNumeric, source.start >= .zero else {
                throw AVError(
                    .invalidCompositionTrackSegmentSourceStartTime,
                    reason: "segment \(index + 1) begins at no time of its media from zero on")
            }
            guard source.duration.isNumeric, source.duration > .zero else {
                throw AVError(
                    .invalidCompositionTrackSegmentSourceDuration,
                    reason: "segment \(index + 1) is of no duration of its media")
            }
            _ = try CompositionEdit.range(source, of: try media.source.describe())
            _ = try media.track()
        }
        guard let timeline = TrackTimeline(map(\.segment)) else {
            throw AVError(.compositionTrackSegmentsNotContiguous, reason: "the segments do not follow each other")
        }
        try CompositionEdit.check(timeline)
        return timeline
    }
}
