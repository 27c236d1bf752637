internal import FFmpegKit
internal import MediaAsset
internal import MediaContainers
internal import MediaCore
internal import MediaEngine
internal import MediaMetadata
internal import MetadataFormats

/// What becomes of each track of the source.
extension PipelinePlanner {
    /// The tracks that a file to be shared does not get.
    func tracksToRemove(_ movieTracks: Set<UInt32>) throws -> Set<Int32> {
        guard request.metadata.isForSharing else { return [] }
        if let file = planner.source.file, preset.video == .passthrough || preset.audio == .passthrough {
            // What is hidden now would be shown, or be there still.
            let hidden = HiddenMaterial.of(file).filter {
                $0.isSound ? preset.audio == .passthrough : preset.video == .passthrough
            }
            try HiddenMaterial.refuse(hidden.filter { !$0.isSound })
        }
        return Set(try PrivateTracks(of: planner.source).reasons.keys)
    }

    mutating func add(_ track: TrackDescription, _ stream: StreamInfo, _ traits: StreamTraits) throws {
        var traits = traits
        traits.take(label(of: track, traits), for: request.fileType.metadataContainer)
        if request.fileType.holdsOneTrack, let only = onlyTrack, only.mediaType == track.mediaType,
            only.trackID != track.trackID
        {
            return lose(track, "\(request.fileType.name) files hold one track")
        }
        let isPlaying = [.video, .audio].contains(track.mediaType)
        // Other containers have no streams without packets; where a decoder is off, it is that which does not tell.
        if asset.containerType.has(.isMPEGStream), stream.lacksFormat {
            let objection = stream.decoder.objection(to: track.codecType)
            return lose(track, objection ?? "nothing of it was found that tells what it is")
        }
        if stream.lacksFormat, let objection = stream.decoder.objection(to: track.codecType) {
            throw AVError(.decoderNotFound, reason: objection)
        }
        if request.fileType == .hls, !isPlaying || first(of: track.mediaType)?.trackID != track.trackID {
            return lose(track, "a stream holds one track with pictures and one with sound")
        }
        switch track.mediaType {
        case .video:
            switch preset.video {
            case .none: lose(track, "the preset makes no pictures")
            case .passthrough: try keepPlaying(track, stream, traits)
            case .encode: try encode(track, stream, traits)
            }
        case .audio:
            switch preset.audio {
            case .none: lose(track, "the preset makes no sound")
            case .passthrough where range != nil && track.codecType == .flac && encodesCutFLAC:
                cutWithoutLoss(track, stream, traits)
            case .passthrough: try keepPlaying(track, stream, traits)
            case .encode:
                let isAlternate = shown.contains { $0.mediaType == .audio }
                if request.preservesAlternateTracks, isAlternate, format.canHold(codec: track.codecType) {
                    append(track, .passthrough, traits, codec: track.codec)
                } else {
                    try encode(track, stream, traits)
                }
            }
        case .subtitle, .text, .closedCaption: keepSubtitles(track, stream, traits)
        default: keepOther(track, stream, traits)
        }
    }

    /// Takes a track of a movie into the new movie as it is, which no muxer of FFmpeg's does.
    mutating func graft(_ track: TrackDescription, _ id: UInt32) {
        if let reason = request.fileType.movieBrand.flatMap({ movie?.reasonsNotToHold(in: $0)[id] }) {
            return lose(track, reason)
        }
        grafted.insert(id)
        shown.append(
            ExportPlan.Track(
                trackID: track.trackID, mediaType: track.mediaType, treatment: .passthrough,
                sourceCodec: track.codecOrTag, codec: track.codecOrTag, language: track.language, details: []))
    }

    func movieGraft(_ job: PipelineJob) -> MovieGraft? {
        guard let movie, !grafted.isEmpty else { return nil }
        let madeAnew = trackIDs.compactMap { old, new -> (UInt32, UInt32)? in
            guard let old = UInt32(exactly: old), let new = UInt32(exactly: new) else { return nil }
            return (old, new)
        }
        return MovieGraft(
            grafted, of: movie, range: job.range,
            madeAnew: Dictionary(madeAnew, uniquingKeysWith: { first, _ in first }))
    }

    /// The track of a kind that the source has players show.
    func first(of mediaType: AVMediaType) -> TrackDescription? {
        let candidates = asset.tracks.filter { $0.mediaType == mediaType }
        return candidates.first(where: \.isEnabled) ?? candidates.first
    }

    /// The track for a file that holds a single one: the first that the source has players show.
    private var onlyTrack: TrackDescription? {
        first(of: request.fileType.holdsSoundOnly || preset.video == .none ? .audio : .video)
    }

