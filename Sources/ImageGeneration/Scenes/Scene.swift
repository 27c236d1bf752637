public import MediaTime

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
    /// The number of its last frame.
    public let lastFrame: Int
    /// How it begins.
    public let opening: Opening
    /// How much its first frame differs from the frame before, from 0 to 255.
    ///
    /// The mean difference of hue, saturation and brightness; 0 for the first
    /// scene and after a fade.
    public let score: Double

    /// A time at which the frame in its middle is shown.
    public var middle: CMTime {
        CMTimeRange(
            start: timeRange.start, duration: CMTimeMultiplyByRatio(timeRange.duration, multiplier: 1, divisor: 2)
        )
        .end
    }
}

/// The scenes of a film.
public struct SceneList: Sendable, Hashable {
    /// The scenes in order; they follow one another without a gap.
    public let scenes: [Scene]
    /// Frames that are shown.
    public let frameCount: Int
    /// Frames among them that could not be decoded cleanly; they were compared with nothing.
    public let damagedFrameCount: Int
    /// Why the film was not read to its end, `nil` if it was.
    public let truncation: String?
}

/// How scenes are told apart.
public struct SceneDetectionSettings: Sendable, Hashable {
    /// What makes a cut.
    public enum Method: String, Sendable, Hashable, CaseIterable, Codable {
        /// A difference from the frame before that stands out among those around
        /// it: moves of the camera make all of them large.
        case adaptive
        /// A difference from the frame before above a threshold.
        case content
    }

    /// What makes a cut.
    public var method: Method
    /// For ``Method/content`` the difference from which on there is a cut, of 255;
    /// for ``Method/adaptive`` how many times as large as the mean of those of the
    /// two frames before and after it is at least.
    public var threshold: Double
    /// No scene is shorter than this, unless the film is; what lasts less and then
    /// gives way to the picture from before, such as a flash, is no scene.
    public var minimumLength: CMTime

    /// The threshold of a method if none is given.
    public static func defaultThreshold(of method: Method) -> Double {
        switch method {
        case .adaptive: 3
        case .content: 27
        }
    }

    /// Makes settings.
    ///
    /// - Parameter threshold: `nil` for the method's usual one.
    public init(
        method: Method = .adaptive, threshold: Double? = nil, minimumLength: CMTime = CMTime(value: 3, timescale: 5)
    ) {
        self.method = method
        self.threshold = threshold ?? Self.defaultThreshold(of: method)
        self.minimumLength = minimumLength
    }
}
