internal import Foundation
internal import MediaAsset
internal import MediaContainers
internal import MediaCore
internal import MediaEngine
internal import MediaIO
internal import MediaMetadata

/// Plans exports of compositions that keep coded samples and go into a movie.
///
/// Each piece is cut out of its movie as any trim is, exactly by its edit list; the new movie's tables put the pieces
/// one after the other. Pieces of other files become movies of their own first.
struct JoinPlanner {
    private let planner: ExportPlanner
    private let composition: CompositionState
    /// As it stood when the planning began.
    private let content: CompositionContent
    private let range: CMTimeRange

    init(_ planner: ExportPlanner, _ composition: CompositionState, range: CMTimeRange?) {
        (self.planner, self.composition, content) = (planner, composition, composition.content)
        self.range = planner.shown(range)
    }

    private var request: ExportRequest { planner.request }

    /// A piece of a file that is no movie with tables, as a movie of its own.
    struct MadePiece {
        var movie: RandomAccessFile
        /// Its tracks, by those of the file; those that nothing came of are not there.
        var trackIDs: [CMPersistentTrackID: UInt32]
        var warnings: [String] = []
        var losses: [ExportLoss] = []
    }

    /// A piece that has to become a movie of its own.
    struct OtherPiece {
        /// Its place among all pieces.
        var index: Int
        var stretch: CompositionStretches.Stretch
        /// Whether pictures of another piece come before its own.
        var follows: Bool
    }

    /// More files than these are not kept open for pieces.
    private static let maximumMadePieces = 128

    /// Whether the composition goes into a movie by tables: that of movies alone, or of other files alone, which become
    /// movies first; where both are joined, their tables describe the same samples in different words.
    static func joinsByTables(_ composition: CompositionState, _ request: ExportRequest) -> Bool {
        guard request.fileType.movieBrand != nil else { return false }
        if composition.isOfMovies { return true }
        let content = composition.content
        let pieces = content.tracks.map(\.timeline.segments.count).max() ?? 0
        return !request.metadata.isForSharing && pieces <= maximumMadePieces
            && !content.sources.contains(where: \.isMovieWithTables)
    }

    /// The export, where all files are movies with tables; else what its pieces will make.
    func prepare() throws -> PreparedExport {
        if composition.isOfMovies { return try prepare(with: [:], as: nil) }
        // What is left out, and what cannot be joined, is the same as through a muxer.
        var prepared = try PipelinePlanner(planner, range: range).prepare()
        prepared.plan.actualRange = range
        prepared.engine = .pieces(self, prepared.plan)
        return prepared
    }

    /// - Parameters:
    ///   - made: The pieces of other files than movies with tables, by their place among all.
    ///   - planned: The plan of the whole, which tells what is left out; `nil` where all are movies with tables.
    func prepare(with made: [Int: MadePiece], as planned: ExportPlan?) throws -> PreparedExport {
        guard let brand = request.fileType.movieBrand else {
            throw Self.refusal("\(request.fileType.name) files have no tables of samples")
        }
        guard !request.metadata.isForSharing else {
            throw Self.refusal("they are not looked through for what is private")
        }
        var (tracks, losses) = try keptTracks()
        var stretches = try stretches(of: tracks)
        if let planned {
            losses = planned.losses
            let held = tracks.indices.filter { index in
                planned.tracks.contains { $0.trackID == tracks[index].description.trackID }
                    && stretches.indices.contains { piece in
                        stretches[piece].trackIDs[index].map { made[piece]?.trackIDs[$0] != nil } ?? false
                    }
            }
            losses += tracks.indices.filter { index in
                !held.contains(index) && planned.tracks.contains { $0.trackID == tracks[index].description.trackID }
            }.map { index in
                let track = tracks[index].description
                return ExportLoss(
                    .track, track.nameForPeople, reason: "the pieces have nothing of it", trackID: track.trackID)
            }
            tracks = held.map { tracks[$0] }
            for piece in stretches.indices where stretches[piece].source != nil {
                stretches[piece].trackIDs = held.map { stretches[piece].trackIDs[$0] }
            }
        }
        var pieces = JoinPieces(brand: brand)
        for (index, stretch) in stretches.enumerated() {
            if let piece = made[index] { pieces.add(piece, stretch) } else { try pieces.add(stretch, tracks) }
        }
        let plan: MovieJoinPlan
        do {
            let join = try MovieJoin(pieces.list)
            if let problem = join.problem() { throw Self.refusal(problem) }
            plan = try join.plan()
        } catch let error as MovieError where error.kind == .unsupported {
            throw Self.refusal(error.reason)
        }
        var prepared = try prepared(
            plan, tracks,
            losses + pieces.losses
                + plan.losses.map { loss in
                    ExportLoss(.media, loss.item, reason: loss.reason)
                })
        let inOrder = made.sorted { $0.key < $1.key }.map(\.value)
        prepared.plan.warnings += inOrder.flatMap(\.warnings)
        prepared.plan.losses += inOrder.flatMap(\.losses)
        return prepared
    }

