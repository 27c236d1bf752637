/// Keys: Internet radio.
extension AVMetadataKey {
    /// What is being played.
    public static let icyMetadataKeyStreamTitle = AVMetadataKey(rawValue: "StreamTitle")
    /// The station's address.
    public static let icyMetadataKeyStreamURL = AVMetadataKey(rawValue: "StreamUrl")
}
