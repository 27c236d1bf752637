internal import FFmpegKit
internal import MediaAsset
internal import MediaContainers
internal import MediaCore
internal import MediaEngine
internal import MediaIO
internal import MediaMetadata
internal import MetadataFormats

/// An export that is worked out and can be carried out.
struct PreparedExport {
    /// What makes the file.
    enum Engine {
        /// The movie's tables are edited.
        case cut(FileRewrite, of: RandomAccessFile)
        /// Samples go through FFmpeg's libraries.
        case pipeline(PipelineJob, adding: MovieGraft?)
        /// The pieces of a join become movies of their own, whose tables are edited then.
        case pieces(JoinPlanner, ExportPlan)
    }

    var plan: ExportPlan
    var engine: Engine
    /// The new file's metadata; chapters come when the range is known.
    var metadata: FileMetadata
    /// The asset's chapters on its own timeline.
    var chapters: ChapterMetadata
    var sourceContainer: FileMetadata.Container
    /// Whether the asset's chapters stay just as they are.
    var keepsChapters = false
    var markers = MarkerUse.none
}

/// What becomes of the markers of a WAV file and of what else counts its samples.
enum MarkerUse {
    /// They stay as they are.
    case none
    /// The markers become chapters.
    case chapters
    /// They move with a part of the sound.
    case range(WaveMarkers)
    /// The samples come to lie elsewhere than one part of the sound would.
    case dropped(areChapters: Bool)

    func applied(to entries: [MetadataEntry]) -> (entries: [MetadataEntry], losses: [MetadataLoss]) {
        switch self {
        case .none: (entries, [])
        case .chapters: (WaveMarkers.withoutChapters(entries), [])
        case .range(let markers): markers.moved(entries)
        case .dropped(let areChapters): WaveMarkers.dropped(from: entries, areChapters: areChapters)
        }
    }

    func applied(to lists: [ChapterList]) -> [ChapterList] {
        if case .range(let markers) = self { markers.marked(lists) } else { lists }
    }

    func applied(to chapters: ChapterMetadata) -> ChapterMetadata {
        guard case .range = self else { return chapters }
        // They are on the asset's timeline already, each with its end.
        return ChapterMetadata(lists: applied(to: chapters.lists), origin: .zero, duration: .invalid)
    }
}

/// Works out an export: what becomes of each track, by which way.
struct ExportPlanner {
    let source: AssetSource
    let request: ExportRequest
    /// The source, with the tracks that are chosen.
    let asset: AssetDescription
    let metadata: FileMetadata
    /// The source as a movie whose tables can be edited, or why it is damaged; `nil` if it is none, or no movie is made.
    let sourceMovie: Result<MovieTrim, any Error>?

    init(source: AssetSource, request: ExportRequest) throws {
        self.source = source
        var request = request
        if request.preset.metadata == .drop, request.metadata.replacement == nil { request.metadata.replacement = [] }
        if request.allowsMultiplePasses { request.preset.allowSecondPass() }
        self.request = request
        asset = try Self.chosen(request.trackSelection, of: source.describe())
        metadata = try source.metadata()
        sourceMovie = request.fileType.movieBrand == nil ? nil : Self.movie(source, asset, metadata)
    }

    private static func chosen(
        _ selection: ExportTrackSelection, of asset: AssetDescription
    ) throws -> AssetDescription {
        if let missing = selection.missing(of: asset.tracks).first {
            let there = asset.tracks.map { "\($0.trackID) (\($0.mediaType.name))" }.joined(separator: ", ")
            throw AVError(
                .operationNotSupportedForAsset, reason: "there is no track \(missing); the file has \(there)")
        }
        var chosen = asset
        chosen.tracks = asset.tracks.filter { selection.takes($0.trackID, $0.mediaType) }
        guard !chosen.tracks.isEmpty || asset.tracks.isEmpty else {
            throw AVError(.operationNotSupportedForAsset, reason: "nothing is left of the tracks that were chosen")
        }
        return chosen
    }

