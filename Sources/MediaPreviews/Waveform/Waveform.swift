internal import AssetReadWrite
public import Foundation
public import MediaAsset
public import MediaCore

/// The shape of a film's sound: for each short stretch of it, how far it swings down and up.
///
/// Beyond AVFoundation. It is what BBC's audiowaveform makes, and is written in the same forms, which peaks.js
/// and waveform-data.js read.
public struct Waveform: Sendable, Hashable {
    /// The version of the data that is written, in which there may be several channels.
    public static let version = 2

    /// Samples of the sound in a second.
    public let sampleRate: Int
    /// Samples of the sound in a point, the last of which may have fewer.
    ///
    /// Where a number of points was asked for, they may differ by one sample; this is the rounded mean then.
    public let samplesPerPoint: Int
    /// Bits of each value, 8 or 16: from −128 to 127, or from −32,768 to 32,767.
    public let bits: Int
    /// How many waveforms there are beside one another: 1, or as many as the sound has channels.
    public let channels: Int
    /// Two values for each channel of each point, the smallest sample and the greatest.
    ///
    /// All channels of a point stand together: `[low 0, high 0, low 1, high 1, …]`.
    public let data: [Int16]

    /// How many points there are.
    public var length: Int { data.count / (2 * channels) }

    /// Makes a waveform of what was measured.
    ///
    /// - Parameters:
    ///   - channels: From 1 on.
    ///   - data: Twice as many values as channels, or a multiple of that.
    init(sampleRate: Int, samplesPerPoint: Int, bits: Int, channels: Int, data: [Int16]) {
        (self.sampleRate, self.samplesPerPoint, self.bits) = (sampleRate, samplesPerPoint, bits)
        (self.channels, self.data) = (channels, data)
    }
}

/// How fine a waveform is, and what it keeps of the sound.
///
/// Beyond AVFoundation. What is out of range fails with ``WaveformSettingsError``.
public struct WaveformSettings: Sendable, Hashable {
    /// How many samples of sound there are to a point.
    public enum Resolution: Sendable, Hashable {
        /// So many samples, from 2 to 2³¹ − 1, make a point.
        case samplesPerPoint(Int)
        /// So many points, from 1 on, make a second.
        ///
        /// Points are of whole samples, as in audiowaveform: where the sample rate is no multiple of the number, each
        /// has the fraction of a sample less, and a second has more points than asked for. 44,100 Hz at 1000 points a
        /// second are 44 samples a point.
        case pointsPerSecond(Int)
        /// So many points, from 1 to 2²⁶, make the whole of a film whose length is known.
        ///
        /// Of `n` samples and `p` points, point `k` has the samples from `⌊k × n ÷ p⌋` up to, not including,
        /// `⌊(k + 1) × n ÷ p⌋`: points differ by one sample at most, and what they have too little or too much never
        /// adds up.
        case pointCount(Int)
        /// So many points of as many whole samples each, or fewer, from 1 to 2²⁶, make the whole of a film whose length is
        /// known.
        case atMost(Int)
    }

    /// How many samples make a point; 256 by default.
    public var resolution = Resolution.samplesPerPoint(256)
    /// Bits of a point's values, 8 or 16; 16 by default.
    public var bits = 16
    /// Whether each channel has a waveform of its own, instead of one for the mean of all; `false` by default.
    public var splitsChannels = false

    /// Makes the usual settings: 256 samples a point, 16 bits, channels mixed into one.
    public init() {}

    /// The fewest samples of a point.
    static let minimumSamplesPerPoint = 2
    /// The most samples of a point, a limit of the binary form.
    static let maximumSamplesPerPoint = Int(Int32.max)
    /// The most points that can be asked for.
    static let maximumPointCount = 1 << 26

    /// Checks what can be told without knowing the film.
    ///
    /// - Throws: ``WaveformSettingsError`` for numbers out of range.
    public func check() throws(WaveformSettingsError) {
        guard bits == 8 || bits == 16 else {
            throw WaveformSettingsError(reason: "a waveform has 8 or 16 bits, not \(bits)")
        }
        switch resolution {
        case .samplesPerPoint(let count):
            try WaveformSettingsError.check(
                "samples per point", count, Self.minimumSamplesPerPoint...Self.maximumSamplesPerPoint)
        case .pointsPerSecond(let count):
            try WaveformSettingsError.check("points per second", count, 1...Self.maximumSamplesPerPoint)
        case .pointCount(let count), .atMost(let count):
            try WaveformSettingsError.check("the number of points", count, 1...Self.maximumPointCount)
        }
    }
}

/// A waveform that cannot be made, or not be drawn, as was asked for.
///
/// Beyond AVFoundation.
public struct WaveformSettingsError: BridgedError, CustomStringConvertible {
    /// Why, in one line.
    public let reason: String
    /// The reason.
    public var description: String { reason }
}

extension WaveformSettingsError {
    /// - Throws: An error that names the number if it lies outside of a range.
    static func check(_ name: String, _ value: Int, _ range: ClosedRange<Int>) throws(WaveformSettingsError) {
        guard !range.contains(value) else { return }
        throw WaveformSettingsError(
            reason: "\(name) must be from \(range.lowerBound) to \(range.upperBound), not \(value)")
    }
}