    private func stretches(of tracks: [Track]) throws -> [CompositionStretches.Stretch] {
        try CompositionStretches(tracks.map(\.part), in: range).list
    }

    // MARK: Pieces that become movies first

    /// The pieces of files, where none is of a movie with tables.
    func otherPieces() throws -> [OtherPiece] {
        var (pieces, follows): ([OtherPiece], Bool) = ([], false)
        for (index, stretch) in try stretches(of: keptTracks().0).enumerated() {
            guard stretch.source != nil else { continue }
            pieces.append(OtherPiece(index: index, stretch: stretch, follows: follows))
            follows = true
        }
        return pieces
    }

    /// When the new file says that it was made, if that is kept.
    var creationDate: Date? { request.metadata.replacement == nil ? planner.metadata.creationDate : nil }

    /// What makes a movie of a piece.
    func request(for stretch: CompositionStretches.Stretch) -> ExportRequest {
        var piece = request
        piece.timeRange = stretch.range
        piece.trackSelection = ExportTrackSelection()
        piece.trackSelection.trackIDs = Set(stretch.trackIDs.compactMap { $0 })
        piece.metadata = ExportMetadata()
        piece.metadata.replacement = []
        piece.preset.chapters = .drop
        (piece.optimizesForNetwork, piece.requiresExactRange) = (false, false)
        (piece.auditDepth, piece.fileLengthLimit) = (.none, 0)
        return piece
    }

    private func plan(of tracks: [Track], losses: [ExportLoss]) -> ExportPlan {
        ExportPlan(
            preset: request.preset.name, fileType: request.fileType, method: .cut, requestedRange: range,
            actualRange: range,
            tracks: tracks.map { track in
                let track = track.description
                return ExportPlan.Track(
                    trackID: track.trackID, mediaType: track.mediaType, treatment: .passthrough,
                    sourceCodec: track.codecOrTag, codec: track.codecOrTag, language: track.language, details: [])
            },
            losses: losses, passes: 1)
    }

    /// A track of the composition that goes into the new movie.
    struct Track {
        var description: TrackDescription
        var part: CompositionContent.Track
    }

    private func keptTracks() throws -> ([Track], [ExportLoss]) {
        var (tracks, losses) = ([Track](), [ExportLoss]())
        for track in planner.asset.tracks {
            guard let part = content.tracks.first(where: { $0.trackID == track.trackID }), part.firstMedia != nil else {
                losses.append(
                    ExportLoss(
                        .track, track.nameForPeople, reason: "there is nothing in it", trackID: track.trackID)
                )
                continue
            }
            if track.mediaType == .video, request.fileType.holdsSoundOnly {
                losses.append(
                    ExportLoss(
                        .track, track.nameForPeople, reason: "the file is for sound only",
                        trackID: track.trackID))
                continue
            }
            guard !part.turnsMedia else { throw Self.refusal("pictures are turned in some files and not in others") }
            tracks.append(Track(description: track, part: part))
        }
        guard !tracks.isEmpty else {
            throw AVError(.operationNotSupportedForAsset, reason: "there is nothing in the composition")
        }
        return (tracks, losses)
    }