    /// Keeps the samples of pictures or sound, without which the file would not be what was asked for.
    private mutating func keepPlaying(_ track: TrackDescription, _ stream: StreamInfo, _ traits: StreamTraits) throws {
        if track.mediaType == .video, request.fileType.holdsSoundOnly {
            return lose(track, "the file is for sound only")
        }
        guard !stream.isForeign else {
            throw AVError(.referenceForbiddenByReferencePolicy, reason: StreamInfo.foreignReason)
        }
        if track.mediaType == .video, track.hasEditJump(within: range) {
            throw AVError(
                .operationNotSupportedForAsset,
                reason:
                    "the edit list of track \(track.trackID) shows several pieces of the media, and coded samples can "
                    + "follow that by the preset passthrough only; presets that encode anew, such as high, show what it says"
            )
        }
        // VP8 has packets that show nothing, and AVI and Ogg count each one as a picture.
        let isCountedWrong = [.avi, .ogg].contains(request.fileType) && track.codecType == .vp8
        if request.metadata.isForSharing { try ExportPlanner.checkCanBeShared(track) }
        guard format.canHold(track), !isCountedWrong else {
            if let reason = undecodable(track, stream) {
                return lose(track, "\(request.fileType.name) files cannot hold it as it is, and \(reason)")
            }
            let codec = track.codecOrTag.isEmpty ? "a track of unknown coding" : "\(track.codecOrTag) as it is"
            let advice = request.fileType == .matroska ? "" : "a Matroska file can hold almost anything, and "
            throw AVError(
                .operationNotSupportedForAsset,
                reason: "\(request.fileType.name) files cannot hold \(codec); \(advice)presets that encode anew fit "
                    + "any source")
        }
        try CopiedSound.check(track, stream, in: format, fileType: request.fileType)
        guard let video = track.video else {
            var traits = traits
            let isUnpacked = stream.unpackedConfiguration != nil && format.unpacksLATM
            if isUnpacked { traits.codecTag = nil }
            append(track, .passthrough, traits, codec: isUnpacked ? Codec.aac.rawValue : track.codec)
            return try findUnheard(track)
        }
        let view = CopiedView(video, in: format, fileType: request.fileType)
        var traits = view.applied(to: traits)
        if format.container.isMatroska, asset.containerType.isMovie {
            traits.imageDescription = planner.source.file.flatMap { ImageDescription.bytes(of: track.trackID, in: $0) }
        }
        append(track, .passthrough, traits, codec: track.codec)
        tracks[tracks.count - 1].shape = view.shape
        losses += view.losses(of: track)
        try findHidden(track)
    }

    /// Samples that decoders leave out at the beginning of sound, if the new file cannot say so.
    private mutating func findUnheard(_ track: TrackDescription) throws {
        // Neither has anything to leave out, which spares an opening of the file.
        guard range == nil, !track.codecType.isPCM, !track.codecType.has(.isLossless) else { return }
        let count = try UnheardSamples.count(before: track.streamIndex, of: planner.source, in: format)
        tracks[tracks.count - 1].leadInSamples = count
        losses += UnheardSamples.losses(tracks.suffix(1), [count], in: request.fileType)
    }

    /// Why nobody decodes a track that others are to be exported without; `nil` for all that can be decoded, and for the
    /// only one with pictures.
    private func undecodable(_ track: TrackDescription, _ stream: StreamInfo) -> String? {
        let isOnlyVideo = track.mediaType == .video && asset.tracks.count { $0.mediaType == .video } < 2
        guard stream.decoder == .missing, asset.tracks.count > 1, !isOnlyVideo else { return nil }
        return stream.decoder.objection(to: track.codecType)
    }

    /// Pictures that the source hides, if the new file cannot.
    ///
    /// A range begins with a sync sample there, and says so.
    private mutating func findHidden(_ track: TrackDescription) throws {
        guard track.mediaType == .video, !format.container.isMovie, range == nil, !track.editList.isEmpty else {
            return
        }
        let count = try HiddenPictures.count(before: track.streamIndex, of: planner.source, in: format)
        tracks[tracks.count - 1].unhiddenPictures = count
        losses += HiddenPictures.losses(tracks.suffix(1), [count], in: request.fileType)
    }

    mutating func encode(_ track: TrackDescription, _ stream: StreamInfo, _ traits: StreamTraits) throws {
        if let reason = undecodable(track, stream) { return lose(track, reason) }
        guard
            let conversion = try preset.conversion(
                of: track, stream: stream, traits: traits, to: format, turnsPixels: request.effects.overlay != nil)
        else {
            return lose(track, "the preset does not say what becomes of it")
        }
        append(track, conversion)
        if track.video?.hasUndecodedAlpha == true {
            losses.append(
                ExportLoss(
                    .media, "transparency of \(track.nameForPeople)",
                    reason: "it is in a layer that FFmpeg does not decode", trackID: track.trackID,
                    trait: .alpha))
        }
        if let reason = try EncodedCaptions.reasonForLoss(of: track, conversion, planner.source) {
            losses.append(
                ExportLoss(
                    .media, "captions in the pictures, \(track.nameForPeople)", reason: reason,
                    trackID: track.trackID, trait: .captions))
        }
    }

    /// Has a track encoded as a conversion says.
    mutating func append(_ track: TrackDescription, _ conversion: TrackConversion) {
        conversions.append((tracks.count, conversion))
        losses += conversion.reductions.map { $0.loss(of: track) }
        append(
            track, .encoding(conversion.encoding), conversion.traits, codec: conversion.summary.codec,
            details: conversion.summary.details, bitRate: conversion.summary.bitRate,
            changes: conversion.summary.videoChanges)
        shown[shown.count - 1].soundChanges = conversion.summary.audioChanges
    }

