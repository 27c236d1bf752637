public import MediaTime

/// A piece of a track's media and where it lies on the asset's timeline.
public struct AVAssetTrackSegment: Sendable, Hashable {
    /// From the media's time to the asset's.
    public let timeMapping: CMTimeMapping
    /// Whether there is nothing to see or hear meanwhile.
    public var isEmpty: Bool { !timeMapping.source.start.isNumeric }
}
