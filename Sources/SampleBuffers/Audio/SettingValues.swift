internal import Foundation
internal import MediaCore

/// The values of settings for sound, looked at.
struct SettingValues {
    private let values: [String: Any]

    /// Channels that a tag of a layout can count.
    static let mostChannels = 65535
    /// The highest rate: one that fits 32 bits.
    static let highestRate = Double(Int32.max)

    init(_ values: [String: Any]) { self.values = values }

    /// A number, however the client wrote it.
    ///
    /// - Returns: `nil` for what is no number.
    private static func number(_ value: Any) -> Double? {
        // Foundation would make 1 of true.
        if type(of: value) == Bool.self { return nil }
        return switch value {
        case let number as any BinaryInteger: Double(number)
        case let number as any BinaryFloatingPoint: Double(number)
        case let number as NSNumber: number.doubleValue
        default: nil
        }
    }

    /// A whole number of those allowed.
    func whole(_ key: String, in allowed: (Int) -> Bool, _ expected: String) throws(PCMSettingsError) -> Int? {
        guard let value = values[key] else { return nil }
        guard let number = Self.number(value).flatMap({ Int(exactly: $0) }), allowed(number) else {
            throw PCMSettingsError(key, value, expected: expected)
        }
        return number
    }

    /// True or false, also as the numbers 1 and 0.
    func flag(_ key: String) throws(PCMSettingsError) -> Bool? {
        guard let value = values[key] else { return nil }
        if let flag = value as? Bool { return flag }
        switch Self.number(value) {
        case 0: return false
        case 1: return true
        default: throw PCMSettingsError(key, value, expected: "true or false")
        }
    }

    /// The coding.
    func formatID() throws(PCMSettingsError) -> AudioFormatID? {
        // Codes may come as numbers with a sign.
        try whole(AVFormatIDKey, in: { Int(Int32.min)...Int(UInt32.max) ~= $0 }, "an AudioFormatID")
            .map { AudioFormatID(truncatingIfNeeded: $0) }
    }

    /// Frames for each second.
    func sampleRate() throws(PCMSettingsError) -> Double? {
        guard let value = values[AVSampleRateKey] else { return nil }
        guard let rate = Self.number(value), rate > 0, rate <= Self.highestRate else {
            throw PCMSettingsError(AVSampleRateKey, value, expected: "more than 0, at most \(Int32.max)")
        }
        return rate
    }

    /// The layout.
    func channelLayout() throws(PCMSettingsError) -> AVAudioChannelLayout? {
        guard let value = values[AVChannelLayoutKey] else { return nil }
        guard let data = value as? Data ?? (value as? NSData).map({ Data(referencing: $0) }),
            let arrangement = ChannelArrangement(data), 1...Self.mostChannels ~= Int(arrangement.channelCount)
        else { throw PCMSettingsError(AVChannelLayoutKey, value, expected: "the bytes of an AudioChannelLayout") }
        return AVAudioChannelLayout(arrangement)
    }

    /// How many channels there are, the layout's if nothing else is said.
    func channelCount(_ layout: AVAudioChannelLayout?) throws(PCMSettingsError) -> Int? {
        let ofLayout = layout.map { Int($0.arrangement.channelCount) }
        let allowed = 1...Self.mostChannels
        let count = try whole(
            AVNumberOfChannelsKey, in: { allowed ~= $0 }, "from \(allowed.lowerBound) to \(allowed.upperBound)")
        guard let count, let ofLayout else { return count ?? ofLayout }
        guard count == ofLayout else {
            throw PCMSettingsError(AVNumberOfChannelsKey, count, expected: "\(ofLayout), as AVChannelLayoutKey says")
        }
        return count
    }
}

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

/// What is wrong with settings for samples.
package struct PCMSettingsError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The key of the value.
    package let key: String
    /// The value in words, `nil` if it is missing.
    package let value: String?
    /// What would do.
    let expected: String

    /// A value that makes no sense.
    init(_ key: String, _ value: Any, expected: String) {
        // A value may be anything, of any length.
        (self.key, self.value, self.expected) = (key, String(String(describing: value).prefix(100)), expected)
    }

    /// A value that has to be there.
    init(missing key: String) { (self.key, value, expected) = (key, nil, "a value") }

    /// The key, its value, and what would do.
    package var description: String {
        guard let value else { return "\(key) is missing." }
        return "\(key) cannot be \(value): it has to be \(expected)."
    }
}
