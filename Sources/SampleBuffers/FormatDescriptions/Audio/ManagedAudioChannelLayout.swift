/// How channels are arranged, as a value: by a tag or by a bitmap.
public struct ManagedAudioChannelLayout: Hashable, Sendable {
    /// The arrangement, or `kAudioChannelLayoutTag_UseChannelBitmap`.
    public var tag: AudioChannelLayoutTag
    /// The channels, for `kAudioChannelLayoutTag_UseChannelBitmap`.
    public var bitmap: AudioChannelBitmap

    /// A layout of a tag.
    public init(tag: AudioChannelLayoutTag) { (self.tag, bitmap) = (tag, []) }

    /// A layout of the channels that there are.
    public init(bitmap: AudioChannelBitmap) {
        (tag, self.bitmap) = (kAudioChannelLayoutTag_UseChannelBitmap, bitmap)
    }

    /// Lends the layout in C's form to a piece of work.
    ///
    /// - Throws: What the work throws.
    public func withUnsafePointer<Result>(_ body: (UnsafePointer<AudioChannelLayout>) throws -> Result) rethrows
        -> Result
    {
        try Swift.withUnsafePointer(to: plain, body)
    }

    /// The layout in C's form.
    package var plain: AudioChannelLayout {
        var layout = AudioChannelLayout()
        (layout.mChannelLayoutTag, layout.mChannelBitmap) = (tag, bitmap)
        return layout
    }
}
