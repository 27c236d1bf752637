package import FFmpegKit
internal import Foundation
package import MediaCore

/// What becomes of one track with sound.
package struct AudioConversion {
    private let preset: AudioEncoding
    private let source: AudioInfo
    private let encoder: EncoderTraits
    private let format: ContainerFormat
    private let sampleFormat: String
    private let sampleRate: Int
    private let layout: String
    private let channels: Int
    /// Whether the meaning of the source's channels is unknown, and the first ones are taken.
    private let takesFirstChannels: Bool
    private let depth: SoundDepth

    /// - Parameter codec: The source's.
    package init(
        _ preset: AudioEncoding, _ source: AudioInfo, codec: Codec, _ format: ContainerFormat
    ) throws(AVError) {
        depth = SoundDepth(of: source, codec: codec)
        var preset = preset
        if preset.encoder == "pcm" { preset.encoder = depth.pcm.rawValue }
        guard let encoder = EncoderTraits.known[preset.encoder],
            let capabilities = EncoderCapabilities(ofEncoder: preset.encoder)
        else { throw AVError(.encoderNotFound, reason: EncoderTraits.lacks("encoder", preset.encoder)) }
        guard source.sampleRate > 0, source.channels > 0 else {
            throw AVError(.operationNotSupportedForAsset, reason: "the sound's rate or number of channels is unknown")
        }
        (self.preset, self.source, self.encoder, self.format) = (preset, source, encoder, format)
        let usual = encoder.isLossless && depth == .bits16 ? ["s16", "s16p"] : []
        sampleFormat =
            (usual + Self.sampleFormats).first { capabilities.sampleFormats.contains($0) } ?? capabilities.sampleFormats
            .first
            ?? "fltp"
        sampleRate = Self.sampleRate(
            for: source.sampleRate, among: capabilities.sampleRates, maximum: preset.maximumSampleRate)
        let allowed = Self.layouts[preset.encoder] ?? capabilities.channelLayouts
        let limit = min(preset.maximumChannels ?? .max, allowed.isEmpty ? .max : Self.mostChannels(of: allowed))
        if let known = AudioLayout.closest(
            to: source.channelLayout ?? "", channels: source.channels, among: allowed, maximum: limit)
        {
            (layout, channels, takesFirstChannels) = (known, AudioLayout.channels(of: known), false)
        } else {
            channels = limit == 1 ? 1 : 2
            (layout, takesFirstChannels) = (channels == 1 ? "mono" : "stereo", true)
        }
    }

    /// The layouts of samples, the preferred one first.
    static let sampleFormats = ["fltp", "flt", "s32p", "s32", "s16p", "s16"]

    /// What encoders take that do not say so: layouts that all decoders understand.
    private static let layouts = [
        "aac": ["mono", "stereo", "3.0", "4.0", "5.0", "5.1", "7.1"],
        "libopus": ["mono", "stereo", "3.0", "quad", "5.0", "5.1", "6.1", "7.1"],
        "libvorbis": ["mono", "stereo", "3.0", "quad", "5.0", "5.1", "6.1", "7.1"],
    ]

    private static func mostChannels(of layouts: [String]) -> Int {
        layouts.map { AudioLayout.channels(of: $0) }.max() ?? 2
    }

    /// The rate itself if it may be; else the next higher one; else, from above, one that divides it.
    static func sampleRate(for rate: Int, among rates: [Int], maximum: Int?) -> Int {
        let bound = maximum ?? .max
        guard !rates.isEmpty else {
            return rate <= bound ? rate : rate % 44100 == 0 && bound >= 44100 ? 44100 : bound
        }
        let allowed = rates.filter { $0 <= bound }.sorted()
        guard let highest = allowed.last else { return rates.min() ?? rate }
        if let same = allowed.first(where: { $0 >= rate }) { return same }
        // 88200 becomes 44100 rather than 48000.
        return allowed.last { rate % $0 == 0 && $0 * 10 >= highest * 9 } ?? highest
    }

    // MARK: The result

    /// What makes of the sound what the encoder expects.
    var filters: AudioFilters {
        AudioFilters(
            sampleRate: sampleRate, sampleFormat: sampleFormat, layout: layout, channels: channels,
            takesFirstChannels: takesFirstChannels)
    }

    package func resolved(_ traits: StreamTraits) -> TrackConversion {
        let filters = filters
        return TrackConversion(
            encoding: TrackEncoding(encoder: settings) { filters.text(for: $0) }, traits: traits.forEncoding,
            summary: .audio(
                ConvertedAudio(
                    codec: encoder.codec.rawValue, encoder: preset.encoder, sampleRate: sampleRate, channels: channels,
                    channelLayout: layout, bitRate: bitRate ?? estimate, changes: changes)))
    }

    private var settings: EncoderSettings {
        var settings = EncoderSettings(
            name: preset.encoder,
            media: .audio(AudioSettings(sampleRate: sampleRate, sampleFormat: sampleFormat, channelLayout: layout)))
        settings.usesGlobalHeader = format.wantsGlobalHeader
        settings.options = preset.options
        // Their encoders have no place for more.
        if encoder.isLossless, sampleFormat.hasPrefix("s32") { settings.options["bits_per_raw_sample"] = "24" }
        settings.bitRate = bitRate
        if let quality = preset.quality {
            settings.options["flags"] = "+qscale"
            // FFmpeg counts qualities in 118ths.
            settings.options["global_quality"] = String(Int((quality * 118).rounded()))
        }
        return settings
    }

    /// The bit rate that is asked for, `nil` where none is.
    private var bitRate: Int64? {
        guard let rate = Self.bitRate(for: channels, in: preset.bitRates) else { return nil }
        // Less bandwidth needs fewer bits.
        let scaled = Double(rate) * min(1, max(0.25, Double(sampleRate) / 44100))
        // AAC's buffer holds 6144 bits for each channel and 1024 samples.
        let most = encoder.codec == .aac ? Double(6 * channels * sampleRate) : .infinity
        return Int64(min(scaled, most))
    }

    /// A rate of a table, in proportion between two numbers of channels.
    static func bitRate(for channels: Int, in table: [Int: Int64]) -> Int64? {
        if let rate = table[channels] { return rate }
        let known = table.keys.sorted()
        guard let first = known.first, let last = known.last else { return nil }
        guard let above = known.first(where: { $0 > channels }) else {
            return (table[last] ?? 0) * Int64(channels) / Int64(last)
        }
        guard let below = known.last(where: { $0 < channels }), let low = table[below], let high = table[above] else {
            return (table[first] ?? 0) * Int64(channels) / Int64(first)
        }
        return low + (high - low) * Int64(channels - below) / Int64(above - below)
    }

    private var estimate: Int64 {
        let samples = Int64(channels * sampleRate)
        if encoder.codec.isPCM { return samples * Int64(min(encoder.depth?.rawValue ?? 16, 32)) }
        switch encoder.codec {
        // LAME's V2 is about 190 kbit/s for two channels, each step a ninth less.
        case .mp3: return Int64(95_000 * Double(channels) * pow(0.89, (preset.quality ?? 4) - 2))
        case .flac, .alac: return samples * 10
        default: return Int64(64_000 * channels)
        }
    }

    private var changes: Set<ConvertedAudio.Change> {
        var changes: Set<ConvertedAudio.Change> = []
        if sampleRate != source.sampleRate { changes.insert(.resampled) }
        if encoder.depth.map({ $0 < depth }) ?? false { changes.insert(.depthReduced) }
        if channels < source.channels { changes.insert(takesFirstChannels ? .channelsDropped : .mixedDown) }
        return changes
    }
}

