package import FFmpegKit
internal import Foundation
package import MediaAsset
package import MediaCore
package import MediaIO

/// What a preset makes of one track: all that the pipeline and the plan need to know.
package struct TrackConversion: Sendable {
    /// How the track is encoded.
    package var encoding: TrackEncoding
    /// What the new track says of itself besides its codec.
    package var traits: StreamTraits
    /// The same for people.
    package var summary: ConversionSummary
    /// How often the pictures are gone through.
    package var passes = 1
    /// What the new track does not keep, though the preset does not promise that.
    package var reductions: [Reduction] = []

    /// Something of a track that is encoded anew that its new samples do not keep.
    package struct Reduction: Sendable {
        var trait: ExportLoss.Trait
        /// What it is, in the source's words.
        var what: String
        /// Why it is not kept.
        var reason: String
        var effect = ExportLoss.Effect.lost

        /// It as a loss of a track.
        package func loss(of track: TrackDescription) -> ExportLoss {
            ExportLoss(
                .media, "\(trait.words) of \(track.nameForPeople) (\(what))", reason: reason, effect: effect,
                trackID: track.trackID, trait: trait)
        }
    }
}

extension StreamInfo {
    /// Fails with the reason if no decoder may be used for it.
    package func checkHasDecoder() throws(AVError) {
        if let objection = decoder.objection(to: codec) { throw AVError(.decoderNotFound, reason: objection) }
    }
}

extension ContainerFormat {
    /// Whether the samples of a track of pictures or sound can be read from it as they are.
    package func canHold(_ track: TrackDescription) -> Bool {
        guard canHold(codec: unpacksLATM && track.codecType == .aacLATM ? .aac : track.codecType) else { return false }
        return track.codecType != .uncompressedVideo || canHold(uncompressed: track.codecTag)
    }
}

extension ContainerFormat {
    /// Whether AAC is taken out of LATM, which is known in transport streams only.
    package var unpacksLATM: Bool { container != .mpegTransportStream }
}

extension StreamInfo {
    /// The track by its number in the container, or else its position.
    package var nameOfTrack: String { "track \(containerID > 0 ? containerID : index + 1)" }
}

