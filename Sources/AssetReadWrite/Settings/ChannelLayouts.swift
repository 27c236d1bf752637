internal import MediaCore
internal import SampleBuffers

/// FFmpeg's names of arrangements of channels, in WAVE's order.
enum ChannelNames {
    /// What as many channels usually are.
    static let usual = [1: "mono", 2: "stereo", 4: "quad", 5: "5.0", 6: "5.1", 7: "6.1", 8: "7.1"]

    /// Tags of arrangements in WAVE's order.
    private static let ofTags = [
        kAudioChannelLayoutTag_Mono: "mono", kAudioChannelLayoutTag_Stereo: "stereo",
        kAudioChannelLayoutTag_StereoHeadphones: "stereo", kAudioChannelLayoutTag_MPEG_3_0_A: "3.0",
        kAudioChannelLayoutTag_MPEG_5_1_A: "5.1", kAudioChannelLayoutTag_Quadraphonic: "quad",
    ]

    /// The names of WAVE's bits, from the lowest one on.
    private static let speakers = [
        "FL", "FR", "FC", "LFE", "BL", "BR", "FLC", "FRC", "BC", "SL", "SR", "TC", "TFL", "TFC", "TFR", "TBL", "TBC",
        "TBR",
    ]

    /// The name of an arrangement; `nil` for one whose channels come in another order, or of other channels.
    ///
    /// - Parameter channels: How many there are, as far as that is known.
    static func name(of layout: ManagedAudioChannelLayout, channels: Int? = nil) -> String? {
        if layout.tag != kAudioChannelLayoutTag_UseChannelBitmap { return ofTags[layout.tag] }
        let bits = layout.bitmap.rawValue
        guard bits > 0, bits < 1 << UInt32(speakers.count), channels.map({ $0 == bits.nonzeroBitCount }) ?? true else {
            return nil
        }
        if bits == 0x4 { return "mono" }
        return bits == 0x3
            ? "stereo"
            : speakers.indices.filter { bits & (1 << UInt32($0)) != 0 }.map { speakers[$0] }.joined(separator: "+")
    }
}

extension ChannelNames {
    /// The name of an arrangement; `nil` for one whose channels come in another order.
    static func name(of layout: AVAudioChannelLayout) -> String? {
        let isBitmap = layout.layoutTag == kAudioChannelLayoutTag_UseChannelBitmap
        return name(
            of: isBitmap
                ? ManagedAudioChannelLayout(bitmap: layout.layout.pointee.mChannelBitmap)
                : ManagedAudioChannelLayout(tag: layout.layoutTag))
    }
}

extension SoundOutputSettings {
    /// FFmpeg's name of the arrangement of channels that is asked for; `nil` for the source's.
    ///
    /// - Parameter source: How many channels the source has.
    /// - Throws: `AVError.incorrectlyConfigured` for arrangements whose channels come in another order than WAVE's.
    func channelLayout(channels source: Int?) throws(AVError) -> String? {
        if let asked = layout.channelLayout {
            if let name = ChannelNames.name(of: asked) { return name }
            throw AVError(
                .incorrectlyConfigured,
                reason: "sound cannot be had with the channel layout \(asked.layoutTag): mono, stereo, a bitmap of "
                    + "channels, and layouts in WAVE's order can be")
        }
        guard let count = layout.channels, count != source else { return nil }
        guard let name = ChannelNames.usual[count] else {
            throw AVError(.incorrectlyConfigured, reason: "\(count) channels need an AVChannelLayoutKey")
        }
        return name
    }
}
