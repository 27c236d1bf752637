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
