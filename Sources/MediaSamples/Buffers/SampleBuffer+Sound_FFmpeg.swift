internal import CoreFoundationNames
internal import FFmpegKit
internal import FormatDescriptions
internal import MediaExport
internal import MediaLoading
internal import SampleBuffers

/// How sound of a sample buffer lies in memory, if it is PCM that can be read.
struct PCMForm {
    let channels: Int
    let sampleRate: Int
    private let bits: Int
    private let isFloat: Bool
    private let isSigned: Bool
    private let isBigEndian: Bool
    private let isInterleaved: Bool
    /// FFmpeg's name of the arrangement of channels.
    let channelLayout: String

    /// - Returns: `nil` for coded sound.
    /// - Throws: `AVError.incorrectlyConfigured` for PCM that cannot be read.
    init?(_ format: CMFormatDescription) throws(AVError) {
        guard let stream = format.audioStreamBasicDescription, stream.mFormatID == kAudioFormatLinearPCM else {
            return nil
        }
        let flags = stream.mFormatFlags
        isFloat = flags & kAudioFormatFlagIsFloat != 0
        isSigned = flags & kAudioFormatFlagIsSignedInteger != 0
        isBigEndian = flags & kAudioFormatFlagIsBigEndian != 0
        isInterleaved = flags & kAudioFormatFlagIsNonInterleaved == 0
        (bits, channels) = (Int(stream.mBitsPerChannel), Int(stream.mChannelsPerFrame))
        guard let rate = Int(exactly: stream.mSampleRate.rounded()), (1...10_000_000).contains(rate),
            (1...64).contains(channels), (isFloat ? [32, 64] : [8, 16, 24, 32]).contains(bits),
            isFloat || isSigned || bits == 8,
            Int(stream.mBytesPerFrame) == bits / 8 * (isInterleaved ? channels : 1)
        else {
            throw AVError(
                .incorrectlyConfigured,
                reason: "PCM of \(bits) bits, \(stream.mChannelsPerFrame) channels, \(stream.mSampleRate) Hz and flags "
                    + "\(flags) cannot be read")
        }
        sampleRate = rate
        channelLayout = Self.layout(format.audioChannelLayout, channels: channels)
    }

    private static func layout(_ stated: ManagedAudioChannelLayout?, channels: Int) -> String {
        if let stated, let name = ChannelNames.name(of: stated, channels: channels) { return name }
        return ChannelNames.usual[channels] ?? "\(channels) channels"
    }

    /// How decoders and encoders have the same samples.
    var frameFormat: FrameFormat.AudioFormat {
        FrameFormat.AudioFormat(
            sampleRate: sampleRate, sampleFormat: sampleFormat, channelLayout: channelLayout, channels: channels)
    }

    private var sampleFormat: String {
        let name =
            switch (isFloat, bits) {
            case (true, 64): "dbl"
            case (true, _): "flt"
            case (false, 8): "u8"
            case (false, 16): "s16"
            default: "s32"
            }
        return isInterleaved ? name : name + "p"
    }

    /// The sound of a sample buffer, copied.
    ///
    /// - Throws: `AVError.incorrectlyConfigured` where there are fewer bytes than samples.
    func frame(of sample: CMSampleBuffer) throws -> Frame {
        let count = CMSampleBufferGetNumSamples(sample)
        guard let block = CMSampleBufferGetDataBuffer(sample) else {
            throw AVError(.incorrectlyConfigured, reason: "a sample buffer has no data")
        }
        let bytes = [UInt8](try block.dataBytes())
        let needed = count.multipliedReportingOverflow(by: bits / 8 * channels)
        guard count > 0, !needed.overflow, bytes.count >= needed.partialValue else {
            throw AVError(
                .incorrectlyConfigured,
                reason: "a sample buffer of \(count) samples has \(bytes.count) bytes, fewer than these take")
        }
        return try Frame.sound(samples: count, like: frameFormat) { planes in
            bytes.withUnsafeBytes { source in
                let part = needed.partialValue / max(1, planes.count)
                for (index, plane) in planes.enumerated() {
                    read(UnsafeRawBufferPointer(rebasing: source[(index * part)..<((index + 1) * part)]), into: plane)
                }
            }
        }
    }

    private func read(_ source: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer) {
        let width = bits / 8
        if bits == 24 {
            for index in 0..<(source.count / 3) {
                var value: UInt32 = 0
                for byte in 0..<3 {
                    value |= UInt32(source[3 * index + byte]) << UInt32(isBigEndian ? 24 - 8 * byte : 8 + 8 * byte)
                }
                target.storeBytes(of: value, toByteOffset: 4 * index, as: UInt32.self)
            }
            return
        }
        target.copyMemory(from: source)
        if bits == 8, isSigned { for index in 0..<source.count { target[index] ^= 0x80 } }
        guard isBigEndian, width > 1 else { return }
        for start in stride(from: 0, to: source.count - width + 1, by: width) {
            for byte in 0..<(width / 2) { target.swapAt(start + byte, start + width - 1 - byte) }
        }
    }
}
