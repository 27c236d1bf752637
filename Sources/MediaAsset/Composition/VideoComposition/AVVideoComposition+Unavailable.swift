// What of video compositions is not offered, so that code which uses it is told what to use instead.

extension AVVideoComposition {
    /// Not offered.
    @available(*, unavailable, message: "There is no Core Animation on Linux; draw what moves into a track of its own.")
    public var animationTool: AVVideoCompositionCoreAnimationTool? {
        get { nil }
        set {}
    }

    /// Not offered.
    @available(*, unavailable, message: "There is no Core Image on Linux; compose by layer instructions.")
    public convenience init(
        asset: AVAsset,
        applyingCIFiltersWithHandler applier: @escaping @Sendable (AVAsynchronousCIImageFilteringRequest) -> Void
    ) {
        self.init()
    }

    /// Not offered.
    @available(*, unavailable, message: "There is no Core Image on Linux; compose by layer instructions.")
    public static func videoComposition(
        with asset: AVAsset,
        applyingCIFiltersWithHandler applier: @escaping @Sendable (AVAsynchronousCIImageFilteringRequest) -> Void
    ) async throws -> AVVideoComposition {
        AVVideoComposition()
    }
}
