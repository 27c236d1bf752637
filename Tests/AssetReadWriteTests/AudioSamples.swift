import AssetReadWrite
import Foundation
import MediaEngine
import MediaTestSupport
import SampleBuffers
import Testing

extension AVAudioPCMBuffer {
    /// The bytes of all frames, one channel after the other where they lie apart.
    var bytes: [UInt8] { withFilledPlanes { planes in planes.flatMap { Array($0) } } }

    /// The floating-point samples of a channel.
    func floats(_ channel: Int) -> [Float] {
        guard let data = floatChannelData else { return [] }
        return (0..<Int(frameLength)).map { data[channel][$0 * stride] }
    }

    /// A buffer of floating-point samples, a channel after the other.
    static func of(_ channels: [[Float]], rate: Double) throws -> AVAudioPCMBuffer {
        let format = try #require(
            AVAudioFormat(standardFormatWithSampleRate: rate, channels: AVAudioChannelCount(channels.count)))
        let count = AVAudioFrameCount(channels.first?.count ?? 0)
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: max(1, count)))
        buffer.frameLength = count
        for (index, samples) in channels.enumerated() {
            for (place, sample) in samples.enumerated() { buffer.floatChannelData?[index][place] = sample }
        }
        return buffer
    }

    /// A part of a buffer of floating-point samples, each channel by itself.
    func part(_ range: Range<Int>) throws -> AVAudioPCMBuffer {
        try .of((0..<Int(format.channelCount)).map { Array(floats($0)[range]) }, rate: format.sampleRate)
    }
}

extension AVAudioFile {
    /// The bytes of the next frames; fewer at the end.
    func bytes(_ count: Int, pieces: Int = 10_007) throws -> [UInt8] {
        var (result, left) = ([UInt8](), count)
        while left > 0 {
            let piece = AVAudioFrameCount(min(left, pieces))
            let buffer = try #require(AVAudioPCMBuffer(pcmFormat: processingFormat, frameCapacity: piece))
            try read(into: buffer)
            guard buffer.frameLength > 0 else { return result }
            result += buffer.bytes
            left -= Int(buffer.frameLength)
        }
        return result
    }
}

/// Sound that is not the same anywhere: a tone that rises, another one in each channel.
func sweep(_ count: Int, channels: Int = 2, rate: Double = 44_100) -> [[Float]] {
    (0..<channels).map { channel in
        (0..<count).map { index in
            let time = Double(index) / rate
            return Float(0.5 * sin(2 * Double.pi * (220 + 100 * Double(channel) + 300 * time) * time))
        }
    }
}

/// Samples of 16 bits as they are nearest to floating-point ones, the channels by turns.
func interleaved16(_ channels: [[Float]]) -> [UInt8] {
    (0..<(channels.first?.count ?? 0)).flatMap { index in
        channels.flatMap { channel in
            let value = Int16(max(-32768, min(32767, (channel[index] * 32768).rounded(.toNearestOrEven))))
            return [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
        }
    }
}

/// Bytes as floating-point numbers.
func floats(_ bytes: [UInt8]) -> [Float] {
    bytes.withUnsafeBytes { bytes in
        stride(from: 0, to: bytes.count - 3, by: 4).map { bytes.loadUnaligned(fromByteOffset: $0, as: Float.self) }
    }
}

/// The mean difference of samples.
func meanDifference(_ one: some Collection<Float>, _ other: some Collection<Float>) -> Float {
    zip(one, other).reduce(0) { $0 + abs($1.0 - $1.1) } / Float(max(1, min(one.count, other.count)))
}

/// One of the usual formats.
func format(
    _ rate: Double, _ channels: AVAudioChannelCount, _ common: AVAudioCommonFormat = .pcmFormatFloat32,
    interleaved: Bool = false
) throws -> AVAudioFormat {
    try #require(
        AVAudioFormat(commonFormat: common, sampleRate: rate, channels: channels, interleaved: interleaved))
}

/// A buffer with room.
func buffer(_ format: AVAudioFormat, _ capacity: Int) throws -> AVAudioPCMBuffer {
    try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(capacity)))
}
