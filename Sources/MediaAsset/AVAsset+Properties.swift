public import MediaLoading
public import MediaTime

extension AVPartialAsyncProperty where Root: AVAsset {
    /// How long the asset lasts on its timeline, from zero on; indefinite if the file does not tell.
    ///
    /// A guess by size and bit rate is replaced by a pass over all packets, but not of a pipe.
    public static var duration: AVAsyncProperty<Root, CMTime> { property(AssetProperties.all.duration) }

    /// Whether the duration rests on the samples or an exact header rather than
    /// on a guess; false for some pipes only.
    public static var providesPreciseDurationAndTiming: AVAsyncProperty<Root, Bool> {
        property(AssetProperties.all.providesPreciseDurationAndTiming)
    }

    /// The speed to play at that the movie header asks for, where 1 is the media's own; 1 in other containers.
    public static var preferredRate: AVAsyncProperty<Root, Float> { property(AssetProperties.all.preferredRate) }

    /// The volume that the movie header asks for, where 1 is the media's own; 1 in other containers.
    public static var preferredVolume: AVAsyncProperty<Root, Float> { property(AssetProperties.all.preferredVolume) }

    /// The movie's own transform: the identity, because it is part of each
    /// track's `preferredTransform`.
    ///
    /// - Note: AVFoundation's is the matrix of the movie header.
    public static var preferredTransform: AVAsyncProperty<Root, CGAffineTransform> {
        property(AssetProperties.all.preferredTransform)
    }

    /// The tracks in container order; cover art is none.
    public static var tracks: AVAsyncProperty<Root, [AVAssetTrack]> { property(AssetProperties.all.tracks) }

    /// Invalid: files are not live.
    ///
    /// - Note: AVFoundation's is numeric for live streams.
    public static var minimumTimeOffsetFromLive: AVAsyncProperty<Root, CMTime> {
        property(AssetProperties.all.minimumTimeOffsetFromLive)
    }

    /// Whether the movie header allows fragments; false in other containers.
    public static var canContainFragments: AVAsyncProperty<Root, Bool> {
        property(AssetProperties.all.canContainFragments)
    }

    /// Whether samples of any track are encrypted.
    public static var hasProtectedContent: AVAsyncProperty<Root, Bool> {
        property(AssetProperties.all.hasProtectedContent)
    }

    /// Whether there is a video or an audio track, and nothing is encrypted; no decoder is asked.
    public static var isPlayable: AVAsyncProperty<Root, Bool> { property(AssetProperties.all.isPlayable) }

    /// Whether samples can be read: always, unless protected.
    public static var isReadable: AVAsyncProperty<Root, Bool> { property(AssetProperties.all.isReadable) }
}

// Properties that block until they are loaded. AVFoundation deprecates them in
// favour of `load(_:)`; they are here for code that has not moved on.

extension AVAsset {
    /// How long the asset lasts; blocks.
    ///
    /// Indefinite if the file cannot be read, or does not tell.
    public var duration: CMTime { value(AssetProperties.all.duration) ?? .indefinite }

    /// Whether the duration is exact; blocks.
    ///
    /// False if the file cannot be read, as with the other questions here.
    public var providesPreciseDurationAndTiming: Bool {
        value(AssetProperties.all.providesPreciseDurationAndTiming) ?? false
    }

    /// The speed to play at that the movie header asks for, where 1 is the media's own; blocks.
    public var preferredRate: Float { value(AssetProperties.all.preferredRate) ?? 1 }

    /// The volume that the movie header asks for, where 1 is the media's own; blocks.
    public var preferredVolume: Float { value(AssetProperties.all.preferredVolume) ?? 1 }

    /// The movie's own transform, the identity; blocks.
    ///
    /// - Note: AVFoundation's is the matrix of the movie header.
    public var preferredTransform: CGAffineTransform { value(AssetProperties.all.preferredTransform) ?? .identity }

    /// The tracks in container order; blocks.
    ///
    /// Empty if the file cannot be read.
    public var tracks: [AVAssetTrack] { value(AssetProperties.all.tracks) ?? [] }

    /// Invalid: files are not live.
    ///
    /// - Note: AVFoundation's is numeric for live streams.
    public var minimumTimeOffsetFromLive: CMTime { value(AssetProperties.all.minimumTimeOffsetFromLive) ?? .invalid }

    /// Whether the movie header allows fragments; blocks.
    public var canContainFragments: Bool { value(AssetProperties.all.canContainFragments) ?? false }

    /// Whether samples are encrypted; blocks.
    public var hasProtectedContent: Bool { value(AssetProperties.all.hasProtectedContent) ?? false }

    /// Whether there is a video or an audio track, and nothing is encrypted; blocks.
    public var isPlayable: Bool { value(AssetProperties.all.isPlayable) ?? false }

    /// Whether samples can be read: always, unless protected; blocks.
    public var isReadable: Bool { value(AssetProperties.all.isReadable) ?? false }

    /// The tracks of one kind, in container order; blocks.
    public func tracks(withMediaType mediaType: AVMediaType) -> [AVAssetTrack] {
        tracks.filter { $0.mediaType == mediaType }
    }

    /// The tracks whose media have a characteristic, in container order; blocks.
    public func tracks(withMediaCharacteristic characteristic: AVMediaCharacteristic) -> [AVAssetTrack] {
        tracks.filter { $0.hasMediaCharacteristic(characteristic) }
    }
}
