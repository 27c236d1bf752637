internal import MediaCore
internal import MediaEngine
internal import SampleBuffers

/// How a client wants sound encoded, by the keys of AVFoundation.
struct SoundEncodingSettings {
    /// FFmpeg's name of the encoder.
    let encoder: String
    /// Samples in a second; `nil` for those of the first piece.
    let sampleRate: Int?
    /// FFmpeg's name of the arrangement of channels; `nil` for that of the first piece.
    let channelLayout: String?
    /// Bits for each second; `nil` for the usual.
    let bitRate: Int64?
    /// FFmpeg's name of how the encoder gets samples; `nil` for the one that loses least.
    let sampleFormat: String?

    /// - Throws: `AVError.incorrectlyConfigured` for keys that are missing and values that make no sense,
    ///   `encoderNotFound` for a coding that sound cannot be encoded in.
    init(_ settings: [String: Any]) throws(AVError) {
        let values = Values(settings)
        guard let number = try values.whole(AVFormatIDKey, in: Int(Int32.min)...Int(UInt32.max)) else {
            throw AVError(.incorrectlyConfigured, reason: "AVFormatIDKey is missing")
        }
        let format = AudioFormatID(truncatingIfNeeded: number)
        sampleRate = try values.whole(AVSampleRateKey, in: 1...10_000_000)
        var rest = settings
        rest[AVFormatIDKey] = nil
        let channels: PCMLayout
        do { channels = try PCMLayout(settings: rest) } catch {
            throw AVError(.incorrectlyConfigured, reason: error.description)
        }
        channelLayout = try Self.layout(channels)
        bitRate = try Self.bitRate(values, channels: channels.channels)
        if format == kAudioFormatLinearPCM {
            encoder = Self.pcm(channels)
            sampleFormat = PCMPacking.sampleFormat(
                isFloat: channels.isFloat, bits: channels.bits, isInterleaved: true)
            return
        }
        guard let name = Self.codecs[format]?.soundEncoder else {
            throw AVError(
                .encoderNotFound,
                reason: "sound cannot be encoded as \(fourCharacters(format)), but as "
                    + Self.codecs.keys.map(fourCharacters).sorted().joined(separator: ", ") + ", lpcm")
        }
        encoder = name
        let hint = try values.whole(AVEncoderBitDepthHintKey, in: 8...32)
        let isLossless = [kAudioFormatAppleLossless, kAudioFormatFLAC].contains(format)
        // Their encoders differ in how channels lie.
        sampleFormat = isLossless && (hint ?? 16) <= 16 ? (format == kAudioFormatFLAC ? "s16" : "s16p") : nil
    }

    private static let codecs: [AudioFormatID: Codec] = [
        kAudioFormatMPEG4AAC: .aac, kAudioFormatAppleLossless: .alac, kAudioFormatFLAC: .flac,
        kAudioFormatOpus: .opus, kAudioFormatMPEGLayer3: .mp3, kAudioFormatAC3: .ac3, kAudioFormatEnhancedAC3: .eac3,
    ]

    /// Whether the encoder is the one of AAC.
    var isAAC: Bool { encoder == Codec.aac.soundEncoder }

    private static func layout(_ asked: PCMLayout) throws(AVError) -> String? {
        if let layout = asked.channelLayout {
            if let name = ChannelNames.name(of: layout) { return name }
            throw AVError(
                .incorrectlyConfigured, reason: "sound cannot be written with the channel layout \(layout.layoutTag)")
        }
        guard let count = asked.channels else { return nil }
        guard let name = ChannelNames.usual[count] else {
            throw AVError(.incorrectlyConfigured, reason: "\(count) channels need an AVChannelLayoutKey")
        }
        return name
    }

    private static func bitRate(_ values: Values, channels: Int?) throws(AVError) -> Int64? {
        if let rate = try values.whole(AVEncoderBitRateKey, in: 1000...10_000_000) { return Int64(rate) }
        return try values.whole(AVEncoderBitRatePerChannelKey, in: 1000...10_000_000).map {
            Int64($0) * Int64(channels ?? 2)
        }
    }