    /// Whether neither an edit list nor a count of samples tells where in a frame of FLAC the sound begins and ends.
    private var encodesCutFLAC: Bool { !format.container.isMovie && format.canHold(codec: .flac) }

    /// Has FLAC coded anew, which loses nothing, to be cut at the sample.
    ///
    /// In a file of its own its frames also carry their numbers, and its header tells the length of the whole.
    private mutating func cutWithoutLoss(_ track: TrackDescription, _ stream: StreamInfo, _ traits: StreamTraits) {
        guard let sound = stream.audio else { return }
        let layout = sound.channelLayout ?? "\(sound.channels)c"
        let isWide = stream.bitsOfFLAC > 16
        let sampleFormat = isWide ? "s32" : "s16"
        var encoder = EncoderSettings(
            name: Codec.flac.rawValue,
            media: .audio(
                AudioSettings(sampleRate: sound.sampleRate, sampleFormat: sampleFormat, channelLayout: layout)))
        if isWide { encoder.options["bits_per_raw_sample"] = String(stream.bitsOfFLAC) }
        let filters = "aformat=sample_fmts=\(sampleFormat):sample_rates=\(sound.sampleRate):channel_layouts=\(layout)"
        append(
            track, .encoding(TrackEncoding(encoder: encoder) { _ in FilterDescription(filters) }), traits.forEncoding,
            codec: Codec.flac.rawValue,
            details: ["coded anew without loss, to be cut at the sample"])
    }

    private mutating func keepSubtitles(_ track: TrackDescription, _ stream: StreamInfo, _ traits: StreamTraits) {
        guard preset.subtitles == .keep else { return lose(track, "the preset makes no subtitles") }
        if format.canHold(codec: track.codecType) {
            append(track, .passthrough, traits, codec: track.codec)
        } else if stream.isTextSubtitles, let codec = request.fileType.subtitleCodec {
            var traits = traits
            traits.codecTag = nil
            append(track, .subtitles(codec: codec), traits, codec: codec.rawValue)
        } else {
            let kind = request.fileType.subtitleCodec == nil ? "subtitles" : "subtitles of this kind"
            lose(track, "\(request.fileType.name) files cannot hold \(kind)")
        }
    }

    private mutating func keepOther(_ track: TrackDescription, _ stream: StreamInfo, _ traits: StreamTraits) {
        guard preset.otherTracks == .keep else { return lose(track, "the preset makes no tracks of this kind") }
        // Elsewhere it would be a second film, in grey.
        guard track.mediaType != .auxiliaryPicture || format.container.isMovie else {
            return lose(track, "\(request.fileType.name) files cannot hold the transparency of another track")
        }
        let isAttachment = stream.kind == .attachment && request.fileType.metadataContainer == .matroska
        guard isAttachment && request.fileType != .webM || format.canHold(codec: track.codecType) else {
            let reason = "\(request.fileType.name) files cannot hold it"
            guard stream.kind == .attachment, let name = traits.metadata["filename"] else { return lose(track, reason) }
            losses.append(ExportLoss(.attachment, name, reason: reason, trackID: track.trackID))
            return
        }
        append(track, .passthrough, traits, codec: track.codecOrTag)
    }
}

extension StreamInfo {
    /// Whether its subtitles are text rather than pictures.
    fileprivate var isTextSubtitles: Bool {
        kind == .subtitle && codec.has(.isText)
    }

    /// Bits of a FLAC stream's samples, by its header.
    ///
    /// Source: RFC 9639, section 8.2.
    fileprivate var bitsOfFLAC: Int {
        extradata.count >= 14 ? Int(extradata[12] & 1) << 4 + Int(extradata[13] >> 4) + 1 : 16
    }
}

extension StreamTraits {
    /// Has muxers write language and purpose as the source's headers say them.
    ///
    /// An AVI file's names have their place before the media, where only the muxer makes room for them.
    ///
    /// Matroska has the older codes of languages, MP4 the newer ones.
    mutating func take(_ label: TrackLabel, for container: FileMetadata.Container) {
        for (role, disposition) in TrackLabel.Roles.dispositions where label.roles.contains(role) {
            self.disposition.insert(disposition)
        }
        if container == .riff { metadata["title"] = label.name }
        if let tag = label.languageTag {
            language = LanguageCodes.iso639(of: tag, isBibliographic: container == .matroska)
        }
    }
}

extension TrackLabel.Roles {
    fileprivate static let dispositions: [(TrackLabel.Roles, Disposition)] = [
        (.forced, .forced), (.hearingImpaired, .hearingImpaired), (.visualImpaired, .visualImpaired),
        (.commentary, .commentary), (.original, .original), (.dub, .dub),
    ]

    init(_ disposition: Disposition) {
        self = []
        for (role, own) in Self.dispositions where disposition.contains(own) { insert(role) }
    }
}
