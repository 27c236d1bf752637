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
    private let mapping: AudioLayout.Mapping
    private let depth: SoundDepth

    /// - Parameters:
    ///   - codec: The source's.
    ///   - isJoined: Whether other sound joins it.
    package init(
        _ preset: AudioEncoding, _ source: AudioInfo, codec: Codec, _ format: ContainerFormat, isJoined: Bool = false
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
        let most = allowed.isEmpty ? encoder.mostChannels ?? .max : Self.mostChannels(of: allowed)
        let limit = min(preset.maximumChannels ?? .max, most)
        let choice = AudioLayout.choice(
            for: source.channelLayout ?? "", channels: source.channels, among: allowed, maximum: limit,
            keepsAll: encoder.isLossless, isJoined: isJoined)
        (layout, channels, mapping) = (choice.layout, choice.channels, choice.mapping)
    }

    /// The layouts of samples, the preferred one first.
    static let sampleFormats = ["fltp", "flt", "s32p", "s32", "s16p", "s16", "dbl", "dblp"]

    /// What encoders take that do not say so: layouts that all decoders understand.
    private static let layouts = [
        "aac": ["mono", "stereo", "2.1", "3.0", "4.0", "quad", "quad(side)", "5.0", "5.1", "7.1"],
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
            keepsBits: encoder.depth.map { $0 >= depth } ?? false,
            isUnknown: mapping == .ordered || mapping == .first, renames: mapping == .renamed)
    }

    package func resolved(_ traits: StreamTraits) -> TrackConversion {
        let filters = filters
        return TrackConversion(
            encoding: TrackEncoding(encoder: settings) { filters.description(for: $0) }, traits: traits.forEncoding,
            summary: .audio(
                ConvertedAudio(
                    codec: encoder.codec.rawValue, encoder: preset.encoder, sampleRate: sampleRate, channels: channels,
                    channelLayout: layout, bitRate: bitRate ?? estimate, changes: changes)),
            reductions: reductions)
    }

    private var settings: EncoderSettings {
        var settings = EncoderSettings(
            name: preset.encoder,
            media: .audio(AudioSettings(sampleRate: sampleRate, sampleFormat: sampleFormat, channelLayout: layout)))
        settings.usesGlobalHeader = format.wantsGlobalHeader
        settings.options = preset.options
        // By itself it puts channels of some layouts in the wrong places.
        if encoder.codec == .opus, channels > 2, settings.options["mapping_family"] == nil {
            settings.options["mapping_family"] = "1"
        }
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
        if encoder.codec.isPCM { return samples * Int64(encoder.depth?.bits ?? 16) }
        switch encoder.codec {
        // LAME's V2 is about 190 kbit/s for two channels, each step a ninth less.
        case .mp3: return Int64(95_000 * Double(channels) * pow(0.89, (preset.quality ?? 4) - 2))
        case .flac, .alac: return samples * 10
        default: return Int64(64_000 * channels)
        }
    }

    /// Codec, size and rate are what a preset is about; what else becomes less is told.
    ///
    /// Lossy coding has no bits of samples, and rates of its own.
    private var reductions: [TrackConversion.Reduction] {
        var found: [TrackConversion.Reduction] = []
        let old = source.channelLayout ?? "\(source.channels) channels"
        switch mapping {
        case .placed, .ordered: break
        case .renamed:
            found.append(
                .init(
                    trait: .channels, what: old,
                    reason: "\(preset.encoder) has no such layout: they are called \(layout)",
                    effect: .changed))
        case .mixed:
            let isPromised = preset.maximumChannels.map { source.channels > $0 && channels == $0 } ?? false
            guard !isPromised else { break }
            found.append(
                .init(trait: .channels, what: old, reason: "\(preset.encoder) has no such layout: \(layout) is left"))
        case .first:
            guard channels < source.channels else { break }
            found.append(
                .init(
                    trait: .channels, what: old,
                    reason: "nothing says what they mean, by which they could be mixed or placed: the first "
                        + "\(channels == 1 ? "one is" : "two are") left"))
        }
        if let most = encoder.depth, most < depth {
            found.append(.init(trait: .bitDepth, what: depth.words, reason: "\(preset.encoder) keeps \(most.words)"))
        }
        if encoder.isLossless, sampleRate != source.sampleRate {
            found.append(
                .init(
                    trait: .sampleRate, what: "\(source.sampleRate) Hz", reason: "the new sound has \(sampleRate) Hz"))
        }
        return found
    }

    private var changes: Set<ConvertedAudio.Change> {
        var changes: Set<ConvertedAudio.Change> = []
        if sampleRate != source.sampleRate { changes.insert(.resampled) }
        if encoder.depth.map({ $0 < depth }) ?? false { changes.insert(.depthReduced) }
        switch mapping {
        case .placed, .ordered: break
        case .renamed: changes.insert(.channelsRenamed)
        case .mixed: changes.insert(.mixedDown)
        case .first: if channels < source.channels { changes.insert(.channelsDropped) }
        }
        return changes
    }
}

