/// One channel of a layout.
public struct AudioChannelDescription: Sendable {
    /// Which channel it is.
    public var mChannelLabel: AudioChannelLabel
    /// How the coordinates are meant.
    public var mChannelFlags: AudioChannelFlags
    /// Where the loudspeaker stands.
    public var mCoordinates: (Float32, Float32, Float32)

    /// A description of zeros.
    public init() { self.init(mChannelLabel: 0, mChannelFlags: [], mCoordinates: (0, 0, 0)) }

    /// A description of its fields.
    public init(
        mChannelLabel: AudioChannelLabel, mChannelFlags: AudioChannelFlags, mCoordinates: (Float32, Float32, Float32)
    ) {
        (self.mChannelLabel, self.mChannelFlags, self.mCoordinates) = (mChannelLabel, mChannelFlags, mCoordinates)
    }
}