/// The filters that make of decoded sound what the encoder expects.
struct AudioFilters: Sendable {
    var sampleRate: Int
    var sampleFormat: String
    var layout: String
    var channels: Int
    var takesFirstChannels = false
    /// Whether noise hides that samples are rounded.
    var dithers = true

    func text(for format: FrameFormat) -> String {
        guard case .audio(let frame) = format else { return "anull" }
        if frame.sampleRate == sampleRate, frame.sampleFormat == sampleFormat, frame.channelLayout == layout {
            return "anull"
        }
        var filters: [String] = []
        let isKnown = AudioLayout.speakers(of: frame.channelLayout) != nil
        if frame.channelLayout != layout, !isKnown || takesFirstChannels, frame.channels >= channels {
            // There is no rule to mix channels whose meaning nobody knows.
            let taken = (0..<channels).map { "c\($0)=c\($0)" }.joined(separator: "|")
            filters.append("pan=\(layout)|\(taken)")
        }
        // Coefficients as they are, whatever the type of samples: otherwise whole numbers
        // would be made quieter so that even the loudest sound in all channels fits.
        let mixes = frame.channels != channels ? ":rematrix_maxval=16:internal_sample_fmt=fltp" : ""
        filters.append("aresample=dither_method=\(dithers ? "triangular" : "none")" + mixes)
        filters.append("aformat=sample_fmts=\(sampleFormat):sample_rates=\(sampleRate):channel_layouts=\(layout)")
        return filters.joined(separator: ",")
    }
}

extension SoundDepth {
    init(of sound: AudioInfo, codec: Codec) {
        switch sound.sampleFormat {
        case "s32", "s32p", "s64", "s64p":
            let bits = sound.bitsPerSample ?? 24
            self = bits <= 16 ? .bits16 : bits <= 24 ? .bits24 : .bits32
        // Decoders of lossy coding give such numbers too, of which 16 bits are as good as all.
        case "flt", "fltp", "dbl", "dblp": self = codec.isPCM ? .floating : .bits16
        default: self = .bits16
        }
    }
}