extension AVAsset {
    /// The waveform of the sound of a track.
    ///
    /// Where the film has a gap, and before a track that begins late, there is silence.
    ///
    /// Beyond AVFoundation.
    ///
    /// - Parameters:
    ///   - settings: How fine it is.
    ///   - range: Of which part, on the asset's timeline; `nil` for all.
    ///   - trackID: The track's number; `nil` for the one that players play.
    ///   - allowsDamagedMedia: Whether damaged sound, and a file that ends early, are no errors.
    ///   - progress: Called with how much of it is done, from 0 to 1.
    /// - Throws: `WaveformSettingsError` for settings that make no sense; what decoding fails with, as
    ///   `AssetSound.Iterator.next()` tells; `CancellationError`.
    /// - Complexity: Decodes all of the sound once; memory grows with the number of points.
    public func waveform(
        _ settings: WaveformSettings, in range: CMTimeRange? = nil, trackID: CMPersistentTrackID? = nil,
        allowsDamagedMedia: Bool = false, progress: (Double) -> Void = { _ in }
    ) async throws -> Waveform {
        try settings.check()
        let duration = try await load(.duration)
        let start = range?.start ?? .zero
        let end = range.map { CMTimeMinimum($0.end, duration) } ?? duration
        var builder: WaveformBuilder?
        var reached: Int64 = 0
        for try await piece in sound(in: range, trackID: trackID, allowsDamagedMedia: allowsDamagedMedia) {
            let rate = CMTimeScale(clamping: piece.sampleRate)
            func samples(_ time: CMTime) -> Int64 {
                time.isNumeric ? time.convertScale(rate, method: .roundHalfAwayFromZero).value : 0
            }
            if builder == nil {
                builder = try WaveformBuilder(
                    sampleRate: piece.sampleRate, channels: piece.channelCount, settings: settings,
                    sampleCount: Int(max(1, samples(end - start))))
            }
            let gap = samples(piece.time - start) - reached
            if gap > 0 { try builder?.addSilence(samples: Int(gap)) }
            try piece.withChannels { channels in try builder?.add(channels: channels) }
            reached += max(0, gap) + Int64(piece.sampleCount)
            if end > start { progress(min(1, (piece.time - start).seconds / (end - start).seconds)) }
        }
        guard let waveform = builder.take()?.finish() else {
            throw AVError(.noSourceTrack, reason: "there is no sound there")
        }
        return waveform
    }
}

extension Waveform {
    /// How high a drawn waveform is.
    ///
    /// Beyond AVFoundation.
    public enum AmplitudeScale: Sendable, Hashable {
        /// Values times a number above zero, cut at the edges; with 1 the loudest that sound can be fills the height.
        case factor(Double)
        /// The loudest point of all channels fills the height.
        case auto
    }
}

extension Waveform {
    /// The waveform as audiowaveform's JSON, in one line with a line break at its end.
    ///
    /// Points are called pixels there.
    ///
    /// - Complexity: Up to 7 bytes for each value.
    public var json: Data {
        let head =
            #"{"version":\#(Self.version),"channels":\#(channels),"sample_rate":\#(sampleRate),"#
            + #""samples_per_pixel":\#(samplesPerPoint),"bits":\#(bits),"length":\#(length),"data":["#
        var text = Array(head.utf8)
        text.reserveCapacity(text.count + data.count * (bits == 8 ? 4 : 6) + 4)
        for (index, value) in data.enumerated() {
            if index > 0 { text.append(UInt8(ascii: ",")) }
            Self.append(value, to: &text)
        }
        text += "]}\n".utf8
        return Data(text)
    }

    /// The waveform as audiowaveform's binary data, version 2.
    ///
    /// A header of 24 bytes, all little-endian: the version; 1 for 8 bits, 0 for 16; samples a second; samples a
    /// point; points; channels. Then the values, of one or two bytes each.
    public var dat: Data {
        let header = [
            UInt32(Self.version), bits == 8 ? 1 : 0, UInt32(clamping: sampleRate), UInt32(clamping: samplesPerPoint),
            UInt32(clamping: length), UInt32(clamping: channels),
        ]
        var bytes: [UInt8] = []
        bytes.reserveCapacity(24 + data.count * bits / 8)
        for field in header { withUnsafeBytes(of: field.littleEndian) { bytes.append(contentsOf: $0) } }
        for value in data {
            bytes.append(UInt8(truncatingIfNeeded: value))
            if bits == 16 { bytes.append(UInt8(truncatingIfNeeded: value >> 8)) }
        }
        return Data(bytes)
    }

    /// Writes a number's digits; strings of their own would take several times as long.
    private static func append(_ value: Int16, to text: inout [UInt8]) {
        if value < 0 { text.append(UInt8(ascii: "-")) }
        let magnitude = value.magnitude
        var divisor: UInt16 = 1
        while magnitude / divisor >= 10 { divisor *= 10 }
        while divisor > 0 {
            text.append(UInt8(ascii: "0") + UInt8(magnitude / divisor % 10))
            divisor /= 10
        }
    }
}
