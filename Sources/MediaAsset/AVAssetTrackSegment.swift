public import MediaTime

/// A piece of a track's media and where it lies on the asset's timeline.
///
/// - Note: AVFoundation's is a class.
public struct AVAssetTrackSegment: Sendable, Hashable {
    /// From media time to the asset's timeline; the source's start is not numeric for an empty segment.
    public let timeMapping: CMTimeMapping
    /// Whether there is nothing to see or hear meanwhile.
    public var isEmpty: Bool { !timeMapping.source.start.isNumeric }
}