    func prepare() throws -> PreparedExport {
        guard request.preset.fileTypes.contains(request.fileType) else {
            throw AVError(
                .operationNotSupportedForPreset,
                reason: "the preset \(request.preset.name) makes \(request.preset.fileTypeNames)")
        }
        guard !asset.hasProtectedContent else {
            throw AVError(
                .contentIsProtected, reason: "the content is encrypted (DRM): without its key it cannot be exported")
        }
        try request.effects.check()
        if request.segmentLength != nil, request.preset.videoEncoding == nil {
            throw PipelinePlanner.refusalOfSegments("none are encoded")
        }
        let range = try requestedRange()
        var prepared = try engineered(range)
        if range == nil { prepared.plan.losses += chaptersOutside(prepared) }
        prepared.plan.losses = prepared.plan.losses.withoutRepetitions
        if let excess = try rangeExcess() { prepared.plan.warnings.append(excess) }
        if request.requiresExactRange, range != nil, !prepared.plan.actualRange.isValid {
            let copiesVideo = prepared.plan.tracks.contains { $0.mediaType == .video && $0.treatment == .passthrough }
            let (kind, unit) = copiesVideo ? ("pictures", "a sync sample") : ("sound", "a whole packet")
            throw AVError(
                .operationNotSupportedForAsset,
                reason: "coded \(kind) of \(request.fileType.name) files can begin with \(unit) only; "
                    + "presets that encode anew begin anywhere")
        }
        return prepared
    }

    /// The export by the first way that can make it.
    private func engineered(_ range: CMTimeRange?) throws -> PreparedExport {
        guard request.preset.isPassthrough else { return try PipelinePlanner(self, range: range).prepare() }
        guard !request.rendering.isNeeded, request.effects.isEmpty else {
            throw PipelinePlanner.refusalOfRendering("pictures and sound", by: request.preset)
        }
        if let composition = source.composition {
            if let recoded = try joiningFLAC(composition) {
                return try PipelinePlanner(recoded, range: range).prepare()
            }
            return JoinPlanner.joinsByTables(composition, request)
                ? try JoinPlanner(self, composition, range: range).prepare()
                : try PipelinePlanner(self, range: range).prepare()
        }
        return try CutPlanner(self, range: range).prepare() ?? PipelinePlanner(self, range: range).prepare()
    }

    /// The same export with its sound coded anew without loss, where FLAC of one form is joined in a file of its own.
    ///
    /// Frames are numbered there, and the header tells their number and a digest of all samples. `nil` for others.
    private func joiningFLAC(_ composition: CompositionState) throws -> ExportPlanner? {
        guard request.fileType == .flac, request.preset.audio == .passthrough else { return nil }
        let media = Set(composition.content.tracks.flatMap(\.timeline.segments).compactMap(\.media))
        let sounds = try media.map { try $0.track() }.filter { $0.mediaType == .audio }
        let forms = Set(sounds.map { FLACForm($0) })
        guard sounds.allSatisfy({ $0.codecType == .flac }), forms.count == 1 else { return nil }
        var request = request
        request.preset.audio = try ExportPresetCatalog.builtIn.entry(Codec.flac.rawValue).preset.audio
        request.preset.video = .none
        return try ExportPlanner(source: source, request: request)
    }

    /// What samples of FLAC are.
    private struct FLACForm: Hashable {
        let rate: Int?
        let channels: Int?
        let layout: String?
        let bits: Int?

        init(_ track: TrackDescription) {
            (rate, channels) = (track.audio?.sampleRate, track.audio?.channels)
            (layout, bits) = (track.audio?.channelLayout, track.audio?.bitsPerSample)
        }
    }

    /// Chapters that begin when nothing is shown any more, which no player would reach.
    private func chaptersOutside(_ prepared: PreparedExport) -> [ExportLoss] {
        guard request.preset.chapters == .keep, !prepared.keepsChapters, asset.duration.isNumeric else { return [] }
        var seen: Set<String> = []
        return prepared.chapters.preferredLists.flatMap { $0.chapters(from: asset.duration) }.map { chapter in
            ExportLoss(
                .chapters, "chapter “\(chapter.title)” at \(chapter.start.secondsText()) s",
                reason: "it begins after the end, at \(asset.duration.durationText()) s")
        }.filter { seen.insert($0.item).inserted }
    }

    /// What of the range asked for lies beyond the asset, in words.
    private func rangeExcess() throws -> String? {
        let end = request.timeRange.end
        // Half a tick of any container is no excess.
        guard end.isNumeric, asset.duration.isNumeric, end - asset.duration > CMTime(value: 1, timescale: 1000) else {
            return nil
        }
        let text =
            "the range ends at \(end.secondsText()) s, but the duration is \(asset.duration.durationText()) s"
        guard request.requiresExactRange else { return text }
        throw AVError(.invalidSourceMedia, reason: text)
    }

    /// The part of the request that the asset has; `nil` if that is all of it.
    func requestedRange() throws -> CMTimeRange? { try asset.range(within: request.timeRange) }

