internal import FFmpegKit
internal import Foundation
internal import MediaAsset
internal import MediaContainers
internal import MediaCore
internal import SampleBuffers

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
