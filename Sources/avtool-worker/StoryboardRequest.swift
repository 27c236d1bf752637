internal import AVToolCommands
internal import Foundation
internal import MediaIO
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// A film of which a storyboard is wanted; what is `nil` is as usual.
struct StoryboardRequest: FileRequest {
    let source: MediaSource
    let part: FilmPart
    let timeline: PreviewTimeline?
    let interval: Written<Length>?
    let tile: StillSize?
    let columns: Int?
    let rows: Int?
    let format: PreviewImageFormat
    let quality: Int
    let isExact: Bool
    let allowsDamage: Bool
    let extras: Set<StoryboardExtra>
    let output: ResultPlace
    /// Whether a storyboard stays that is there, of these settings and as new as they are.
    let keepsCurrent: Bool
    /// The share of the work that is wanted; `nil` for all of it.
    let piece: PieceWork?

    /// Whether a folder is a storyboard.
    static func isStoryboard(_ folder: String) -> Bool {
        FileManager.default.fileExists(atPath: "\(folder)/\(StoryboardDocument.fileName)")
    }

    func run(in work: Work<JSONStoryboardDocument>) async throws -> FileReport<JSONStoryboardDocument> {
        do {
            if let piece, let path = piece.made { return try await made(piece, at: path, work) }
            return try await made(at: try work.files.folder(output), work)
        } catch let error as AVError where error.code == .decodeFailed && !allowsDamage {
            let failure = Failure(error)
            throw Failure(failure.name, failure.message + "; --allow-damaged makes do without it")
        }
    }

    private func made(
        at place: OutputPlace, _ work: Work<JSONStoryboardDocument>
    ) async throws -> FileReport<JSONStoryboardDocument> {
        let asset = try source.asset()
        var settings = try settings()
        settings.part = try await part.range(of: asset)
        let maker = StoryboardMaker(settings: settings)
        let path = output.path
        if keepsCurrent, maker.isCurrent(at: path, for: asset) {
            return FileReport(
                document: .current(JSONCurrentStoryboard(source: source.file, folder: path)),
                lines: ["\(path.oneLine): up to date"])
        }
        let pieces = try piece?.set(.stills, of: source.file, limits: source.limits)
        let storyboard = try await maker.makeStoryboard(of: asset, at: place, from: pieces) { work.progress($0, "") }
        for line in storyboard.warnings + RokuLimits.warnings(of: storyboard, extras: extras) { work.warn(line) }
        if extras.contains(.jellyfin), let hint = JellyfinTiles.settingsNeeded(for: storyboard) { work.warn(hint) }
        return FileReport(
            document: .made(JSONStoryboard(storyboard, source: source.file, folder: path)),
            lines: ["\(path.oneLine): \(storyboard.summary)\(pasting)"])
    }

    /// Makes a share of the pictures.
    private func made(
        _ piece: PieceWork, at path: String, _ work: Work<JSONStoryboardDocument>
    ) async throws -> FileReport<JSONStoryboardDocument> {
        let place = try work.files.output(ResultPlace(path: path, replaces: true, makesFolder: true))
        let asset = try source.asset()
        var settings = try settings()
        settings.part = try await part.range(of: asset)
        let writer = try StillPieceWriter(try piece.head(.stills, of: source.file), at: place, limits: source.limits)
        try await StoryboardMaker(settings: settings).makePiece(of: asset, share: piece.piece.range, to: writer) {
            work.progress($0, "")
        }
        return FileReport(document: .piece(piece.json(of: source.file)), lines: [piece.line])
    }

    /// Which files hold what goes into one's own manifests.
    private var pasting: String {
        let files =
            (extras.contains(.hls) ? [HLSImagePlaylist.lineFileName] : [])
            + (extras.contains(.dash) ? [DASHThumbnails.adaptationSetFileName] : [])
        return files.isEmpty ? "" : "; for your own manifests: " + files.joined(separator: ", ")
    }

    private func settings() throws -> StoryboardSettings {
        var settings = StoryboardSettings()
        let (isForJellyfin, isForBIF) = (extras.contains(.jellyfin), extras.contains(.bif))
        // Jellyfin finds a set under the sizes of its own settings only.
        settings.interval = try interval?.time() ?? (isForJellyfin ? JellyfinTiles.interval : nil)
        let tile = tile ?? (isForJellyfin || isForBIF ? StillSize(width: JellyfinTiles.width, height: 0) : nil)
        if let tile { (settings.maximumTileWidth, settings.maximumTileHeight) = (tile.width, tile.height) }
        settings.timeline = timeline
        settings.columns = columns ?? settings.columns
        settings.rows = rows ?? settings.rows
        if columns == nil, rows == nil, !extras.isDisjoint(with: [.hls, .dash]), !isForJellyfin {
            settings.maximumSheetSide = RokuLimits.sheetSide
        }
        settings.format = format
        settings.quality = quality
        settings.isExact = isExact
        settings.allowsDamagedPictures = allowsDamage
        settings.extras = extras
        return settings
    }
}

