internal import SampleBuffers

extension AVAudioChannelLayout {
    /// Channels of which nothing is known; `nil` for none or more than a tag can count.
    static func unknown(channels: AVAudioChannelCount) -> AVAudioChannelLayout? {
        guard (1...65535).contains(channels) else { return nil }
        return AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_DiscreteInOrder | channels)
    }

    /// Channels that lie in the order of WAVE's bits; `nil` for bits that WAVE has not.
    static func wave(mask: UInt64) -> AVAudioChannelLayout? {
        guard let bits = UInt32(exactly: mask), bits > 0 else { return nil }
        var layout = AudioChannelLayout()
        layout.mChannelLayoutTag = kAudioChannelLayoutTag_UseChannelBitmap
        layout.mChannelBitmap = AudioChannelBitmap(rawValue: bits)
        return AVAudioChannelLayout(layout: &layout)
    }
}
