internal import FFmpegKit
internal import Foundation
internal import MediaAsset
internal import MediaContainers
internal import MediaCore
internal import MediaEngine
internal import SampleBuffers

/// Takes coded samples that stay as they are.
final class CodedIntake: SampleIntake {
    private let assembly: SampleAssembly
    private let track: Int
    private let description: InputDescription
    private let session: IntakeSession
    private var timeBase: TimeBase?
    /// What the file says of the samples.
    private var format: CMFormatDescription?
    /// The last sample, if it does not tell how long it lasts: what comes next tells, but for the last of all.
    private var waiting: (packet: Packet, step: Int64?)?
    private var lastDecode: Int64?
    /// Samples before the file's zero, which some containers cannot hide.
    private let keepsEarly: Bool

    init(_ assembly: SampleAssembly, track: Int, _ description: InputDescription, _ session: IntakeSession) throws {
        (self.assembly, self.track, self.description, self.session) = (assembly, track, description, session)
        keepsEarly = assembly.hidesByEditList
        // Descriptions that are not of samples do not say all that the file's header has to.
        if let hint = description.sourceFormatHint, hint.details is CodedStreamDetails || hint.boxedMetadata != nil {
            try open(hint)
        }
    }

    var hasRoom: Bool { assembly.hasRoom }

    /// Metadata that lasts until something else holds, or the file ends.
    var awaitsEnd: Bool { waiting != nil && !description.isPicture }

    func append(_ buffer: CVPixelBuffer, at time: CMTime) throws {
        throw AVError(
            .incorrectlyConfigured, reason: "pictures are not coded yet: their input needs outputSettings")
    }

    func append(_ sample: CMSampleBuffer) throws {
        guard let format = CMSampleBufferGetFormatDescription(sample), let block = CMSampleBufferGetDataBuffer(sample)
        else {
            throw AVError(
                .incorrectlyConfigured, reason: "a coded sample has no data or no format description")
        }
        let start = CMSampleBufferGetPresentationTimeStamp(sample)
        if timeBase == nil { try open(format, first: start) }
        guard let timeBase else { return }
        if let known = self.format, known !== format {
            guard known == format else {
                throw AVError(
                    .incorrectlyConfigured,
                    reason: "a coded sample has another format description than those before: a track has one")
            }
            self.format = format
        }
        // What says that nothing holds may have no bytes.
        if block.isEmpty, format.boxedMetadata != nil {
            return try BoxedMetadataDescription.sample(of: []).withUnsafeBytes {
                try send(all: $0, of: sample, timeBase)
            }
        }
        try block.withContiguousStorage { bytes in
            if let frames = format.framesOfPCM(in: bytes.count) {
                guard start.isNumeric else {
                    throw AVError(.incorrectlyConfigured, reason: "a coded sample has no times")
                }
                let timing = CMSampleTimingInfo(
                    duration: frames, presentationTimeStamp: start, decodeTimeStamp: .invalid)
                return try send(bytes, timing, SampleFlags(of: sample, at: 0), timeBase)
            }
            try send(all: bytes, of: sample, timeBase)
        }
    }

    /// Sends the samples of a buffer, one by one.
    private func send(all bytes: UnsafeRawBufferPointer, of sample: CMSampleBuffer, _ timeBase: TimeBase) throws {
        let count = CMSampleBufferGetNumSamples(sample)
        var offset = 0
        for index in 0..<count {
            let size = count == 1 ? bytes.count : CMSampleBufferGetSampleSize(sample, at: index)
            guard size > 0, size <= bytes.count - offset else {
                throw AVError(.incorrectlyConfigured, reason: "the sizes of coded samples do not fit their data")
            }
            var timing = CMSampleTimingInfo()
            guard CMSampleBufferGetSampleTimingInfo(sample, at: index, timingInfoOut: &timing) == 0 else {
                throw AVError(.incorrectlyConfigured, reason: "a coded sample has no times")
            }
            try send(
                UnsafeRawBufferPointer(rebasing: bytes[offset..<(offset + size)]), timing,
                SampleFlags(of: sample, at: index), timeBase)
            offset += size
        }
    }