/// The filters that make of decoded sound what the encoder expects.
struct AudioFilters: Sendable {
    var sampleRate: Int
    var sampleFormat: String
    var layout: String
    var channels: Int
    /// Whether samples have as many bits as before.
    var keepsBits = false
    /// Whether nothing says what the channels mean.
    var isUnknown = false
    /// Whether channels without a place become those of another meaning rather than being mixed.
    var renames = false
    /// Whether noise hides that samples are rounded.
    var dithers = true

    func description(for format: FrameFormat) -> FilterDescription {
        guard case .audio(let frame) = format else { return "anull" }
        if frame.sampleRate == sampleRate, frame.sampleFormat == sampleFormat, frame.channelLayout == layout {
            return "anull"
        }
        var filters: [String] = []
        let order = order(of: frame)
        if let order { filters.append(order) }
        if order == nil, let renaming = AudioLayout.renaming(frame.channelLayout, for: layout) {
            filters.append(renaming)
        }
        let isSame = order != nil || frame.channelLayout == layout || !AudioLayout.isKnown(layout)
        let isPlaced = isSame || AudioLayout.isPlaced(frame.channelLayout, in: layout)
        // Coefficients as they are, whatever the type of samples: otherwise whole numbers
        // would be made quieter so that even the loudest sound in all channels fits.
        let mixes = !isSame ? ":rematrix_maxval=16:internal_sample_fmt=\(isPlaced ? "dblp" : "fltp")" : ""
        // Samples that only move to other channels are not rounded.
        let isExact = isPlaced && frame.sampleRate == sampleRate && keepsBits
        filters.append("aresample=dither_method=\(dithers && !isExact ? "triangular" : "none")" + mixes)
        filters.append(
            "aformat=sample_fmts=\(sampleFormat):sample_rates=\(sampleRate)" + AudioLayout.option(layout))
        return FilterDescription(filters.joined(separator: ","))
    }

    /// What takes channels in their order for those of the layout.
    private func order(of frame: FrameFormat.AudioFormat) -> String? {
        guard frame.channelLayout != layout, AudioLayout.isKnown(layout), frame.channels >= channels else { return nil }
        // There is no rule to mix channels whose meaning nobody knows; decoders make one up.
        let isMeant = !isUnknown && AudioLayout.isKnown(frame.channelLayout)
        let isRenamed = renames && frame.channels == channels
        guard !isMeant || isRenamed && !AudioLayout.isPlaced(frame.channelLayout, in: layout) else { return nil }
        return "channelmap=map=\((0..<channels).map(String.init).joined(separator: "|")):channel_layout=\(layout)"
    }
}

extension SoundDepth {
    init(of sound: AudioInfo, codec: Codec) {
        switch sound.sampleFormat {
        case "s32", "s32p", "s64", "s64p":
            let bits = sound.bitsPerSample ?? 24
            self = bits <= 16 ? .bits16 : bits <= 24 ? .bits24 : .bits32
        // Decoders of lossy coding give such numbers too, of which 16 bits are as good as all.
        case "flt", "fltp": self = codec.isPCM || codec == .wavPack ? .floating : .bits16
        case "dbl", "dblp": self = codec.isPCM ? .doubleFloating : .bits16
        default: self = .bits16
        }
    }
}