extension StoryboardCommand: FileWorking {
    func prepared() throws -> FileWork<JSONStoryboardDocument> {
        guard !destination.isStandardOutput else {
            throw Failure(.usage, "a storyboard is a folder; -o takes no -")
        }
        let naming = try ResultNaming(
            destination.output, default: "{name}-storyboard", count: fileCount,
            // A storyboard that is there is the one to replace, not a place for another.
            isResult: StoryboardRequest.isStoryboard)
        try naming.checkNamesDiffer(ofFiles: fileCount, "films", or: "a folder that is there")
        return { file, work in
            try await StoryboardRequest(
                source: source.source(file, track: tracks.track, indexes: indexes, open: WorkerFiles.open),
                part: part.part,
                timeline: timeline.timeline,
                interval: every, tile: tile, columns: columns, rows: rows, format: pictures.format ?? .jpeg,
                quality: pictures.quality, isExact: exact, allowsDamage: damage.allowDamaged, extras: extras,
                output: naming.place(source: file, filenameExtension: "", replaces: destination.force || ifNewer),
                keepsCurrent: ifNewer, piece: PieceWork(self)
            ).run(in: work)
        }
    }

    private var extras: Set<StoryboardExtra> {
        let wanted: [(StoryboardExtra, Bool)] = [
            (.page, !noPage), (.embeddedPage, embedSheets), (.player, withPlayer), (.bif, bif), (.jellyfin, jellyfin),
            (.hls, hls), (.dash, dash),
        ]
        return Set(wanted.filter(\.1).map(\.0))
    }
}

extension Storyboard {
    /// What was made, in one line.
    var summary: String {
        let size = sheetByteCounts.reduce(0, +)
        return "\(tiles.count) \(tiles.count == 1 ? "tile" : "tiles") of \(tileWidth)x\(tileHeight), one every "
            + "\(interval.durationText()) s, on \(sheetCount) \(sheetCount == 1 ? "sheet" : "sheets") "
            + "(\(max(1, size / 1000)) kB)"
    }

    /// What is not as it should be, a line for each kind.
    var warnings: [String] {
        func line(_ affected: [Tile], _ what: String, _ reason: String?) -> String? {
            guard let first = affected.first else { return nil }
            let others = affected.count > 1 ? " and \(affected.count - 1) more" : ""
            return "\(what) at \(first.requestedTime.secondsText()) s\(others): \(reason ?? "unknown")"
        }
        let gaps = tiles.filter { $0.gap != nil }
        let damaged = tiles.filter { $0.gap == nil && $0.damage != nil }
        return [
            line(gaps, "no picture, another stands in,", gaps.first?.gap),
            line(damaged, "damaged picture", damaged.first?.damage),
        ].compactMap { $0 }
    }
}

/// A storyboard that was made, as JSON has it.
struct JSONStoryboard: Encodable {
    let source: String
    let folder: String
    let state: String
    let duration: JSONTime?
    /// The container's time of the asset's zero.
    let origin: JSONTime?
    /// What cues count from.
    let times: String
    /// What tiles cover; absent for the whole film.
    let part: JSONPart?
    let interval: JSONTime?
    let tileCount: Int
    let tileWidth: Int
    let tileHeight: Int
    let columns: Int
    let rows: Int
    let sheets: [String]
    let damaged: [Int]
    let gaps: [Int]

    init(_ storyboard: Storyboard, source: String, folder: String) {
        self.source = source
        self.folder = folder
        state = "made"
        duration = JSONTime(length: storyboard.duration)
        origin = JSONTime(storyboard.origin)
        times = storyboard.timeline.rawValue
        part = JSONPart(storyboard)
        interval = JSONTime(length: storyboard.interval)
        tileCount = storyboard.tiles.count
        tileWidth = storyboard.tileWidth
        tileHeight = storyboard.tileHeight
        columns = storyboard.columns
        rows = storyboard.rows
        sheets = (0..<storyboard.sheetCount).map(storyboard.sheetName)
        damaged = storyboard.tiles.indices.filter { storyboard.tiles[$0].damage != nil }.map { $0 + 1 }
        gaps = storyboard.tiles.indices.filter { storyboard.tiles[$0].gap != nil }.map { $0 + 1 }
    }
}

/// The part of a film that tiles cover, as JSON has it.
struct JSONPart: Encodable {
    let start: JSONTime?
    let end: JSONTime?

    /// `nil` if tiles cover all of it.
    init?(_ storyboard: Storyboard) {
        guard storyboard.part.start > .zero || storyboard.part.end < storyboard.duration else { return nil }
        (start, end) = (JSONTime(storyboard.part.start), JSONTime(storyboard.part.end))
    }
}

/// A storyboard that is up to date, as JSON has it.
struct JSONCurrentStoryboard: Encodable {
    let source: String
    let folder: String
    let state: String

    init(source: String, folder: String) {
        (self.source, self.folder, state) = (source, folder, "upToDate")
    }
}

/// What `storyboard --json` prints.
enum JSONStoryboardDocument: ResultDocument {
    case made(JSONStoryboard)
    case current(JSONCurrentStoryboard)
    case piece(JSONPiece)

    var json: any Encodable {
        switch self {
        case .made(let storyboard): storyboard
        case .current(let storyboard): storyboard
        case .piece(let piece): piece
        }
    }
}