    /// What is said of one sample.
    private struct SampleFlags {
        var isSync = true
        var isHidden = false

        init(of sample: CMSampleBuffer, at index: Int) {
            guard let list = CMSampleBufferGetSampleAttachmentsArray(sample, createIfNecessary: false),
                index < list.count, let said = list[index] as? NSDictionary
            else { return }
            isSync = (said.object(forKey: kCMSampleAttachmentKey_NotSync) as? NSNumber)?.boolValue != true
            isHidden = (said.object(forKey: kCMSampleAttachmentKey_DoNotDisplay) as? NSNumber)?.boolValue == true
        }
    }

    private func send(
        _ bytes: UnsafeRawBufferPointer, _ timing: CMSampleTimingInfo, _ said: SampleFlags, _ timeBase: TimeBase
    ) throws {
        func ticks(_ time: CMTime) -> Int64? { time.isNumeric ? timeBase.ticks(nearest: time - session.start) : nil }
        let presentation = ticks(timing.presentationTimeStamp)
        var decode = ticks(timing.decodeTimeStamp)
        var duration = timing.duration.isNumeric ? timeBase.ticks(nearest: timing.duration) : nil
        let end = (presentation ?? decode).map { $0.addingReportingOverflow(duration ?? 0).partialValue }
        if let end, !said.isHidden { assembly.note(end: timeBase.time(of: end)) }
        if !keepsEarly, let end, end <= 0, description.isSound { return }
        // What is not shown must not make the track longer.
        if said.isHidden { duration = nil }
        decode = decode ?? (description.isPicture ? nil : presentation)
        let packet = try Packet.make(
            bytes, presentation: presentation, decode: decode, duration: duration, isKey: said.isSync,
            isDiscarded: said.isHidden)
        try sendWaiting()
        let step = (decode ?? presentation).flatMap { decode in lastDecode.map { decode - $0 } }
        lastDecode = decode ?? presentation
        if duration == nil, !said.isHidden {
            waiting = (packet, step)
        } else {
            try assembly.send(packet, track: track, timeBase: timeBase)
        }
    }

    private func sendWaiting() throws {
        guard let (packet, _) = waiting, let timeBase else { return }
        waiting = nil
        try assembly.send(packet, track: track, timeBase: timeBase)
    }

    /// Sends a last sample that does not tell how long it lasts: as long as the one before it, or up to the end.
    private func sendLast(_ end: CMTime?) throws {
        guard let (packet, step) = waiting, let timeBase else { return }
        let start = packet.presentationTicks ?? packet.decodeTicks ?? 0
        // Metadata holds until the film ends, if nobody says otherwise.
        let last =
            end.map { $0 - session.start } ?? (description.isPicture || description.isSound ? nil : assembly.latestEnd)
        let room = last.map { timeBase.ticks(nearest: $0).subtractingReportingOverflow(start).partialValue }
        let duration = max(1, room ?? step ?? 1)
        assembly.note(end: timeBase.time(of: start.addingReportingOverflow(duration).partialValue))
        waiting = (
            try packet.retimed(
                presentation: packet.presentationTicks, decode: packet.decodeTicks, duration: duration),
            step
        )
        try sendWaiting()
    }

    private func open(_ format: CMFormatDescription, first: CMTime = .invalid) throws {
        self.format = format
        let data = format.dataDescription
        let stream = try data == nil ? format.codedStream(description, first: first) : format.dataStream(description)
        timeBase = stream.timeBase
        try assembly.declare(stream, as: data, track: track)
    }

    func finish(at end: CMTime?) throws {
        try sendLast(end)
        try assembly.finish(track: track)
    }
}

extension CMFormatDescription {
    /// How a movie describes a track of such samples; `nil` for pictures, sound, subtitles.
    fileprivate var dataDescription: DataTrackDescription? {
        (details as? CodedStreamDetails)?.track.dataDescription ?? boxedMetadata.map { DataTrackDescription($0) }
    }