    /// Reads the source as a movie whose tables can be edited; `nil` if it is none.
    private static func movie(
        _ source: AssetSource, _ asset: AssetDescription, _ metadata: FileMetadata
    ) -> Result<MovieTrim, any Error>? {
        guard metadata.container.structure == .boxes, !asset.canContainFragments,
            asset.containerType.isMovie, let file = source.file
        else { return nil }
        do {
            return .success(try MovieTrim(file: file))
        } catch {
            if let error = error as? MovieError, error.kind == .unsupported { return nil }
            return .failure(error)
        }
    }

    /// What is left out of a file that is to be shared: tracks, items, boxes, names and dates of the source.
    func removed() throws -> [PrivateDetail] {
        guard request.metadata.isForSharing else { return [] }
        let files = source.composition?.content.sources ?? [source]
        return try files.flatMap { try PrivateDetails(of: $0, looksThroughSamples: false).details }
    }

    /// Refuses to copy coded samples that cannot be looked through.
    static func checkCanBeShared(_ track: TrackDescription) throws {
        guard SampleScrubber.cannotLookThrough(track.codec) else { return }
        throw AVError(
            .operationNotSupportedForAsset,
            reason:
                "\(track.nameForPeople) cannot be looked through for what is not to be shared; presets that encode anew, "
                + "such as high or hevc-high, can be used")
    }

    /// The range to show to people.
    func shown(_ range: CMTimeRange?) -> CMTimeRange {
        range ?? CMTimeRange(start: .zero, duration: asset.duration)
    }
}

extension ExportPreset {
    /// Has pictures of a fixed average rate analysed first, where the encoder can.
    ///
    /// Constant quality gains nothing from that.
    fileprivate mutating func allowSecondPass() {
        guard var encoding = videoEncoding, case .bitRate(let rate, passes: 1) = encoding.rateControl,
            EncoderTraits.known[encoding.encoder]?.allowsTwoPasses == true
        else { return }
        encoding.rateControl = .bitRate(rate, passes: 2)
        videoEncoding = encoding
    }
}

extension FrontRoom {
    /// The room for what an export is going to write.
    init(_ prepared: PreparedExport, _ job: PipelineJob, of asset: AssetDescription) {
        let seconds = prepared.plan.requestedRange.duration.seconds
        let tracks = job.tracks.map { track -> Track in
            let source = asset.tracks.first { $0.streamIndex == track.stream }
            return Track(track.treatment, of: source, seconds: seconds.isFinite ? max(0, min(seconds, 1e7)) : 0)
        }
        self.init(
            tracks: tracks, mediaByteCount: UInt64(max(0, prepared.plan.estimatedByteCount ?? 0)),
            metadataByteCount: Self.byteCount(of: prepared))
    }

    /// About what tags, pictures and chapters take.
    private static func byteCount(of prepared: PreparedExport) -> UInt64 {
        let entries = prepared.metadata.entries + prepared.metadata.tracks.flatMap(\.entries)
        let chapters = prepared.chapters.preferredLists.flatMap(\.visibleChapters)
        let chapterBytes = chapters.reduce(0) { $0 + 128 + $1.titles.reduce(0) { $0 + 2 * $1.text.utf8.count } }
        // Pictures of chapters are media data, which lie elsewhere.
        return UInt64(entries.reduce(0) { $0 + 128 + $1.value.approximateByteCount } + chapterBytes + 4096)
    }
}

extension FrontRoom.Track {
    fileprivate init(_ treatment: PipelineJob.Treatment, of source: TrackDescription?, seconds: Double) {
        if let audio = source?.audio {
            // Few codecs have packets of fewer samples than this.
            self.init(
                sampleCount: Int(seconds * Double(max(8000, audio.sampleRate)) / 1024) + 16,
                hasVariableDurations: false, configurationByteCount: 1024)
        } else if let source, let video = source.video {
            let rate = video.nominalFrameRate > 0 ? min(video.nominalFrameRate, 1000) : 60
            let isCounted = source.sampleCount.map { Double($0) <= seconds * rate * 1.5 } ?? false
            let count = isCounted ? Int(clamping: source.sampleCount ?? 0) : Int(seconds * rate * 1.05)
            self.init(
                sampleCount: count + 16, hasVariableDurations: !video.hasFixedRate, isReordered: true,
                syncSampleCount: count / 8 + 8, configurationByteCount: 4096)
        } else {
            self.init(
                sampleCount: Int(clamping: source?.sampleCount ?? Int64(seconds)) + 16, hasVariableDurations: true)
        }
    }
}

extension VideoDescription {
    /// Whether frames come as often as the shortest one says.
    fileprivate var hasFixedRate: Bool {
        minFrameDuration.isNumeric && minFrameDuration.seconds * nominalFrameRate > 0.999
    }
}

extension MetadataValue {
    var approximateByteCount: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .data(let bytes): bytes.count
        case .integer, .real: 8
        }
    }
}
