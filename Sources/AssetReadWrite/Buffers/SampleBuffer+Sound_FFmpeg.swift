internal import FFmpegKit
internal import MediaCore
package import MediaEngine
internal import SampleBuffers

/// How sound of a sample buffer lies in memory, if it is PCM that can be read.
struct PCMForm {
    let channels: Int
    let sampleRate: Int
    private let bits: Int
    private let isFloat: Bool
    private let isInterleaved: Bool
    private let packing: PCMPacking
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
        let isSigned = flags & kAudioFormatFlagIsSignedInteger != 0
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
        packing = PCMPacking(
            bits: bits, isSigned: isSigned, isBigEndian: flags & kAudioFormatFlagIsBigEndian != 0)
        channelLayout = Self.layout(format.audioChannelLayout, channels: channels)
    }

    private static func layout(_ stated: ManagedAudioChannelLayout?, channels: Int) -> String {
        if let stated, let name = ChannelNames.name(of: stated, channels: channels) { return name }
        return ChannelNames.usual[channels] ?? "\(channels) channels"
    }

    /// How decoders and encoders have the same samples.
    var frameFormat: FrameFormat.AudioFormat {
        FrameFormat.AudioFormat(
            sampleRate: sampleRate,
            sampleFormat: PCMPacking.sampleFormat(isFloat: isFloat, bits: bits, isInterleaved: isInterleaved),
            channelLayout: channelLayout, channels: channels)
    }

    /// The sound of a sample buffer, copied.
    ///
    /// - Throws: `AVError.incorrectlyConfigured` where there are fewer bytes than samples.
    func frame(of sample: CMSampleBuffer) throws -> Frame {
        let count = CMSampleBufferGetNumSamples(sample)
        guard let block = CMSampleBufferGetDataBuffer(sample) else {
            throw AVError(.incorrectlyConfigured, reason: "a sample buffer has no data")
        }
        let needed = count.multipliedReportingOverflow(by: bits / 8 * channels)
        guard count > 0, !needed.overflow, block.dataLength >= needed.partialValue else {
            throw AVError(
                .incorrectlyConfigured,
                reason: "a sample buffer of \(count) samples has \(block.dataLength) bytes, fewer than these take")
        }
        let part = needed.partialValue / planeCount
        return try block.withContiguousStorage { source in
            try frame(
                of: (0..<planeCount).map { UnsafeRawBufferPointer(rebasing: source[($0 * part)..<(($0 + 1) * part)]) },
                count: count)
        }
    }

    /// Pieces of memory that the channels lie in.
    var planeCount: Int { isInterleaved ? 1 : channels }
    /// Bytes of a frame in one of them.
    var bytesPerFrame: Int { packing.width * (isInterleaved ? channels : 1) }

    /// Samples in memory, copied.
    ///
    /// - Parameters:
    ///   - planes: ``planeCount`` pieces of memory with as many frames each.
    ///   - count: How many frames, above zero.
    func frame(of planes: [UnsafeRawBufferPointer], count: Int) throws -> Frame {
        try Frame.sound(samples: count, like: frameFormat) { targets in
            for (source, target) in zip(planes, targets) { packing.unpack(source, to: target) }
        }
    }

    /// Copies a part of a frame that has this form into memory.
    ///
    /// - Parameters:
    ///   - part: Of the frame's samples.
    ///   - planes: ``planeCount`` pieces of memory with room for as many.
    func copy(_ part: Range<Int>, of frame: Frame, to planes: [UnsafeMutableRawBufferPointer]) {
        let step = packing.frameWidth * (isInterleaved ? channels : 1)
        frame.withSamples { sources in
            for (source, target) in zip(sources, planes) {
                packing.pack(
                    UnsafeRawBufferPointer(rebasing: source[(part.lowerBound * step)..<(part.upperBound * step)]),
                    to: target)
            }
        }
    }
}
