internal import FFmpegKit
internal import MediaAsset
internal import MediaContainers
internal import MediaCore
internal import MediaEngine
internal import MediaMetadata
internal import MetadataFormats

/// Plans exports that go through FFmpeg's libraries.
struct PipelinePlanner {
    let planner: ExportPlanner
    let range: CMTimeRange?
    let format: ContainerFormat
    var tracks: [PipelineJob.Track] = []
    var shown: [ExportPlan.Track] = []
    var losses: [ExportLoss] = []
    var trackIDs: [Int64: Int64] = [:]
    var bitRate: Int64? = 0
    /// The tracks that are encoded, by their position among all.
    var conversions: [(track: Int, conversion: TrackConversion)] = []
    /// The segments in which pictures are encoded; `nil` if one encoder gets all of them.
    var segments: PictureSegments?
    /// The films that are put one after the other with their samples kept.
    var pieces: [JoinedPiece] = []
    /// The source, if it is a movie whose tracks can be taken into another movie.
    let movie: MovieTrim?
    var grafted: Set<UInt32> = []
    /// What the tracks that are kept say of themselves.
    private var labels: [TrackLabel] = []

    init(_ planner: ExportPlanner, range: CMTimeRange?) throws {
        (self.planner, self.range) = (planner, range)
        // Of a movie whose tables are damaged, FFmpeg may still read pictures and sound.
        movie = try? planner.sourceMovie?.get()
        let preset = planner.request.preset
        let container = try preset.containerFormat(
            for: planner.request.fileType, copying: preset.copiedCodecs(of: planner.asset.tracks))
        format = preset.isPassthrough ? container.holding(planner.asset.tracks.map(\.codecType)) : container
    }

    var request: ExportRequest { planner.request }
    var preset: ExportPreset { planner.request.preset }
    var asset: AssetDescription { planner.asset }

    func prepare() throws -> PreparedExport {
        var planner = self
        return try planner.planned()
    }