    /// What a muxer has to know of timed metadata, timecode and the like.
    fileprivate func dataStream(_ input: InputDescription) throws -> CodedStream {
        let known = (details as? CodedStreamDetails)?.stream
        var traits = input.traits(over: known?.traits ?? StreamTraits())
        traits.metadata["handler_name"] = traits.metadata["handler_name"] ?? "TimedMetadataHandler"
        let timeBase = input.mediaTimeScale.map { TimeBase(numerator: 1, denominator: $0) }
        return try CodedStream(
            describedLater: timeBase ?? known?.timeBase ?? TimeBase(numerator: 1, denominator: 90_000), traits: traits)
    }

    /// What a muxer has to know of samples of this description.
    ///
    /// - Parameter first: When the first one is shown.
    /// - Throws: `AVError.incorrectlyConfigured` for descriptions that do not say how samples are decoded.
    func codedStream(_ input: InputDescription, first: CMTime) throws -> CodedStream {
        if let known = details as? CodedStreamDetails {
            return known.stream.with(input.traits(over: known.stream.traits), ticks: input.mediaTimeScale)
        }
        return try mediaType == .audio ? clientsSound(input) : clientsPictures(input, first)
    }
}

// Samples that a client encoded itself, or got from elsewhere than a reader.

extension CMFormatDescription {
    /// How long linear PCM of so many bytes lasts, which is one sample of a file whatever a sample buffer calls it; `nil`
    /// for other samples.
    func framesOfPCM(in bytes: Int) -> CMTime? {
        guard let stream = audioStreamBasicDescription, stream.mFormatID == kAudioFormatLinearPCM,
            stream.mBytesPerFrame > 0, let rate = Int32(exactly: stream.mSampleRate)
        else { return nil }
        return CMTime(value: Int64(bytes / Int(stream.mBytesPerFrame)), timescale: rate)
    }

    /// What a muxer has to know of pictures.
    ///
    /// - Parameter first: When the first one is shown, which tells a useful clock.
    func clientsPictures(_ input: InputDescription, _ first: CMTime) throws -> CodedStream {
        let type = mediaSubType.rawValue
        guard let codec = Self.pictureCodecs[type] else { throw cannotBeWritten("") }
        var (size, configuration) = ((width: Int(dimensions.width), height: Int(dimensions.height)), [UInt8]())
        if [.h264, .hevc].contains(codec) {
            guard let sets = decoderSets, sets.codec == codec, let bytes = sets.configuration else {
                throw cannotBeWritten(": their description has no parameter sets")
            }
            configuration = bytes
            if size.width < 1 || size.height < 1 { size = sets.size }
        }
        guard size.width > 0, size.height > 0 else { throw cannotBeWritten(": their description has no size") }
        // Of H.264 and HEVC the container has a form of its own.
        let tag = codec == .proRes ? fourCharacters(type) : nil
        // In finer ones a few seconds are more ticks than sample tables count.
        let isUseful = first.isNumeric && (1000...1_000_000).contains(first.timescale)
        let ticks = input.mediaTimeScale ?? (isUseful ? first.timescale : 90_000)
        return try CodedStream(
            pictures: codec, width: size.width, height: size.height, configuration: configuration, tag: tag,
            timeBase: TimeBase(numerator: 1, denominator: ticks), traits: input.traits)
    }

    private static let pictureCodecs: [FourCharCode: Codec] = [
        kCMVideoCodecType_H264: .h264, 0x6176_6333: .h264, kCMVideoCodecType_HEVC: .hevc, 0x6865_7631: .hevc,
        kCMVideoCodecType_JPEG: .motionJPEG, 0x706E_6720: .png,
        kCMVideoCodecType_AppleProRes4444XQ: .proRes, kCMVideoCodecType_AppleProRes4444: .proRes,
        kCMVideoCodecType_AppleProRes422HQ: .proRes, kCMVideoCodecType_AppleProRes422: .proRes,
        kCMVideoCodecType_AppleProRes422LT: .proRes, kCMVideoCodecType_AppleProRes422Proxy: .proRes,
    ]

