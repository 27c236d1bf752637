internal import FFmpegKit
internal import MediaAsset
internal import MediaLoading
internal import MediaMetadata
internal import MediaTime

/// Plans exports that go through FFmpeg's libraries.
struct PipelinePlanner {
    private let planner: ExportPlanner
    private let range: CMTimeRange?
    private let format: ContainerFormat
    private var tracks: [PipelineJob.Track] = []
    private var shown: [ExportPlan.Track] = []
    private var losses: [ExportLoss] = []
    private var trackIDs: [Int64: Int64] = [:]
    private var bitRate: Int64? = 0
    /// The tracks that are encoded, by their position among all.
    private var conversions: [(track: Int, conversion: TrackConversion)] = []
    /// The source, if it is a movie whose tracks can be taken into another movie.
    private let movie: MovieTrim?
    private var grafted: Set<UInt32> = []
    /// What the tracks that are kept say of themselves.
    private var labels: [TrackLabel] = []

    init(_ planner: ExportPlanner, range: CMTimeRange?) throws {
        (self.planner, self.range) = (planner, range)
        // Of a movie whose tables are damaged, FFmpeg may still read pictures and sound.
        movie = try? planner.sourceMovie?.get()
        let preset = planner.request.preset
        let container = try preset.containerFormat(
            for: planner.request.fileType, copying: preset.copiedCodecs(of: planner.asset.tracks))
        format = preset.isPassthrough ? container.holding(planner.asset.tracks.map(\.codec)) : container
    }

    private var request: ExportRequest { planner.request }
    private var preset: ExportPreset { planner.request.preset }
    private var asset: AssetDescription { planner.asset }

    func prepare() throws -> PreparedExport {
        var planner = self
        return try planner.planned()
    }

    private mutating func planned() throws -> PreparedExport {
        let demuxer = try planner.source.checkOut()
        defer { planner.source.checkIn(demuxer) }
        let chapterTracks = Set(planner.metadata.chapterLists.compactMap(\.trackID))
        let movieTracks = movie.map { MovieGraft.candidates(of: $0) } ?? []
        let privateTracks = try tracksToRemove(movieTracks)
        for track in asset.tracks where !chapterTracks.contains(track.trackID) && !privateTracks.contains(track.trackID)
        {
            if let id = UInt32(exactly: track.trackID), movieTracks.contains(id), preset.otherTracks == .keep {
                graft(track, id)
            } else {
                try add(track, of: demuxer)
            }
        }
        guard !tracks.isEmpty else { throw nothingLeft() }
        losses += lateStart()
        if !planner.metadata.links.isEmpty {
            // FFmpeg gives each link times from zero on.
            let last = planner.metadata.links.count + 1
            losses.append(
                ExportLoss(
                    .media, "times of " + (last == 2 ? "link 2" : "links 2 to \(last)"),
                    reason: "the source is a chained Ogg file, whose links begin at zero each: what follows the first "
                        + "link overlaps it"))
        }
        losses += chapterLosses()
        let requested = planner.shown(range)
        try keepBelowLimit(requested.duration)
        var job = PipelineJob(tracks: tracks, format: format)
        // The muxer would make a track of its own for a timecode that the source's track is taken along for.
        if !grafted.isEmpty { job.muxerOptions["write_tmcd"] = "0" }
        job.range = range.map { CMTimeRange(start: $0.start + asset.origin, duration: $0.duration) }
        job.isTwoPass = conversions.contains { $0.conversion.passes > 1 }
        job.temporaryDirectory = request.temporaryDirectory
        job.isForSharing = request.metadata.isForSharing
        if let date = planner.metadata.creationDate, request.metadata.replacement == nil, !job.isForSharing {
            job.fileMetadata["creation_time"] = ISO8601Timestamp.text(of: date)
        }
        job.allowsDamage = request.allowsDamagedMedia
        var source = planner.metadata
        source.labels = labels
        var (metadata, metadataLosses) = try request.metadata.applied(
            to: source, for: request.fileType, trackIDs: trackIDs)
        metadataLosses += takePictures(to: &metadata)
        losses += takeTimecode(to: &metadata, beginsAtStart: requested.start <= .zero)
        var plan = ExportPlan(
            preset: preset.name, fileType: request.fileType,
            method: shown.contains { $0.treatment == .transcode } ? .transcode : .remux,
            requestedRange: requested, actualRange: actualRange(requested), tracks: shown,
            losses: losses + metadataLosses, estimatedByteCount: estimate(requested.duration),
            passes: job.isTwoPass ? 2 : 1)
        plan.removed = try planner.removed()
        return PreparedExport(
            plan: plan, engine: .pipeline(job, adding: movieGraft(job)), metadata: metadata, trackIDs: trackIDs,
            chapters: try planner.source.chapterMetadata(), sourceContainer: planner.metadata.container)
    }

