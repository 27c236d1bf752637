public import MediaCore
public import MediaImage

/// One still image, and how it relates to what was asked for.
///
/// Times are on the asset's timeline. Beyond AVFoundation.
public struct Still: Sendable {
    /// The request's position in the list of times, from 0.
    public let index: Int
    /// The time asked for.
    public let requestedTime: CMTime
    /// The frame's own presentation time, in the track's timescale.
    public let actualTime: CMTime
    /// How long the frame is shown: up to the next frame, else as long as the file says; invalid if unknown.
    public let duration: CMTime
    /// Whether the frame is a sync sample, so that it was decoded from itself alone.
    public let isSyncSample: Bool
    /// Whether the frame is the one that is shown at the requested time.
    public let isExact: Bool
    /// Why the picture is not to be trusted, in one line, `nil` if it is; only with `allowsDamagedPictures`.
    public let damage: String?
    /// Why this frame was taken, where a representative one was asked for and found; else `nil`.
    public let choice: RepresentativeChoice?
    /// The picture in each of the generator's `sizes`, in their order; one if there are none.
    public let images: [CGImage]

    /// The picture, the first if there are several sizes.
    public var image: CGImage { images[0] }
}
