public import MediaTime

// Properties that block until they are loaded. AVFoundation deprecates them in
// favour of `load(_:)`; they are here for code that has not moved on.

extension AVAsset {
    /// How long the asset lasts; blocks.
    ///
    /// Indefinite if the file cannot be read.
    public var duration: CMTime { (try? source.describe().duration) ?? .indefinite }

    /// The tracks in container order; blocks.
    ///
    /// Empty if the file cannot be read.
    public var tracks: [AVAssetTrack] { (try? source.makeTracks()) ?? [] }

    /// The tracks of one kind, in container order; blocks.
    public func tracks(withMediaType mediaType: AVMediaType) -> [AVAssetTrack] {
        tracks.filter { $0.mediaType == mediaType }
    }

    /// The tracks whose media have a characteristic, in container order; blocks.
    public func tracks(withMediaCharacteristic characteristic: AVMediaCharacteristic) -> [AVAssetTrack] {
        tracks.filter { $0.hasMediaCharacteristic(characteristic) }
    }
}

extension AVAssetTrack {
    /// Whether the media have a characteristic.
    public func hasMediaCharacteristic(_ characteristic: AVMediaCharacteristic) -> Bool {
        track.characteristics.contains(characteristic)
    }
}
