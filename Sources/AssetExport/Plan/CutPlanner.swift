internal import MediaAsset
internal import MediaContainers
internal import MediaCore
internal import MediaEngine
internal import MediaIO
internal import MediaMetadata

/// Plans exports that keep a movie's coded samples and go into a movie again.
///
/// Everything that the movie's boxes say is kept, whatever FFmpeg makes of it,
/// and trims are exact by edit lists.
struct CutPlanner {
    private let planner: ExportPlanner
    private let range: CMTimeRange?

    init(_ planner: ExportPlanner, range: CMTimeRange?) { (self.planner, self.range) = (planner, range) }

    private var request: ExportRequest { planner.request }
    private var asset: AssetDescription { planner.asset }
    /// Whether tracks of chapters are left behind: what they refer to may not be there, or not at the same time.
    private var writesChaptersAnew: Bool { range != nil || request.trackSelection != ExportTrackSelection() }

    /// The export, `nil` if only FFmpeg's way can make it.
    func prepare() throws -> PreparedExport? {
        guard let brand = request.fileType.movieBrand, let file = planner.source.file,
            let movie = try planner.sourceMovie?.get()
        else { return nil }
        var losses: [ExportLoss] = []
        let privateTracks = try request.metadata.isForSharing ? MovieScrubber(file).tracksToRemove() : [:]
        guard let kept = try keptTracks(of: movie, brand: brand, without: Set(privateTracks.keys), losses: &losses)
        else {
            return nil
        }
        guard !kept.isEmpty else {
            throw AVError(.operationNotSupportedForAsset, reason: "no track can be kept in \(request.fileType.name)")
        }
        var options = MovieTrimOptions()
        options.targetBrand = brand
        options.dropsChapterTracks = writesChaptersAnew
        options.enabledTracks = standIns(for: kept, of: movie)
        let cut: MovieTrimPlan
        do {
            // What was asked for counts from the asset's zero, a movie from its own.
            let movieRange = range.map { CMTimeRange(start: $0.start + asset.origin, duration: $0.duration) }
            var first = try movie.plan(range: movieRange, keeping: kept, options: options)
            if request.metadata.isForSharing, !hidden(by: first, of: file).isEmpty, !options.dropsHidden {
                options.dropsHidden = true
                first = try movie.plan(range: movieRange, keeping: kept, options: options)
            }
            cut = first
        } catch let error as MovieError where error.kind == .unsupported {
            return nil
        }
        losses += cut.losses.map { ExportLoss(.media, $0.item, reason: $0.reason) }
        return try prepared(cut, of: movie, file: file, losses: losses)
    }

    /// The tracks that the new movie gets; `nil` if a picture or sound cannot
    /// be held like this, which FFmpeg may write in another way.
    private func keptTracks(
        of movie: MovieTrim, brand: MovieBrand, without removed: Set<UInt32>, losses: inout [ExportLoss]
    ) throws -> Set<UInt32>? {
        let reasons = movie.reasonsNotToHold(in: brand)
        var kept: Set<UInt32> = []
        for track in movie.tracks where !removed.contains(track.id) {
            let description = asset.tracks.first { UInt32(exactly: $0.trackID) == track.id }
            if request.metadata.isForSharing, let description { try ExportPlanner.checkCanBeShared(description) }
            // Tracks of chapters are written anew with the new file's chapters.
            let holdsChapters = track.referencedAs.contains("chap")
            if !holdsChapters, isLeftOut(track.id, isKnown: description != nil) { continue }
            let name = description?.nameForPeople ?? "track \(track.id) (\(track.handler))"
            if track.handler == "vide", holdsChapters, writesChaptersAnew {
                losses.append(
                    ExportLoss(
                        .chapters, "pictures of chapters, \(name)", reason: "chapters are written anew",
                        trackID: description?.trackID))
            } else if track.handler == "vide", !holdsChapters, request.fileType.holdsSoundOnly {
                losses.append(
                    ExportLoss(
                        .track, name, reason: "the file is for sound only", trackID: description?.trackID))
            } else if holdsChapters, track.handler == "text", (brand == .quickTime) != (movie.brand == .quickTime) {
                continue
            } else if let reason = reasons[track.id] ?? track.problem {
                if ["vide", "soun"].contains(track.handler), !holdsChapters { return nil }
                if !holdsChapters {
                    losses.append(ExportLoss(.track, name, reason: reason, trackID: description?.trackID))
                }
            } else {
                kept.insert(track.id)
            }
        }
        return kept
    }