    /// Why coded samples cannot be kept, and what can be done.
    static func refusal(_ reason: String) -> AVError {
        AVError(
            .operationNotSupportedForAsset,
            reason: "the pieces cannot be joined as they are: \(reason); presets that encode anew, such as high or "
                + "hevc-high, join any")
    }

    private func prepared(
        _ join: MovieJoinPlan, _ tracks: [Track], _ losses: [ExportLoss]
    ) throws -> PreparedExport {
        let trackIDs = Dictionary(
            zip(tracks, join.tracks).map { (Int64($0.description.trackID), Int64($1.id)) },
            uniquingKeysWith: { first, _ in first })
        let (metadata, metadataLosses) = try request.metadata.applied(
            to: planner.metadata, for: request.fileType, trackIDs: trackIDs)
        var plan = plan(of: tracks, losses: losses + metadataLosses)
        plan.actualRange = CMTimeRange(start: range.start, duration: join.duration)
        plan.estimatedByteCount = Int64(clamping: join.byteCount)
        var cost = ExportCost()
        cost.add(byteCount: plan.estimatedByteCount)
        plan.estimatedCoreSeconds = cost.seconds
        plan.hidden = HiddenMaterial.of(RandomAccessFile(join.rewrite(), of: join.file))
        try request.checkLength(plan.estimatedByteCount)
        return PreparedExport(
            plan: plan, engine: .cut(join.rewrite(), of: join.file), metadata: metadata,
            chapters: try planner.source.chapterMetadata(), sourceContainer: planner.metadata.container)
    }
}

extension CompositionState {
    /// Whether all of its films are movies with tables of their samples.
    var isOfMovies: Bool { content.sources.allSatisfy(\.isMovieWithTables) }
}

extension AssetSource {
    fileprivate var isMovieWithTables: Bool {
        guard let asset = try? describe(), file != nil else { return false }
        return asset.containerType.isMovie && !asset.canContainFragments
    }
}

/// The pieces of a join, each cut out of its movie.
private struct JoinPieces {
    let brand: MovieBrand
    private(set) var list: [MovieJoin.Segment] = []
    private(set) var losses: [ExportLoss] = []
    /// The movies, each read once.
    private var movies: [ObjectIdentifier: MovieTrim] = [:]

    init(brand: MovieBrand) { self.brand = brand }

    mutating func add(_ stretch: CompositionStretches.Stretch, _ tracks: [JoinPlanner.Track]) throws {
        guard let source = stretch.source else {
            list.append(MovieJoin.Segment(gapLasting: stretch.target.duration))
            return
        }
        let movie = try movie(of: source)
        let ids = stretch.trackIDs.map { $0.flatMap { UInt32(exactly: $0) } }
        var options = MovieTrimOptions()
        options.targetBrand = brand
        options.dropsChapterTracks = true
        let origin = try source.describe().origin
        let range = CMTimeRange(start: stretch.range.start + origin, duration: stretch.range.duration)
        let cut = try movie.plan(range: range, keeping: Set(ids.compactMap { $0 }), options: options)
        losses += cut.losses.map { ExportLoss(.media, $0.item, reason: $0.reason) }
        let kept = Set(cut.tracks.map(\.id))
        guard let file = source.file else { return }
        list.append(
            MovieJoin.Segment(
                RandomAccessFile(cut.rewrite(), of: file),
                tracks: ids.map { $0.flatMap { kept.contains($0) ? $0 : nil } },
                duration: stretch.target.duration))
    }

    /// Adds a piece that is a movie of its own.
    mutating func add(_ piece: JoinPlanner.MadePiece, _ stretch: CompositionStretches.Stretch) {
        list.append(
            MovieJoin.Segment(
                piece.movie, tracks: stretch.trackIDs.map { $0.flatMap { piece.trackIDs[$0] } },
                duration: stretch.target.duration))
    }

