internal import AVToolCommands
internal import Foundation
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
