public import MediaCore

/// One shot of a film: what is shown between two cuts.
///
/// Beyond AVFoundation.
public struct Scene: Sendable, Hashable {
    /// How a scene begins.
    public enum Opening: String, Sendable, Hashable {
        /// With the film.
        case start
        /// By a cut.
        case cut
        /// In the middle of the black between a fade to black and the fade from it.
        case fade
    }

    /// From its first frame's presentation time up to that of the next scene's
    /// first frame, on the asset's timeline; the last scene ends with its last frame.
    public let timeRange: CMTimeRange
    /// The number of its first frame, counted from 0 in order of presentation time.
    public let firstFrame: Int
    /// The number of its last frame, counted in the same way.
    public let lastFrame: Int
    /// How it begins.
    public let opening: Opening
    /// How much its first frame differs from the frame before, from 0 to 255.
    ///
    /// The mean difference of hue, saturation and brightness; 0 for the first
    /// scene and after a fade.
    public let score: Double

    /// The middle of `timeRange`, on the asset's timeline, at which one of its frames is shown.
    public var middle: CMTime {
        CMTimeRange(
            start: timeRange.start, duration: CMTimeMultiplyByRatio(timeRange.duration, multiplier: 1, divisor: 2)
        )
        .end
    }
}