    private mutating func planned() throws -> PreparedExport {
        if let composition = planner.source.composition {
            if preset.isPassthrough { try addCopies(of: composition) } else { try addTracks(of: composition) }
            return try completed()
        }
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
                guard demuxer.streams.indices.contains(track.streamIndex) else { continue }
                try add(track, demuxer.streams[track.streamIndex], demuxer.traits(ofStream: track.streamIndex))
            }
        }
        losses += programs(of: demuxer)
        if !request.metadata.isForSharing, let file = planner.source.file,
            [.isoBaseMedia, .quickTime].contains(planner.metadata.container)
        {
            let reason = "it is a movie's own, and the new file is put together anew"
            losses += Set(MovieFile(file).ownBoxes).sorted().map { ExportLoss(.media, $0, reason: reason) }
        }
        return try completed(demuxer)
    }

    /// The programs of a broadcast whose tracks become those of one.
    private func programs(of demuxer: Demuxer) -> [ExportLoss] {
        let taken = Set(tracks.map(\.stream))
        let programs = demuxer.programs.filter { !taken.isDisjoint(with: $0) }
        guard programs.count > 1 else { return [] }
        return [
            ExportLoss(
                .media, "the division into \(programs.count) programs",
                reason: "all tracks are in one now; --tracks takes those of one only", effect: .changed)
        ]
    }

    /// Completes the plan once it is known what becomes of each track.
    private mutating func completed(_ demuxer: Demuxer? = nil) throws -> PreparedExport {
        guard !tracks.isEmpty else { throw nothingLeft() }
        losses += lateStart()
        let isDelayed = shown.contains { track in
            track.treatment == .passthrough && track.mediaType == .audio
                && Codec(rawValue: track.codec).has(.isTrimmedByContainer)
        }
        if !planner.metadata.links.isEmpty, isDelayed {
            losses.append(
                ExportLoss(
                    .media, "what decoders leave out where links meet",
                    reason: "the source is a chained Ogg file; one stream of its samples has nothing that says so, and "
                        + "some hundredths of a second of each link are heard beyond its own"))
        }
        losses += chapterLosses()
        let requested = planner.shown(range)
        try checkMemory()
        try keepBelowLimit(requested.duration)
        try applyEffects(requested.duration)
        if let demuxer { try divideIntoSegments(requested.duration, of: demuxer) }
        var job = PipelineJob(tracks: tracks, format: format)
        job.pieces = pieces
        // The muxer would make a track of its own for a timecode that the source's track is taken along for.
        if !grafted.isEmpty { job.muxerOptions["write_tmcd"] = "0" }
        job.range = range.map { CMTimeRange(start: $0.start + asset.origin, duration: $0.duration) }
        job.temporaryDirectory = request.temporaryDirectory
        job.isForSharing = request.metadata.isForSharing
        if let date = planner.metadata.creationDate, request.metadata.replacement == nil, !job.isForSharing {
            job.fileMetadata["creation_time"] = ISO8601Timestamp.text(of: date)
        }
        job.allowsDamage = request.allowsDamagedMedia
        var source = planner.metadata
        source.labels = labels
        let markers = markers(of: asset)
        let moved = markers.applied(to: source.entries)
        source.entries = moved.entries
        var (metadata, metadataLosses) = try request.metadata.applied(
            to: source, for: request.fileType, trackIDs: trackIDs)
        metadataLosses += takePictures(to: &metadata) + moved.losses.map(ExportLoss.init)
        losses += takeTimecode(to: &metadata, beginsAtStart: requested.start <= .zero)
        var plan = ExportPlan(
            preset: preset.name, fileType: request.fileType,
            method: shown.contains { $0.treatment == .transcode } ? .transcode : .remux,
            requestedRange: requested, actualRange: actualRange(requested), tracks: shown,
            losses: losses + metadataLosses, estimatedByteCount: estimate(requested.duration),
            passes: job.isTwoPass ? 2 : 1)
        plan.warnings += effectWarnings
        plan.removed = try planner.removed()
        plan.estimatedCoreSeconds = estimatedCoreSeconds(requested.duration)
        plan.segmentStartTimes = segments.map { segments in (0..<segments.count).map(segments.start) } ?? []
        return PreparedExport(
            plan: plan, engine: .pipeline(job, adding: movieGraft(job)), metadata: metadata,
            chapters: markers.applied(to: try planner.source.chapterMetadata()),
            sourceContainer: planner.metadata.container, markers: markers)
    }

    /// What becomes of what a WAV file says of places among its samples.
    private func markers(of asset: AssetDescription) -> MarkerUse {
        // Chapters of a tag win over markers.
        let areChapters =
            preset.chapters == .keep && planner.metadata.chapterLists.contains { $0.form == .cuePoints }
        guard request.fileType == .wav else {
            return areChapters && ![.avi, .hls].contains(request.fileType) ? .chapters : .none
        }
        let rate = asset.tracks.first { $0.mediaType == .audio }?.audio?.sampleRate
        let isResampled = conversions.contains { _, conversion in
            if case .audio(let audio) = conversion.summary { audio.sampleRate != rate } else { false }
        }
        // A range of other sound begins with a whole packet.
        let isWhole =
            shown.allSatisfy { $0.treatment != .passthrough || Codec(rawValue: $0.codec).isPCM } || range == nil
        guard planner.source.composition == nil, !isResampled, isWhole else {
            return .dropped(areChapters: areChapters)
        }
        return range.flatMap { range in rate.flatMap { WaveMarkers(range, sampleRate: $0) } }.map(MarkerUse.range)
            ?? .none
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

    mutating func append(
        _ track: TrackDescription, _ treatment: PipelineJob.Treatment, _ traits: StreamTraits, codec: String,
        details: [String] = [], bitRate: Int64? = nil, changes: Set<ConvertedVideo.Change> = []
    ) {
        let traits = request.metadata.isForSharing ? traits.forSharing : traits
        var new = PipelineJob.Track(stream: track.streamIndex, treatment: treatment, traits: traits)
        new.name = track.nameForPeople
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
            of: named, hasProjection: traits.hasProjection, isCopied: shownTreatment == .passthrough)
        let rate = bitRate ?? (track.estimatedDataRate > 0 ? track.estimatedDataRate : nil)
        let isPlaying = track.mediaType == .video || track.mediaType == .audio
        self.bitRate = rate.flatMap { rate in self.bitRate.map { $0 + rate } } ?? (isPlaying ? nil : self.bitRate)
    }

    /// What a track says of itself, in the file's own words where they can be read, else in FFmpeg's.
    func label(of track: TrackDescription, _ traits: StreamTraits) -> TrackLabel {
        var label =
            planner.metadata.labels.first { $0.trackID == Int64(track.trackID) }
            ?? TrackLabel(trackID: Int64(track.trackID), name: track.title)
        if label.languageTag == nil {
            label.languageTag =
                track.extendedLanguageTag ?? track.language.flatMap { LanguageCodes.tag(ofISO639: $0) }
        }
        label.roles.formUnion(TrackLabel.Roles(traits.disposition))
        label.isForeign = true
        label.isOptional =
            [.subtitle, .text, .closedCaption].contains(track.mediaType) && !traits.disposition.contains(.default)
        return label
    }

    mutating func lose(_ track: TrackDescription, _ reason: String) {
        losses.append(ExportLoss(.track, track.nameForPeople, reason: reason, trackID: track.trackID))
    }

    /// Files other than movies begin with what is shown or heard first.
    private func lateStart() -> [ExportLoss] {
        let kept = Set(shown.map(\.trackID))
        let starts = asset.tracks.filter { kept.contains($0.trackID) && [.video, .audio].contains($0.mediaType) }
            .map(\.timeRange.start).filter(\.isNumeric)
        guard !format.container.isMovie, range == nil, let start = starts.min(), start > CMTime(value: 1, timescale: 10)
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

    // MARK: What it takes

    /// Fails if what is encoded side by side would take more memory than it may.
    private func checkMemory() throws {
        var memory = EncodingMemory()
        for (track, conversion) in conversions {
            let source = asset.tracks.first { $0.trackID == tracks[track].trackID }?.video?.codedSize
            memory.add(source: source, conversion.encoding.encoder)
        }
        try memory.check(planner.source.limits)
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
        guard !pieces.contains(where: \.beginsAmid) else { return .invalid }
        guard range != nil, request.fileType.movieBrand == nil else { return requested }
        let copied = zip(tracks, shown).filter { track, _ in
            if case .passthrough = track.treatment { true } else { false }
        }
        if copied.contains(where: { $1.mediaType == .video }) { return requested.start == .zero ? requested : .invalid }
        // Sound that is not cut at the sample begins and ends with whole packets.
        let isCutAnywhere = copied.allSatisfy { $1.mediaType != .audio || Codec(rawValue: $1.codec).isPCM }
        return isCutAnywhere ? requested : .invalid
    }

    private func estimate(_ duration: CMTime) -> Int64? {
        guard let bitRate, bitRate > 0, duration.isNumeric else { return nil }
        let bytes = Double(bitRate) / 8 * duration.seconds
        return bytes.isFinite && bytes < 1e18 ? Int64(bytes) : nil
    }
}

extension AVFileType {
    /// The text subtitles that the format has, `nil` if it has none.
    var subtitleCodec: Codec? {
        switch self {
        case .mov, .mp4, .m4v, .m4a: .timedText
        case .matroska, .matroskaAudio: .subRip
        case .webM: .webVTT
        default: nil
        }
    }
}
