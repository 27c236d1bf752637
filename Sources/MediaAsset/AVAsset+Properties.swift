public import MediaLoading
public import MediaTime

extension AVPartialAsyncProperty where Root: AVAsset {
    /// How long the asset lasts; indefinite if the file does not tell.
    public static var duration: AVAsyncProperty<Root, CMTime> { property("duration") { try $0.describe().duration } }

    /// Whether the duration rests on the samples or an exact header rather than
    /// on a guess.
    public static var providesPreciseDurationAndTiming: AVAsyncProperty<Root, Bool> {
        property("providesPreciseDurationAndTiming") { try !$0.describe().durationIsEstimate }
    }

    /// The rate that the movie header asks for, usually 1.
    public static var preferredRate: AVAsyncProperty<Root, Float> {
        property("preferredRate") { try $0.describe().preferredRate }
    }

    /// The volume that the movie header asks for, usually 1.
    public static var preferredVolume: AVAsyncProperty<Root, Float> {
        property("preferredVolume") { try $0.describe().preferredVolume }
    }

    /// The movie's own transform: the identity, because it is part of each
    /// track's `preferredTransform`.
    public static var preferredTransform: AVAsyncProperty<Root, CGAffineTransform> {
        property("preferredTransform") { source in
            _ = try source.describe()
            return .identity
        }
    }

    /// The tracks in container order.
    public static var tracks: AVAsyncProperty<Root, [AVAssetTrack]> { property("tracks") { try $0.makeTracks() } }

    /// Invalid: files are not live.
    public static var minimumTimeOffsetFromLive: AVAsyncProperty<Root, CMTime> {
        property("minimumTimeOffsetFromLive") { source in
            _ = try source.describe()
            return .invalid
        }
    }

    /// Whether the movie header allows fragments.
    public static var canContainFragments: AVAsyncProperty<Root, Bool> {
        property("canContainFragments") { try $0.describe().canContainFragments }
    }

    /// Whether samples are encrypted.
    public static var hasProtectedContent: AVAsyncProperty<Root, Bool> {
        property("hasProtectedContent") { try $0.describe().hasProtectedContent }
    }

    /// Whether there is sound or picture that is not protected.
    public static var isPlayable: AVAsyncProperty<Root, Bool> {
        property("isPlayable") { try $0.describe().isPlayable }
    }

    /// Whether samples can be read: always, unless protected.
    public static var isReadable: AVAsyncProperty<Root, Bool> {
        property("isReadable") { try !$0.describe().hasProtectedContent }
    }

    fileprivate static func property<Value>(
        _ key: String, _ value: @escaping @Sendable (AssetSource) throws -> Value
    ) -> AVAsyncProperty<Root, Value> {
        AVAsyncProperty(key) { try value($0.source) }
    }
}

extension AVAsset {
    /// How the older key-value loading finds values.
    static let keyLoaders: [String: @Sendable (AssetSource) throws -> any Sendable] = [
        "duration": { try $0.describe().duration },
        "providesPreciseDurationAndTiming": { try !$0.describe().durationIsEstimate },
        "preferredRate": { try $0.describe().preferredRate },
        "preferredVolume": { try $0.describe().preferredVolume },
        "tracks": { try $0.makeTracks() },
        "canContainFragments": { try $0.describe().canContainFragments },
        "hasProtectedContent": { try $0.describe().hasProtectedContent },
        "playable": { try $0.describe().isPlayable },
        "readable": { try !$0.describe().hasProtectedContent },
    ]
}

extension AssetDescription {
    var isPlayable: Bool {
        !hasProtectedContent && tracks.contains { $0.mediaType == .video || $0.mediaType == .audio }
    }
}
