internal import FFmpegKit
internal import MediaCore
internal import MediaEngine
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

/// Gives decoded sound as sample buffers of 8,192 frames each, as AVFoundation does; fewer before a gap, before sound of
/// another form, and at the end.
final class SoundSamples: SampleFeeding {
    private static let framesPerBuffer = 8192

    private let sound: any SoundFeeding
    private let layout: PCMLayout
    private var format: (key: FormatKey, description: CMFormatDescription)?
    /// What was decoded and not given yet.
    private var rest: FedSound?
    /// Why there is no more, once what came before it was given.
    private var failure: (any Error)?

    /// What the description of sound depends on.
    private struct FormatKey: Equatable {
        var rate: Int
        var channels: Int
        var mask: UInt64?
    }

    init(_ sound: any SoundFeeding, _ settings: SoundOutputSettings) { (self.sound, layout) = (sound, settings.layout) }

    func next() throws -> CMSampleBuffer? {
        let (pieces, count) = try gathered()
        guard let first = pieces.first else { return nil }
        let (block, bytes) = (try CMBlockBuffer(copying: bytes(of: pieces.map(\.frame))), bytesPerFrame(first.frame))
        let timing = CMSampleTimingInfo(
            duration: CMTime(value: 1, timescale: first.start.timescale), presentationTimeStamp: first.start,
            decodeTimeStamp: .invalid)
        return try CMSampleBuffer(
            dataBuffer: block, formatDescription: description(of: first.frame), numSamples: count,
            sampleTimings: [timing], sampleSizes: [bytes])
    }

    /// The pieces of the next buffer, which follow each other without a gap, and how many frames they have.
    private func gathered() throws -> ([FedSound], count: Int) {
        var (pieces, count): ([FedSound], Int) = ([], 0)
        while count < Self.framesPerBuffer, let piece = try following(isFirst: pieces.isEmpty) {
            if let first = pieces.first, !piece.goesOn(from: first, after: count) {
                rest = piece
                break
            }
            let (frame, free) = (piece.frame, Self.framesPerBuffer - count)
            if frame.sampleCount > free {
                rest = FedSound(
                    frame: try frame.part(of: free..<frame.sampleCount),
                    start: piece.start + CMTime(value: Int64(free), timescale: piece.start.timescale))
            }
            let part =
                frame.sampleCount > free ? FedSound(frame: try frame.part(of: 0..<free), start: piece.start) : piece
            pieces.append(part)
            count += part.frame.sampleCount
        }
        return (pieces, count)
    }

    private func following(isFirst: Bool) throws -> FedSound? {
        if let piece = rest {
            rest = nil
            return piece
        }
        if let failure { throw failure }
        do {
            return try sound.next()
        } catch  where !isFirst {
            failure = error
            return nil
        }
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

    /// All planes one after the other, each with the samples of all frames.
    private func bytes(of frames: [Frame]) -> [UInt8] {
        let (packing, isInterleaved) = (packing, layout.isInterleaved)
        let width = packing.width * (isInterleaved ? frames.first?.channels ?? 0 : 1)
        let planeSize = frames.map(\.sampleCount).reduce(0, +) * width
        let size = planeSize * (isInterleaved ? 1 : frames.first?.channels ?? 0)
        return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            let bytes = UnsafeMutableRawBufferPointer(buffer)
            var start = 0
            for frame in frames {
                frame.withSamples { planes in
                    for (number, plane) in planes.enumerated() {
                        let place = number * planeSize + start
                        packing.pack(plane, to: UnsafeMutableRawBufferPointer(rebasing: bytes[place...]))
                    }
                }
                start += frame.sampleCount * width
            }
            count = size
        }
    }

    /// Core Audio's bytes have a sign.
    private var packing: PCMPacking {
        PCMPacking(bits: layout.bits, isSigned: true, isBigEndian: layout.isBigEndian)
    }
}

extension FedSound {
    /// Whether it is where sound that began with another piece stands after some frames, and of the same form.
    fileprivate func goesOn(from first: FedSound, after count: Int) -> Bool {
        start == first.start + CMTime(value: Int64(count), timescale: first.start.timescale)
            && frame.sampleRate == first.frame.sampleRate && frame.channels == first.frame.channels
            && frame.channelMask == first.frame.channelMask
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