    private func hidden(by cut: MovieTrimPlan, of file: RandomAccessFile) -> [HiddenMaterial] {
        HiddenMaterial.of(RandomAccessFile(cut.rewrite(), of: file))
    }

    /// The first track of each kind of which only tracks stay that players would not show.
    private func standIns(for kept: Set<UInt32>, of movie: MovieTrim) -> Set<UInt32> {
        guard request.trackSelection != ExportTrackSelection() else { return [] }
        let staying = movie.tracks.filter { kept.contains($0.id) }
        return Set(
            (["vide", "soun"] as [FourCC]).compactMap { handler in
                let lost = movie.tracks.contains { $0.handler == handler && $0.isEnabled && !kept.contains($0.id) }
                let candidates = staying.filter { $0.handler == handler }
                return lost && !candidates.contains(where: \.isEnabled) ? candidates.first?.id : nil
            })
    }

    /// Whether somebody asked for a track to be left out.
    private func isLeftOut(_ id: UInt32, isKnown: Bool) -> Bool {
        guard !isKnown else { return false }
        let all = (try? planner.source.describe())?.tracks ?? []
        guard let track = all.first(where: { UInt32(exactly: $0.trackID) == id }) else {
            // Tracks that nobody can name stay, unless others were named.
            return request.trackSelection.trackIDs != nil
        }
        return !request.trackSelection.takes(track.trackID, track.mediaType)
    }

    private func prepared(
        _ cut: MovieTrimPlan, of movie: MovieTrim, file: RandomAccessFile, losses: [ExportLoss]
    ) throws -> PreparedExport {
        // Tracks keep their numbers.
        let trackIDs = Dictionary(
            cut.tracks.map { (Int64($0.id), Int64($0.id)) }, uniquingKeysWith: { first, _ in first })
        let (metadata, metadataLosses) = try request.metadata.applied(
            to: planner.metadata, for: request.fileType, trackIDs: trackIDs)
        let requested = planner.shown(range)
        let hidden = hidden(by: cut, of: file)
        if request.metadata.isForSharing { try HiddenMaterial.refuse(hidden) }
        var plan = ExportPlan(
            preset: request.preset.name, fileType: request.fileType, method: .cut, requestedRange: requested,
            actualRange: range == nil
                ? requested
                : CMTimeRange(start: cut.actualRange.start - asset.origin, duration: cut.actualRange.duration),
            tracks: cut.tracks.compactMap { part in
                asset.tracks.first { UInt32(exactly: $0.trackID) == part.id }.map { track in
                    ExportPlan.Track(
                        trackID: track.trackID, mediaType: track.mediaType, treatment: .passthrough,
                        sourceCodec: track.codecOrTag, codec: track.codecOrTag, language: track.language, details: [])
                }
            },
            losses: losses + metadataLosses, estimatedByteCount: Int64(clamping: cut.byteCount), passes: 1)
        var cost = ExportCost()
        cost.add(byteCount: plan.estimatedByteCount)
        plan.estimatedCoreSeconds = cost.seconds
        plan.hidden = hidden
        plan.warnings += movie.tracks.filter { kept in
            kept.isTimescaleImplied && cut.tracks.contains { $0.id == kept.id }
        }.map {
            "track \($0.id): its header has no timescale; by its length there are \($0.timescale) ticks in each second"
        }
        plan.removed = try planner.removed()
        try request.checkLength(plan.estimatedByteCount)
        return PreparedExport(
            plan: plan, engine: .cut(cut.rewrite(), of: file), metadata: metadata,
            chapters: try planner.source.chapterMetadata(), sourceContainer: planner.metadata.container,
            keepsChapters: !writesChaptersAnew)
    }
}
