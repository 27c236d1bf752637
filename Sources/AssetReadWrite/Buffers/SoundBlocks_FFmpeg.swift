internal import FFmpegKit
internal import MediaCore
package import MediaEngine
internal import SampleBuffers

extension SoundOutputSettings {
    /// What decoders' sound is made first.
    ///
    /// - Parameter channels: How many the source has.
    func form(channels: Int?) throws -> SoundForm {
        SoundForm(
            sampleRate: layout.sampleRate.map { Int($0.rounded()) },
            channelLayout: try channelLayout(channels: channels),
            sampleFormat: PCMPacking.sampleFormat(
                isFloat: layout.isFloat, bits: layout.bits, isInterleaved: layout.isInterleaved))
    }
}

/// Gives decoded sound as sample buffers.
final class SoundSamples: SampleFeeding {
    private let sound: any SoundFeeding
    private let layout: PCMLayout
    private var format: (key: FormatKey, description: CMFormatDescription)?

    /// What the description of sound depends on.
    private struct FormatKey: Equatable {
        var rate: Int
        var channels: Int
        var mask: UInt64?
    }

    init(_ sound: any SoundFeeding, _ settings: SoundOutputSettings) { (self.sound, layout) = (sound, settings.layout) }

    func next() throws -> CMSampleBuffer? {
        guard let piece = try sound.next() else { return nil }
        let frame = piece.frame
        let (block, bytes) = (try CMBlockBuffer(copying: bytes(of: frame)), bytesPerFrame(frame))
        let timing = CMSampleTimingInfo(
            duration: CMTime(value: 1, timescale: piece.start.timescale), presentationTimeStamp: piece.start,
            decodeTimeStamp: .invalid)
        return try CMSampleBuffer(
            dataBuffer: block, formatDescription: description(of: frame), numSamples: frame.sampleCount,
            sampleTimings: [timing], sampleSizes: [bytes])
    }

    private func bytesPerFrame(_ frame: Frame) -> Int { layout.bits / 8 * frame.channels }

    private func description(of frame: Frame) -> CMFormatDescription {
        let key = FormatKey(rate: frame.sampleRate, channels: frame.channels, mask: frame.channelMask)
        if let format, format.key == key { return format.description }
        let made = CMFormatDescription(
            mediaType: .audio, mediaSubType: .linearPCM, dimensions: CMVideoDimensions(width: 0, height: 0),
            extensions: [:],
            streamDescription: layout.streamDescription(
                sampleRate: Double(frame.sampleRate), channels: frame.channels),
            channelLayout: ManagedAudioChannelLayout(mask: frame.channelMask))
        format = (key, made)
        return made
    }

    // MARK: Bytes

    /// All planes one after the other.
    private func bytes(of frame: Frame) -> [UInt8] {
        let packing = packing
        return frame.withSamples { planes in
            let samples = planes.map { $0.count / packing.frameWidth }.reduce(0, +)
            return [UInt8](unsafeUninitializedCapacity: samples * packing.width) { buffer, count in
                var place = 0
                for plane in planes {
                    packing.pack(
                        plane,
                        to: UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[place...]))
                    place += plane.count / packing.frameWidth * packing.width
                }
                count = place
            }
        }
    }

    /// Core Audio's bytes have a sign.
    private var packing: PCMPacking {
        PCMPacking(bits: layout.bits, isSigned: true, isBigEndian: layout.isBigEndian)
    }
}

extension ManagedAudioChannelLayout {
    /// The arrangement of channels that lie in the order of WAVE's bits; `nil` if it is not known.
    init?(mask: UInt64?) {
        switch mask {
        case 0x4: self.init(tag: kAudioChannelLayoutTag_Mono)
        case 0x3: self.init(tag: kAudioChannelLayoutTag_Stereo)
        case let mask?:
            guard let bits = UInt32(exactly: mask) else { return nil }
            self.init(bitmap: AudioChannelBitmap(rawValue: bits))
        case nil: return nil
        }
    }
}
