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
    ///
    /// Differences below 15 are no cut by ``Method/adaptive``, whatever the threshold.
    public var threshold: Double
    /// No scene is shorter than this, unless the film is; what lasts less and then
    /// gives way to the picture from before, such as a flash, is no scene.
    ///
    /// 0.6 s by default. What is not above zero, or not numeric, sets no limit.
    public var minimumLength: CMTime

    /// The threshold of a method if none is given, on the scale of ``threshold``: 3 for
    /// ``Method/adaptive``, 27 for ``Method/content``.
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
