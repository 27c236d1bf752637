public import MediaImage
public import MediaTime

/// One still image, and how it relates to what was asked for.
public struct Still: Sendable {
    /// The request's position in the list of times, from 0.
    public let index: Int
    /// The time asked for.
    public let requestedTime: CMTime
    /// The frame's own presentation time, in the track's timescale.
    public let actualTime: CMTime
    /// How long the frame is shown; invalid if unknown.
    public let duration: CMTime
    /// Whether the frame is a sync sample.
    public let isSyncSample: Bool
    /// Whether the frame is the one that is shown at the requested time.
    public let isExact: Bool
    /// Why the picture is not to be trusted, `nil` if it is.
    public let damage: String?
    /// Why this frame was taken, where a representative one was asked for.
    public let choice: RepresentativeChoice?
    /// The picture in each of the generator's `sizes`; one if there are none.
    public let images: [CGImage]

    /// The picture, the first if there are several sizes.
    public var image: CGImage { images[0] }
}