    /// What a muxer has to know of sound.
    func clientsSound(_ input: InputDescription) throws -> CodedStream {
        guard let stream = audioStreamBasicDescription, let rate = Int32(exactly: stream.mSampleRate), rate > 0,
            (1...64).contains(stream.mChannelsPerFrame)
        else { throw cannotBeWritten(": their description has no rate or no channels") }
        let (channels, format) = (Int(stream.mChannelsPerFrame), stream.mFormatID)
        let named = audioChannelLayout.flatMap { ChannelNames.name(of: $0, channels: channels) }
        let layout = named ?? ChannelNames.usual[channels] ?? "\(channels) channels"
        var (codec, bits, configuration) = (Self.soundCodecs[format], 0, [UInt8](magicCookie ?? Data()))
        if format == kAudioFormatLinearPCM {
            codec = try packedPCM(stream)
            bits = Int(stream.mBitsPerChannel)
        }
        guard let codec else { throw cannotBeWritten("") }
        if codec == .aac {
            configuration = try decoderConfiguration(in: configuration)
            if configuration.isEmpty { configuration = try plainAAC(rate: rate, channels: channels) }
        }
        return try CodedStream(
            sound: codec, sampleRate: Int(rate), channelLayout: layout,
            framesPerPacket: format == kAudioFormatLinearPCM ? 0 : Int(stream.mFramesPerPacket), bitsPerSample: bits,
            configuration: configuration,
            timeBase: TimeBase(numerator: 1, denominator: input.mediaTimeScale ?? rate), traits: input.traits)
    }

    private static let soundCodecs: [AudioFormatID: Codec] = [
        kAudioFormatMPEG4AAC: .aac, kAudioFormatMPEGLayer3: .mp3, kAudioFormatAC3: .ac3, kAudioFormatEnhancedAC3: .eac3,
    ]

    /// How PCM is called of which the samples of all channels follow each other without gaps.
    private func packedPCM(_ stream: AudioStreamBasicDescription) throws -> Codec {
        let (flags, bits) = (stream.mFormatFlags, Int(stream.mBitsPerChannel))
        let isFloat = flags & kAudioFormatFlagIsFloat != 0
        guard (isFloat ? [32, 64] : [8, 16, 24, 32]).contains(bits), flags & kAudioFormatFlagIsNonInterleaved == 0,
            Int(stream.mBytesPerFrame) == bits / 8 * Int(stream.mChannelsPerFrame)
        else { throw cannotBeWritten(": PCM is written as it is where channels are interleaved without gaps") }
        return Codec.pcm(
            bits: bits, isFloat: isFloat, isSigned: flags & kAudioFormatFlagIsSignedInteger != 0,
            isBigEndian: flags & kAudioFormatFlagIsBigEndian != 0)
    }

    /// What the decoder gets of a magic cookie, which is that by itself or a descriptor around it.
    private func decoderConfiguration(in cookie: [UInt8]) throws -> [UInt8] {
        // A version and flags may come first, as in the box of movies.
        let bytes = cookie.starts(with: [0, 0, 0, 0, 3]) ? cookie.dropFirst(4) : cookie[...]
        // A configuration by itself is two bytes, or five, and begins with an object type; 3 is one that nobody has.
        guard bytes.first == 3, bytes.count > 13 else { return cookie }
        guard let own = ElementaryStreamDescriptor(bytes)?.decoderConfiguration, !own.isEmpty else {
            throw cannotBeWritten(": their magic cookie is no descriptor of AAC")
        }
        return own
    }

    /// The configuration of AAC-LC.
    ///
    /// Source: ISO/IEC 14496-3, 1.6.2.1.
    private func plainAAC(rate: Int32, channels: Int) throws -> [UInt8] {
        let rates: [Int32] = [
            96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350,
        ]
        guard let index = rates.firstIndex(of: rate), channels <= 6 || channels == 8 else {
            throw cannotBeWritten(": AAC at \(rate) Hz with \(channels) channels needs a magic cookie")
        }
        let value = 2 << 11 | index << 7 | (channels == 8 ? 7 : channels) << 3
        return [UInt8(value >> 8), UInt8(value & 255)]
    }

    private func cannotBeWritten(_ reason: String) -> AVError {
        AVError(
            .incorrectlyConfigured,
            reason: "samples of \(fourCharacters(mediaSubType.rawValue)) cannot be written as they are\(reason)")
    }
}