    private mutating func movie(of source: AssetSource) throws -> MovieTrim {
        if let known = movies[ObjectIdentifier(source)] { return known }
        let asset = try source.describe()
        guard asset.containerType.isMovie, !asset.canContainFragments, let file = source.file else {
            let name = URL(fileURLWithPath: source.path).lastPathComponent
            throw MovieError(.unsupported, "\(name) is no movie or MP4 file with tables of its samples")
        }
        let movie = try MovieTrim(file: file)
        movies[ObjectIdentifier(source)] = movie
        return movie
    }
}

/// A composition as stretches of time in which all tracks go on in one file.
struct CompositionStretches {
    /// A part of a file, or nothing, that all tracks show.
    struct Stretch {
        /// `nil` for nothing.
        var source: AssetSource?
        /// On the file's own timeline; invalid for nothing.
        var range: CMTimeRange
        /// From the beginning of the export on.
        var target: CMTimeRange
        /// Which of the file's tracks goes on in each track; `nil` for an empty one.
        var trackIDs: [CMPersistentTrackID?]
    }

    private(set) var list: [Stretch] = []

    /// - Throws: `AVError` where tracks show different files, or different moments of one, at the same time, and where
    ///   the speed changes.
    init(_ parts: [CompositionContent.Track], in range: CMTimeRange) throws {
        let lanes = parts.map { $0.timeline.slice(range) }
        let bounds = Set(lanes.joined().flatMap { [$0.target.start, $0.target.end] }).sorted()
        var places = lanes.map { _ in 0 }
        for (start, end) in zip(bounds, bounds.dropFirst()) {
            var shown: [TrackTimeline<CompositionMedia>.Segment?] = []
            for (index, lane) in lanes.enumerated() {
                while places[index] < lane.count, lane[places[index]].target.end <= start { places[index] += 1 }
                shown.append(places[index] < lane.count ? lane[places[index]] : nil)
            }
            try add(Self.stretch(shown, CMTimeRange(start: start, end: end)))
        }
    }

    /// The same, each segment divided where the edit list of a file's video goes on elsewhere in the media: coded
    /// samples do not go on there.
    func dividedByEdits() throws -> [Stretch] {
        try list.flatMap { segment in
            guard let source = segment.source else { return [segment] }
            let tracks = try source.describe().tracks.filter { segment.trackIDs.contains($0.trackID) }
            let jumps = tracks.filter { $0.mediaType == .video }.flatMap(\.editJumps)
                .filter { $0 > segment.range.start && $0 < segment.range.end }
            let bounds = [segment.range.start] + Set(jumps).sorted() + [segment.range.end]
            return zip(bounds, bounds.dropFirst()).map { start, end in
                var part = segment
                part.range = CMTimeRange(start: start, end: end)
                part.target = CMTimeRange(
                    start: segment.target.start + (start - segment.range.start), duration: end - start)
                // What comes after the end of a track is no piece of it.
                part.trackIDs = part.trackIDs.map { number in
                    tracks.contains { $0.trackID == number && $0.mediaType == .video && $0.showsNothing(at: start) }
                        ? nil : number
                }
                if part.trackIDs.allSatisfy({ $0 == nil }) { part.source = nil }
                return part
            }
        }
    }

    private static func stretch(
        _ shown: [TrackTimeline<CompositionMedia>.Segment?], _ target: CMTimeRange
    ) throws -> Stretch {
        var stretch = Stretch(source: nil, range: .invalid, target: target, trackIDs: [])
        for segment in shown {
            guard let segment, let media = segment.media else {
                stretch.trackIDs.append(nil)
                continue
            }
            let start = segment.sourceTime(at: target.start)
            guard !segment.isScaled else {
                throw AVError(
                    .operationNotSupportedForAsset,
                    reason: "coded samples that stay as they are cannot be shown at another speed; presets that encode "
                        + "anew, such as high or hevc-high, can do that")
            }
            if let source = stretch.source, source !== media.source || stretch.range.start != start {
                throw JoinPlanner.refusal("tracks show different files, or moments, at \(target.start.secondsText()) s")
            }
            stretch.source = media.source
            stretch.range = CMTimeRange(start: start, duration: target.duration)
            stretch.trackIDs.append(media.trackID)
        }
        return stretch
    }

