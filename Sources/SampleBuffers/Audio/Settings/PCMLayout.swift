internal import MediaCore

/// How settings want samples that are not compressed.
package struct PCMLayout: Sendable {
    /// Frames for each second; `nil` for the source's.
    package let sampleRate: Double?
    /// How many channels; `nil` for the source's.
    package let channels: Int?
    /// Which channels; `nil` if nothing is said.
    package let channelLayout: AVAudioChannelLayout?
    /// Bits of a sample: 8, 16, 24 or 32, of floating-point numbers 32 or 64.
    package let bits: Int
    /// Whether samples are floating-point numbers; others have a sign.
    package let isFloat: Bool
    /// Whether the highest byte comes first.
    package let isBigEndian: Bool
    /// Whether the channels lie in one buffer, a frame after the other.
    package let isInterleaved: Bool

    /// What settings ask for; what they leave out is of 16 bits, of floating-point numbers 32, interleaved, in the
    /// order of this machine's bytes, and as the source has it.
    ///
    /// - Parameter settings: By `AVFormatIDKey`, `AVSampleRateKey`, `AVNumberOfChannelsKey`, `AVChannelLayoutKey` and
    ///   `AVLinearPCM…`; others are left alone.
    /// - Throws: The key of a value that is of the wrong type, makes no sense, or contradicts another.
    package init(settings: [String: Any]) throws(PCMSettingsError) {
        let values = SettingValues(settings)
        if let format = try values.formatID(), format != kAudioFormatLinearPCM {
            throw PCMSettingsError(AVFormatIDKey, "'\(format.characters)'", expected: "kAudioFormatLinearPCM")
        }
        sampleRate = try values.sampleRate()
        channelLayout = try values.channelLayout()
        channels = try values.channelCount(channelLayout)
        let isFloat = try values.flag(AVLinearPCMIsFloatKey) ?? false
        let allowed = isFloat ? [32, 64] : [8, 16, 24, 32]
        let expected = isFloat ? "32 or 64 for floating-point numbers" : "8, 16, 24 or 32 for whole numbers"
        bits = try values.whole(AVLinearPCMBitDepthKey, in: allowed.contains, expected) ?? (isFloat ? 32 : 16)
        isBigEndian =
            try values.flag(AVLinearPCMIsBigEndianKey)
            ?? (kAudioFormatFlagsNativeEndian & kAudioFormatFlagIsBigEndian != 0)
        isInterleaved = try !(values.flag(AVLinearPCMIsNonInterleaved) ?? false)
        self.isFloat = isFloat
    }

    /// The samples in C's form.
    ///
    /// - Parameters:
    ///   - sampleRate: The source's frames for each second, which count if the settings say nothing.
    ///   - channels: The source's channels, which count if the settings say nothing.
    package func streamDescription(sampleRate: Double, channels: Int) -> AudioStreamBasicDescription {
        AudioStreamBasicDescription(
            sampleRate: self.sampleRate ?? sampleRate, channels: UInt32(clamping: self.channels ?? channels),
            bits: UInt32(clamping: bits), isFloat: isFloat, isBigEndian: isBigEndian, isInterleaved: isInterleaved)
    }
}