    private static func pcm(_ layout: PCMLayout) -> String {
        Codec.pcm(
            bits: layout.bits, isFloat: layout.isFloat, isSigned: layout.bits != 8, isBigEndian: layout.isBigEndian
        ).rawValue
    }

    /// Bits for each second that AAC of a number of channels gets if nobody says: what the preset `high` gives it.
    static func usualBitRate(channels: Int) -> Int64? { WriterEncodings.bitRates[channels] }
}

/// What a client asks of decoded sound, by the keys of AVFoundation.
struct SoundOutputSettings {
    let layout: PCMLayout

    /// - Throws: `AVError.incorrectlyConfigured` for values that make no sense and for coded sound.
    init(_ settings: [String: Any]) throws(AVError) {
        do {
            layout = try PCMLayout(settings: settings)
        } catch {
            throw AVError(.incorrectlyConfigured, reason: error.description)
        }
    }
}

/// FFmpeg's names of arrangements of channels, in WAVE's order.
enum ChannelNames {
    /// What as many channels usually are.
    static let usual = [1: "mono", 2: "stereo", 4: "quad", 5: "5.0", 6: "5.1", 7: "6.1", 8: "7.1"]

    /// Tags of arrangements in WAVE's order.
    private static let ofTags = [
        kAudioChannelLayoutTag_Mono: "mono", kAudioChannelLayoutTag_Stereo: "stereo",
        kAudioChannelLayoutTag_StereoHeadphones: "stereo", kAudioChannelLayoutTag_MPEG_3_0_A: "3.0",
        kAudioChannelLayoutTag_MPEG_5_1_A: "5.1", kAudioChannelLayoutTag_Quadraphonic: "quad",
    ]

    /// The names of WAVE's bits, from the lowest one on.
    private static let speakers = [
        "FL", "FR", "FC", "LFE", "BL", "BR", "FLC", "FRC", "BC", "SL", "SR", "TC", "TFL", "TFC", "TFR", "TBL", "TBC",
        "TBR",
    ]

    /// The name of an arrangement; `nil` for one whose channels come in another order, or of other channels.
    ///
    /// - Parameter channels: How many there are, as far as that is known.
    static func name(of layout: ManagedAudioChannelLayout, channels: Int? = nil) -> String? {
        if layout.tag != kAudioChannelLayoutTag_UseChannelBitmap { return ofTags[layout.tag] }
        let bits = layout.bitmap.rawValue
        guard bits > 0, bits < 1 << UInt32(speakers.count), channels.map({ $0 == bits.nonzeroBitCount }) ?? true else {
            return nil
        }
        if bits == 0x4 { return "mono" }
        return bits == 0x3
            ? "stereo"
            : speakers.indices.filter { bits & (1 << UInt32($0)) != 0 }.map { speakers[$0] }.joined(separator: "+")
    }
}

extension ChannelNames {
    /// The name of an arrangement; `nil` for one whose channels come in another order.
    static func name(of layout: AVAudioChannelLayout) -> String? {
        let isBitmap = layout.layoutTag == kAudioChannelLayoutTag_UseChannelBitmap
        return name(
            of: isBitmap
                ? ManagedAudioChannelLayout(bitmap: layout.layout.pointee.mChannelBitmap)
                : ManagedAudioChannelLayout(tag: layout.layoutTag))
    }
}

extension SoundOutputSettings {
    /// FFmpeg's name of the arrangement of channels that is asked for; `nil` for the source's.
    ///
    /// - Parameter source: How many channels the source has.
    /// - Throws: `AVError.incorrectlyConfigured` for arrangements whose channels come in another order than WAVE's.
    func channelLayout(channels source: Int?) throws(AVError) -> String? {
        if let asked = layout.channelLayout {
            if let name = ChannelNames.name(of: asked) { return name }
            throw AVError(
                .incorrectlyConfigured,
                reason: "sound cannot be had with the channel layout \(asked.layoutTag): mono, stereo, a bitmap of "
                    + "channels, and layouts in WAVE's order can be")
        }
        guard let count = layout.channels, count != source else { return nil }
        guard let name = ChannelNames.usual[count] else {
            throw AVError(.incorrectlyConfigured, reason: "\(count) channels need an AVChannelLayoutKey")
        }
        return name
    }
}