    private func chapterLosses() -> [ExportLoss] {
        let isStream = request.fileType == .hls
        guard isStream || preset.chapters == .drop, !planner.metadata.chapterLists.isEmpty else { return [] }
        return [
            ExportLoss(
                .chapters, "chapters", reason: isStream ? "a stream has no place for them" : "the preset keeps none")
        ]
    }

    /// Says the first frame's timecode where the file has no track for it.
    private func takeTimecode(to metadata: inout FileMetadata, beginsAtStart: Bool) -> [ExportLoss] {
        guard let timecode = asset.startTimecode, preset.otherTracks == .keep, request.metadata.replacement == nil,
            request.trackSelection == ExportTrackSelection()
        else { return [] }
        let traits = ContainerTraits(request.fileType)
        if traits.holdsTimecodeTag, beginsAtStart {
            metadata.entries.append(MetadataEntry(.matroska, .text("TIMECODE"), .text(timecode.description)))
        }
        return [traits.loss(ofTimecode: timecode, beginsAtStart: beginsAtStart)].compactMap { $0 }
    }

    // MARK: Tracks

    /// The tracks that a file to be shared does not get.
    private func tracksToRemove(_ movieTracks: Set<UInt32>) throws -> Set<Int32> {
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

    private mutating func add(_ track: TrackDescription, of demuxer: Demuxer) throws {
        guard demuxer.streams.indices.contains(track.streamIndex) else { return }
        let stream = demuxer.streams[track.streamIndex]
        var traits = demuxer.traits(ofStream: track.streamIndex)
        traits.take(label(of: track, traits), for: request.fileType.metadataContainer)
        if request.fileType.holdsOneTrack, let only = onlyTrack, only.mediaType == track.mediaType,
            only.trackID != track.trackID
        {
            return lose(track, "\(request.fileType.name) files hold one track")
        }
        let isPlaying = [.video, .audio].contains(track.mediaType)
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
            case .passthrough where range != nil && request.fileType == .flac && track.codec == "flac":
                cutWithoutLoss(track, stream, traits)
            case .passthrough: try keepPlaying(track, stream, traits)
            case .encode:
                let isAlternate = shown.contains { $0.mediaType == .audio }
                if request.preservesAlternateTracks, isAlternate, format.canHold(codec: track.codec) {
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
    private mutating func graft(_ track: TrackDescription, _ id: UInt32) {
        if let reason = request.fileType.movieBrand.flatMap({ movie?.reasonsNotToHold(in: $0)[id] }) {
            return lose(track, reason)
        }
        grafted.insert(id)
        shown.append(
            ExportPlan.Track(
                trackID: track.trackID, mediaType: track.mediaType, treatment: .passthrough,
                sourceCodec: track.codecOrTag, codec: track.codecOrTag, language: track.language, details: []))
    }

    private func movieGraft(_ job: PipelineJob) -> MovieGraft? {
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
    private func first(of mediaType: AVMediaType) -> TrackDescription? {
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
        // VP8 has packets that show nothing, and AVI and Ogg count each one as a picture.
        let isCountedWrong = [.avi, .ogg].contains(request.fileType) && track.codec == "vp8"
        if request.metadata.isForSharing { try ExportPlanner.checkCanBeShared(track) }
        guard format.canHold(codec: track.codec), !isCountedWrong else {
            let codec = track.codecOrTag.isEmpty ? "a track of unknown coding" : "\(track.codecOrTag) as it is"
            let advice = request.fileType == .matroska ? "" : "a Matroska file can hold almost anything, and "
            throw AVError(
                .operationNotSupportedForAsset,
                reason: "\(request.fileType.name) files cannot hold \(codec); \(advice)presets that encode anew fit "
                    + "any source")
        }
        try CopiedSound.check(track, stream, in: format, fileType: request.fileType)
        guard let video = track.video else { return append(track, .passthrough, traits, codec: track.codec) }
        let view = CopiedView(video, in: format, fileType: request.fileType)
        var traits = view.applied(to: traits)
        if ["matroska", "webm"].contains(format.name), asset.container.hasPrefix("mov") {
            traits.imageDescription = planner.source.file.flatMap { ImageDescription.bytes(of: track.trackID, in: $0) }
        }
        append(track, .passthrough, traits, codec: track.codec)
        tracks[tracks.count - 1].shape = view.shape
        losses += view.losses(of: track)
        try findHidden(track)
    }

    /// Pictures that the source hides, if the new file cannot.
    ///
    /// A range begins with a sync sample there, and says so.
    private mutating func findHidden(_ track: TrackDescription) throws {
        guard track.mediaType == .video, !format.isMovieFile, range == nil, !track.editList.isEmpty else { return }
        let count = try HiddenPictures.count(before: track.streamIndex, of: planner.source, in: format)
        tracks[tracks.count - 1].unhiddenPictures = count
        losses += HiddenPictures.losses(tracks.suffix(1), [count], in: request.fileType)
    }

    private mutating func encode(_ track: TrackDescription, _ stream: StreamInfo, _ traits: StreamTraits) throws {
        guard let conversion = try preset.conversion(of: track, stream: stream, traits: traits, to: format) else {
            return lose(track, "the preset does not say what becomes of it")
        }
        conversions.append((tracks.count, conversion))
        append(
            track, .encoding(conversion.encoding), conversion.traits, codec: conversion.summary.codec,
            details: conversion.summary.details, bitRate: conversion.summary.bitRate,
            changes: conversion.summary.videoChanges)
        if let reason = try EncodedCaptions.reasonForLoss(of: track, conversion, planner.source) {
            losses.append(
                ExportLoss(
                    .media, "captions in the pictures, \(ExportPlanner.name(of: track))", reason: reason,
                    trackID: track.trackID, trait: .captions))
        }
    }

    /// Cuts FLAC for a file of its own: its frames carry their numbers and its header the length of the whole, so that
    /// the samples are coded anew, which loses nothing.
    private mutating func cutWithoutLoss(_ track: TrackDescription, _ stream: StreamInfo, _ traits: StreamTraits) {
        guard let sound = stream.audio else { return }
        let layout = sound.channelLayout ?? "\(sound.channels)c"
        let isWide = stream.bitsOfFLAC > 16
        let sampleFormat = isWide ? "s32" : "s16"
        var encoder = EncoderSettings(
            name: "flac",
            media: .audio(
                AudioSettings(sampleRate: sound.sampleRate, sampleFormat: sampleFormat, channelLayout: layout)))
        if isWide { encoder.options["bits_per_raw_sample"] = String(stream.bitsOfFLAC) }
        let filters = "aformat=sample_fmts=\(sampleFormat):sample_rates=\(sound.sampleRate):channel_layouts=\(layout)"
        append(
            track, .encoding(TrackEncoding(encoder: encoder) { _ in filters }), traits.forEncoding, codec: "flac",
            details: ["coded anew without loss, to be cut at the sample"])
    }

    private mutating func keepSubtitles(_ track: TrackDescription, _ stream: StreamInfo, _ traits: StreamTraits) {
        guard preset.subtitles == .keep else { return lose(track, "the preset makes no subtitles") }
        if format.canHold(codec: track.codec) {
            append(track, .passthrough, traits, codec: track.codec)
        } else if stream.isTextSubtitles, let codec = request.fileType.subtitleCodec {
            var traits = traits
            traits.codecTag = nil
            append(track, .subtitles(codec: codec), traits, codec: codec)
        } else {
            let kind = request.fileType.subtitleCodec == nil ? "subtitles" : "subtitles of this kind"
            lose(track, "\(request.fileType.name) files cannot hold \(kind)")
        }
    }

    private mutating func keepOther(_ track: TrackDescription, _ stream: StreamInfo, _ traits: StreamTraits) {
        guard preset.otherTracks == .keep else { return lose(track, "the preset makes no tracks of this kind") }
        // Elsewhere it would be a second film, in grey.
        guard track.mediaType != .auxiliaryPicture || format.isMovieFile else {
            return lose(track, "\(request.fileType.name) files cannot hold the transparency of another track")
        }
        let isAttachment = stream.kind == .attachment && request.fileType.metadataContainer == .matroska
        guard isAttachment && request.fileType != .webM || format.canHold(codec: track.codec) else {
            let reason = "\(request.fileType.name) files cannot hold it"
            guard stream.kind == .attachment, let name = traits.metadata["filename"] else { return lose(track, reason) }
            losses.append(ExportLoss(.attachment, name, reason: reason, trackID: track.trackID))
            return
        }
        append(track, .passthrough, traits, codec: track.codecOrTag)
    }

    /// Takes along pictures in attachments that are no covers, which FFmpeg takes all for covers.
    private func takePictures(to metadata: inout FileMetadata) -> [ExportLoss] {
        guard let file = planner.source.file, request.metadata.replacement == nil, !request.metadata.isForSharing else {
            return []
        }
        var losses: [ExportLoss] = []
        for attachment in planner.metadata.attachments where attachment.isOtherPicture {
            var reason = "\(request.fileType.name) files cannot hold it"
            if preset.otherTracks != .keep { reason = "the preset makes no tracks of this kind" }
            let canHold =
                [.matroska, .matroskaAudio].contains(request.fileType) && preset.otherTracks == .keep
            if canHold, let new = FileMetadata.NewAttachment(attachment, of: file) {
                guard !request.metadata.own([new.coverEntry], staysSame: true).isEmpty else { continue }
                metadata.newAttachments.append(new)
            } else {
                if canHold { reason = "it is too large" }
                losses.append(ExportLoss(.attachment, attachment.name, reason: reason))
            }
        }
        return losses
    }

    private mutating func append(
        _ track: TrackDescription, _ treatment: PipelineJob.Treatment, _ traits: StreamTraits, codec: String,
        details: [String] = [], bitRate: Int64? = nil, changes: Set<ConvertedVideo.Change> = []
    ) {
        let traits = request.metadata.isForSharing ? traits.forSharing : traits
        var new = PipelineJob.Track(stream: track.streamIndex, treatment: treatment, traits: traits)
        new.name = ExportPlanner.name(of: track)
        new.trackID = track.trackID
        tracks.append(new)
        let label = label(of: track, traits)
        labels.append(label)
        // Muxers number tracks from 1 in the order in which they get them.
        trackIDs[Int64(track.trackID)] = Int64(tracks.count)
        let shownTreatment: ExportPlan.Treatment =
            switch treatment {
            case .passthrough: .passthrough
            case .encoding: .transcode
            case .subtitles: .convert
            }
        shown.append(
            ExportPlan.Track(
                trackID: track.trackID, mediaType: track.mediaType, treatment: shownTreatment,
                sourceCodec: track.codecOrTag, codec: codec, language: track.language, details: details,
                changes: changes))
        var named = track
        named.title = label.name
        losses += ContainerTraits(request.fileType).losses(
            of: named, hasProjection: traits.hasProjection, treatment: shownTreatment)
        let rate = bitRate ?? (track.estimatedDataRate > 0 ? track.estimatedDataRate : nil)
        let isPlaying = track.mediaType == .video || track.mediaType == .audio
        self.bitRate = rate.flatMap { rate in self.bitRate.map { $0 + rate } } ?? (isPlaying ? nil : self.bitRate)
    }

    /// What a track says of itself, in the file's own words where they can be read, else in FFmpeg's.
    private func label(of track: TrackDescription, _ traits: StreamTraits) -> TrackLabel {
        var label =
            planner.metadata.labels.first { $0.trackID == Int64(track.trackID) }
            ?? TrackLabel(trackID: Int64(track.trackID), name: track.title)
        if label.languageTag == nil {
            label.languageTag =
                track.extendedLanguageTag ?? track.language.flatMap { LanguageCodes.tag(ofISO639: $0) }
        }
        label.roles.formUnion(TrackLabel.Roles(traits.disposition))
        label.isForeign = true
        return label
    }

    private mutating func lose(_ track: TrackDescription, _ reason: String) {
        losses.append(ExportLoss(.track, ExportPlanner.name(of: track), reason: reason, trackID: track.trackID))
    }

    /// Files other than movies begin with what is shown or heard first.
    private func lateStart() -> [ExportLoss] {
        let kept = Set(shown.map(\.trackID))
        let starts = asset.tracks.filter { kept.contains($0.trackID) && [.video, .audio].contains($0.mediaType) }
            .map(\.timeRange.start).filter(\.isNumeric)
        guard !format.isMovieFile, range == nil, let start = starts.min(), start > CMTime(value: 1, timescale: 10)
        else {
            return []
        }
        return [
            ExportLoss(
                .media, "the first \(start.secondsText()) s, in which nothing is shown",
                reason: "\(request.fileType.name) files begin with what is shown first", effect: .changed, trait: .times
            )
        ]
    }

    private func nothingLeft() -> AVError {
        let none = asset.tracks.isEmpty ? "the file has no tracks" : "no track that was chosen can be kept"
        let reason = losses.first.map { "\($0.item): \($0.reason)" } ?? none
        return AVError(
            .operationNotSupportedForAsset,
            reason: "nothing of the file would be left with the preset \(preset.name) (\(reason))")
    }

    // MARK: The file's length

    /// Lowers the rates of what is encoded so that the file stays below its limit.
    private mutating func keepBelowLimit(_ duration: CMTime) throws {
        guard let limit = request.effectiveFileLengthLimit else { return }
        guard !conversions.isEmpty else { return try request.checkLength(estimate(duration)) }
        let copied = (bitRate ?? 0) - conversions.reduce(0) { $0 + $1.conversion.summary.bitRate }
        let seconds = duration.isNumeric ? duration.seconds : 0
        let budget = RateBudget(
            byteLimit: limit, byteBudget: request.byteBudget ?? limit, duration: duration,
            otherBytes: Int64(max(0, Double(copied) / 8 * seconds)) + metadataByteCount)
        var lowered = conversions.map(\.conversion)
        try budget.apply(to: &lowered)
        bitRate = copied
        for (index, conversion) in lowered.enumerated() {
            let track = conversions[index].track
            conversions[index].conversion = conversion
            tracks[track].treatment = .encoding(conversion.encoding)
            bitRate = bitRate.map { $0 + conversion.summary.bitRate }
        }
    }

    /// Bytes of the source's metadata, pictures above all, with the free space that writers leave for changes.
    private var metadataByteCount: Int64 {
        planner.metadata.entries.reduce(Int64(request.metadata.artwork?.data.count ?? 0) + 8192) {
            $0 + 128 + Int64($1.value.approximateByteCount)
        }
    }

    // MARK: What comes out

    /// What the new file will show, as far as that can be told beforehand.
    private func actualRange(_ requested: CMTimeRange) -> CMTimeRange {
        let startsAnywhere = range == nil || requested.start == .zero || request.fileType.movieBrand != nil
        let copiesPictures = tracks.indices.contains { index in
            guard case .passthrough = tracks[index].treatment else { return false }
            return shown[index].mediaType == .video
        }
        return startsAnywhere || !copiesPictures ? requested : .invalid
    }

    private func estimate(_ duration: CMTime) -> Int64? {
        guard let bitRate, bitRate > 0, duration.isNumeric else { return nil }
        let bytes = Double(bitRate) / 8 * duration.seconds
        return bytes.isFinite && bytes < 1e18 ? Int64(bytes) : nil
    }
}

extension AVFileType {
    /// FFmpeg's name of the text subtitles that the format has, `nil` if it has none.
    var subtitleCodec: String? {
        switch self {
        case .mov, .mp4, .m4v, .m4a: "mov_text"
        case .matroska, .matroskaAudio: "subrip"
        case .webM: "webvtt"
        default: nil
        }
    }
}

extension StreamInfo {
    /// Whether its subtitles are text rather than pictures.
    fileprivate var isTextSubtitles: Bool {
        kind == .subtitle && ["subrip", "srt", "mov_text", "webvtt", "ass", "ssa", "text"].contains(codecName)
    }

    /// Bits of a FLAC stream's samples, by its header.
    ///
    /// Source: RFC 9639, section 8.2.
    fileprivate var bitsOfFLAC: Int {
        extradata.count >= 14 ? Int(extradata[12] & 1) << 4 + Int(extradata[13] >> 4) + 1 : 16
    }
}