/// Keeps a file below a length by lowering the rates of its tracks.
package struct RateBudget: Sendable {
    /// How many bytes the file may have.
    var byteLimit: Int64
    /// How many of them encoders are to aim at.
    var byteBudget: Int64
    /// How long the file plays.
    var duration: CMTime
    /// What is in the file besides tracks that are encoded: samples that stay as they are, metadata.
    var otherBytes: Int64

    package init(byteLimit: Int64, byteBudget: Int64? = nil, duration: CMTime, otherBytes: Int64 = 0) {
        (self.byteLimit, self.duration, self.otherBytes) = (byteLimit, duration, otherBytes)
        self.byteBudget = byteBudget ?? byteLimit
    }

    /// Whether encoders made more than they were told to before.
    private var isCorrected: Bool { byteBudget < byteLimit }

    /// Lowers rates so that the file stays below the limit, two per cent more at the worst.
    ///
    /// What was made is to be measured: where it is too much, a smaller budget makes it less.
    ///
    /// Pictures of constant quality that are expected to need far less only get
    /// an upper bound; others are encoded at a fixed average, in two passes
    /// where the encoder can. Sound gives way first, down to a fifth of the
    /// whole, then pictures.
    ///
    /// - Throws: ``MediaLimitError`` if not even the lowest sensible rates fit.
    package func apply(to conversions: inout [TrackConversion]) throws(MediaLimitError) {
        let seconds = duration.seconds
        guard duration.isNumeric, seconds > 0 else {
            throw MediaLimitError(reason: "a limit on the file's length needs a source whose duration is known")
        }
        let packets = conversions.reduce(0.0) { $0 + $1.packetsPerSecond }
        let overhead = packets * Self.bitsPerPacket
        let free = Double(byteBudget - otherBytes - Self.headerBytes) * 8 / seconds * Self.margin - overhead
        let sound = conversions.indices.filter { conversions[$0].sound != nil }
        let pictures = conversions.indices.filter { conversions[$0].pictures != nil }
        func sum(_ indices: [Int], _ value: (TrackConversion) -> Double) -> Double {
            indices.reduce(0) { $0 + value(conversions[$1]) }
        }
        let (least, asked) = (sum(pictures, lowestRate), sum(sound) { Double($0.summary.bitRate) })
        guard free >= least + sum(sound, { $0.lowestRate }) else { throw tooLittle(conversions) }
        let share = pictures.isEmpty ? free : min(free * Self.shareOfSound, free - least)
        for index in sound {
            let own = Double(conversions[index].summary.bitRate)
            let rate = asked <= share ? own : max(own * share / asked, conversions[index].lowestRate)
            conversions[index].lowerSound(to: rate)
        }
        let left = free - sum(sound) { Double($0.summary.bitRate) } - least
        let weight = sum(pictures) { Double($0.summary.bitRate) }
        for index in pictures {
            let part = weight > 0 ? Double(conversions[index].summary.bitRate) / weight : 1 / Double(pictures.count)
            conversions[index].lowerPictures(
                to: lowestRate(conversions[index]) + max(0, left) * part, seconds: seconds, keepsQuality: !isCorrected)
        }
    }

    /// Below this nobody would want to see it; where an encoder makes more than that, it has to be told less.
    private func lowestRate(_ pictures: TrackConversion) -> Double {
        isCorrected ? pictures.lowestRate * Self.shareWhenCorrected : pictures.lowestRate
    }

    private func tooLittle(_ conversions: [TrackConversion]) -> MediaLimitError {
        let least = conversions.reduce(0.0) { $0 + $1.lowestRate + $1.packetsPerSecond * Self.bitsPerPacket }
        let bytes = Double(otherBytes + Self.headerBytes) + least * duration.seconds / 8 / Self.margin
        let needed = Int64(min(max(bytes, 0), 1e18))
        return MediaLimitError(
            reason: "\(byteLimit) bytes are too few for \(Self.text(duration.seconds)) s: \(needed) bytes or a shorter "
                + "range would do")
    }

    private static func text(_ seconds: Double) -> String {
        let tenths = Int((seconds * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }

    /// What encoders may be off by.
    private static let margin = 0.985
    private static let shareOfSound = 0.2
    private static let shareWhenCorrected = 0.1
    /// Sample tables, or frame headers of containers, for each packet.
    private static let bitsPerPacket = 8.0 * 12
    private static let headerBytes: Int64 = 3000
}

extension TrackConversion {
    fileprivate var sound: ConvertedAudio? { if case .audio(let sound) = summary { sound } else { nil } }
    fileprivate var pictures: ConvertedVideo? { if case .video(let video) = summary { video } else { nil } }

    fileprivate var packetsPerSecond: Double {
        if let sound { return sound.codecType == .opus ? 50 : Double(sound.sampleRate) / 1024 }
        return pictures?.frameRate ?? 25
    }

    /// Below this nobody would want to see or hear it.
    fileprivate var lowestRate: Double {
        if let sound {
            // What has no rate cannot be had for less.
            guard sound.codecType.has(.hasBitRate) else { return Double(sound.bitRate) }
            let least = sound.codecType == .opus ? 12_000 : sound.codecType == .mp3 ? 32_000 : 24_000
            return Double(min(sound.bitRate, Int64(least * sound.channels)))
        }
        guard let pictures else { return 0 }
        if encoding.encoder.hasNoRate { return Double(pictures.bitRate) }
        let least = BitRateEstimate(width: pictures.width, height: pictures.height, frameRate: pictures.frameRate)
            .bitRate(encoder: pictures.encoder, quality: EncoderTraits.known[pictures.encoder]?.worstQuality)
        return Double(min(least, pictures.bitRate))
    }

    /// The rates that MP3 frames can have at 32 kHz and more; most of them at less, too.
    private static let mp3Rates: [Int64] = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
        .map { $0 * 1000 }

    fileprivate mutating func lowerSound(to rate: Double) {
        let hasQuality = encoding.encoder.options["global_quality"] != nil
        guard var sound, sound.codecType.has(.hasBitRate), rate < Double(sound.bitRate) || hasQuality else { return }
        encoding.encoder.options["global_quality"] = nil
        encoding.encoder.options["flags"] = nil
        if sound.codecType == .opus { encoding.encoder.options["vbr"] = "constrained" }
        let whole = sound.codecType == .mp3 ? Self.mp3Rates.last { Double($0) <= rate } ?? 32_000 : Int64(rate)
        encoding.encoder.bitRate = whole
        sound.bitRate = whole
        summary = .audio(sound)
    }

    /// - Parameter keepsQuality: Whether a constant quality may stay, with an upper bound, which not all encoders keep.
    fileprivate mutating func lowerPictures(to rate: Double, seconds: Double, keepsQuality: Bool) {
        guard var pictures, rate < 1e10, !encoding.encoder.hasNoRate else { return }
        guard let encoder = EncoderTraits.known[pictures.encoder] else { return }
        let expected = Double(pictures.bitRate)
        if keepsQuality, let quality = encoding.encoder.options["crf"], expected < rate * 0.5, encoder.allowsTwoPasses {
            // The buffer is full in the beginning, which adds to the bound.
            let buffer = min(seconds / 4, 8)
            let bound = rate * seconds / (seconds + buffer)
            encoding.encoder.options["maxrate"] = String(Int64(bound))
            encoding.encoder.options["bufsize"] = String(Int64(bound * buffer))
            encoding.encoder.options["crf"] = quality
            if pictures.encoder.hasPrefix("libvpx") { encoding.encoder.bitRate = Int64(bound) }
        } else {
            let target = min(rate, pictures.passes == 2 ? expected : rate)
            // One pass has to guess what is to come, and libvpx is not exact.
            let safe = target * (!encoder.allowsTwoPasses ? 0.86 : pictures.encoder.hasPrefix("libvpx") ? 0.94 : 1)
            encoding.encoder.apply(.bitRate(Int64(safe), passes: 2))
            passes = encoder.allowsTwoPasses ? 2 : 1
            pictures.passes = passes
            pictures.bitRate = Int64(safe)
        }
        summary = .video(pictures)
    }
}

extension ConvertedAudio {
    fileprivate var codecType: Codec { Codec(rawValue: codec) }
}

extension PipelineJob {
    /// Whether something in it is encoded at a bit rate that can be asked for.
    package var hasChoiceOfRate: Bool {
        tracks.contains { track in
            guard case .encoding(let encoding) = track.treatment else { return false }
            return EncoderTraits.known[encoding.encoder.name]?.hasBitRate ?? false
        }
    }
}

extension EncoderSettings {
    /// Whether the amount of data cannot be asked for.
    fileprivate var hasNoRate: Bool { EncoderTraits.known[name]?.qualities == nil }
}

extension EncoderTraits {
    /// The quality below which pictures fall apart.
    fileprivate var worstQuality: Double? { qualities.map { $0.lowerBound + ($0.upperBound - $0.lowerBound) * 0.8 } }
}
