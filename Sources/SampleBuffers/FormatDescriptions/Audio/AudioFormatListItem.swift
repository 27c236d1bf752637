/// One of the ways in which sound can be decoded.
public struct AudioFormatListItem: Sendable {
    /// The format.
    public var mASBD: AudioStreamBasicDescription
    /// The arrangement of the channels.
    public var mChannelLayoutTag: AudioChannelLayoutTag

    /// An item of its fields.
    public init(mASBD: AudioStreamBasicDescription, mChannelLayoutTag: AudioChannelLayoutTag) {
        (self.mASBD, self.mChannelLayoutTag) = (mASBD, mChannelLayoutTag)
    }
}
