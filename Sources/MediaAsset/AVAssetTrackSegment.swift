public import Foundation
public import MediaCore

/// A piece of a track's media and where it lies on the asset's timeline.
///
/// Segments with the same mapping are equal.
open class AVAssetTrackSegment: NSObject, @unchecked Sendable {
    // @unchecked Sendable: the one stored property is immutable and Sendable.

    /// From media time to the asset's timeline; the source's start is not numeric for an empty segment.
    public let timeMapping: CMTimeMapping

    package init(timeMapping: CMTimeMapping) {
        self.timeMapping = timeMapping
        super.init()
    }

    /// Whether there is nothing to see or hear meanwhile.
    public var isEmpty: Bool { !timeMapping.source.start.isNumeric }

    /// Whether the other object is a segment with the same mapping.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? AVAssetTrackSegment)?.timeMapping == timeMapping
    }

    /// Equal for equal segments.
    open override var hash: Int { timeMapping.hashValue }

    /// The mapping, for debugging.
    open override var description: String { "AVAssetTrackSegment(\(timeMapping))" }
}

extension AVAssetTrackSegment {
    /// The time of the media that is shown at a time of the asset; invalid where there is none.
    func mediaTime(at time: CMTime) -> CMTime {
        guard !isEmpty, timeMapping.target.containsTime(time) else { return .invalid }
        return CMTimeMapTimeFromRangeToRange(time, fromRange: timeMapping.target, toRange: timeMapping.source)
    }
}