    /// Adds a stretch, or makes the last one longer where all goes on.
    private mutating func add(_ stretch: Stretch) throws {
        guard let last = list.last, let joined = try last.followed(by: stretch) else {
            list.append(stretch)
            return
        }
        list[list.count - 1] = joined
    }
}

extension CompositionStretches.Stretch {
    /// This stretch and the next one as one; `nil` where something begins anew or is left out.
    fileprivate func followed(by next: Self) throws -> Self? {
        guard let source, next.source == nil || next.source === source else {
            guard source == nil, next.source == nil else { return nil }
            return with(target: CMTimeRange(start: target.start, end: next.target.end), trackIDs: trackIDs)
        }
        let after = CMTimeRange(start: range.end, duration: next.target.duration)
        guard next.source == nil || next.range.start == range.end else { return nil }
        var ids: [CMPersistentTrackID?] = []
        for (own, other) in zip(trackIDs, next.trackIDs) {
            // A track that the file itself has nothing of is no edit.
            let ends = try other == nil && isAbsent(own, in: after)
            let begins = try own == nil && isAbsent(other, in: range)
            guard own == other || ends || begins else { return nil }
            ids.append(own ?? other)
        }
        return with(target: CMTimeRange(start: target.start, end: next.target.end), trackIDs: ids)
    }

    private func with(target: CMTimeRange, trackIDs: [CMPersistentTrackID?]) -> Self {
        var copy = self
        if source != nil { copy.range = CMTimeRange(start: range.start, duration: target.duration) }
        (copy.target, copy.trackIDs) = (target, trackIDs)
        return copy
    }

    /// Whether the file has nothing of a track meanwhile.
    private func isAbsent(_ trackID: CMPersistentTrackID?, in range: CMTimeRange) throws -> Bool {
        guard let trackID, let track = try source?.describe().tracks.first(where: { $0.trackID == trackID }) else {
            return false
        }
        let common = track.timeRange.intersection(range)
        return !common.isValid || common.duration <= .zero
    }
}

extension TrackDescription {
    /// Whether its edit list has an empty edit at a time.
    fileprivate func showsNothing(at time: CMTime) -> Bool {
        guard editJumps.contains(time),
            let edit = editList.last(where: { edit in
                CMTimeConvertScale(edit.target.start, timescale: timescale, method: .roundHalfAwayFromZero) <= time
            })
        else { return false }
        return !edit.source.isValid
    }

    /// Whether its edit list goes on elsewhere in the media during a range of the asset's timeline; `nil` for all of it.
    func hasEditJump(within range: CMTimeRange?) -> Bool {
        editJumps.contains { jump in
            (range.map { jump > $0.start && jump < $0.end } ?? true) && !showsNothing(at: jump)
        }
    }

    /// When its edit list goes on elsewhere in the media, in whole ticks of the track.
    var editJumps: [CMTime] {
        zip(editList, editList.dropFirst()).compactMap { before, after in
            // An empty edit at the beginning only delays the track.
            guard before.source.isValid, !after.source.isValid || before.source.end != after.source.start else {
                return before.source.isValid || before.target.start <= .zero ? nil : after.target.start
            }
            return after.target.start
        }.map { CMTimeConvertScale($0, timescale: timescale, method: .roundHalfAwayFromZero) }
    }
}

extension AssetSource {
    /// Whether an export leaves coded samples as they are that an edit list shows in several pieces, for a file that has
    /// no edit lists: it is a join of these.
    func isJoinedByEdits(_ request: ExportRequest) throws -> Bool {
        guard request.preset.isPassthrough, request.fileType.movieBrand == nil, composition == nil,
            !request.metadata.isForSharing
        else { return false }
        return try describe().tracks.contains { $0.mediaType == .video && !$0.editJumps.isEmpty }
    }
}
