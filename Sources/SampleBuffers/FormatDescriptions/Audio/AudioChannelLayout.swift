/// How channels are arranged: by a tag, by a bitmap, or one by one.
///
/// As in C, where more descriptions may follow in memory than the one that the structure has room for.
public struct AudioChannelLayout: Sendable {
    /// The arrangement, or who says it.
    public var mChannelLayoutTag: AudioChannelLayoutTag
    /// The channels, for `kAudioChannelLayoutTag_UseChannelBitmap`.
    public var mChannelBitmap: AudioChannelBitmap
    /// How many descriptions there are, for `kAudioChannelLayoutTag_UseChannelDescriptions`.
    public var mNumberChannelDescriptions: UInt32
    /// The first description.
    public var mChannelDescriptions: (AudioChannelDescription)

    /// A layout of zeros.
    public init() {
        self.init(
            mChannelLayoutTag: 0, mChannelBitmap: [], mNumberChannelDescriptions: 0,
            mChannelDescriptions: AudioChannelDescription())
    }

    /// A layout of its fields.
    public init(
        mChannelLayoutTag: AudioChannelLayoutTag, mChannelBitmap: AudioChannelBitmap,
        mNumberChannelDescriptions: UInt32, mChannelDescriptions: (AudioChannelDescription)
    ) {
        (self.mChannelLayoutTag, self.mChannelBitmap) = (mChannelLayoutTag, mChannelBitmap)
        (self.mNumberChannelDescriptions, self.mChannelDescriptions) =
            (mNumberChannelDescriptions, mChannelDescriptions)
    }
}
