internal import AVToolCommands
internal import Foundation
internal import MediaCore
internal import MediaIO
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// A film of which a contact sheet is wanted.
struct SheetRequest: FileRequest {
    let source: MediaSource
    let choice: SheetChoice
    let columns: Int
    let part: FilmPart
    /// How far representative frames may lie from their times; `nil` where the very frames are wanted.
    let window: Written<Length>?
    let look: SheetLook
    let format: PreviewImageFormat
    let quality: Int
    let allowsDamage: Bool
    let output: ResultPlace
    /// Whether a sheet stays that is there, made in the same way of the film as it is.
    let keepsCurrent: Bool
    /// The share of the work that is wanted; `nil` for all of it.
    let piece: PieceWork?

    func run(in work: Work<JSONSheetDocument>) async throws -> FileReport<JSONSheetDocument> {
        if let piece, let path = piece.made { return try await made(piece, at: path, work) }
        let place = try work.files.output(output)
        let asset = try source.asset()
        var settings = try settings()
        let options = choice.texts(of: part) + ["\(quality)", source.track.map { "track \($0)" } ?? ""]
        let mark = SheetMark(of: asset, settings: settings, options: options)
        if keepsCurrent, try isCurrent(mark) {
            return FileReport(
                document: .kept(JSONKeptSheet(source: source.file, file: output.path)),
                lines: ["\(output.path.oneLine): up to date"])
        }
        settings.part = try await part.range(of: asset)
        var shots: SceneList?
        if case .scenes(let method, _) = choice { shots = try await method.scenes(of: asset, work) }
        let sheet = try await ContactSheet.make(
            of: asset, name: SourceFile.displayName(source.file),
            moments: try await choice.moments(of: asset, in: settings.part, shots), settings: settings,
            from: try piece?.set(.stills, of: source.file, limits: source.limits)
        ) { work.progress($0, "") }
        let data = try await BlockingWork.run {
            try format.data(of: sheet.image, quality: quality, mark: mark)
        }
        try AtomicFile.write(data, to: place)
        var report = FileReport<JSONSheetDocument>(warnings: sheet.warnings, flaw: allowsDamage ? nil : shots?.flaw)
        guard !output.isStandardOutput else { return report }
        report.document = .made(JSONSheet(source: source.file, file: output.path, sheet, times: settings.timeline))
        report.text = "\(output.path.oneLine): \(sheet.summary)\n"
        return report
    }

    /// Makes a share of the pictures.
    private func made(
        _ piece: PieceWork, at path: String, _ work: Work<JSONSheetDocument>
    ) async throws -> FileReport<JSONSheetDocument> {
        let place = try work.files.output(ResultPlace(path: path, replaces: true, makesFolder: true))
        let asset = try source.asset()
        var settings = try settings()
        settings.part = try await part.range(of: asset)
        var shots: SceneList?
        if case .scenes(let method, _) = choice { shots = try await method.scenes(of: asset, work) }
        let writer = try StillPieceWriter(try piece.head(.stills, of: source.file), at: place, limits: source.limits)
        try await ContactSheet.makePiece(
            of: asset, name: SourceFile.displayName(source.file),
            moments: try await choice.moments(of: asset, in: settings.part, shots), settings: settings,
            share: piece.piece.range, to: writer
        ) { work.progress($0, "") }
        return FileReport(document: .piece(piece.json(of: source.file)), lines: [piece.line])
    }

    private func settings() throws -> ContactSheet.Settings {
        var settings = look.settings
        settings.format = format
        settings.allowsDamagedPictures = allowsDamage
        settings.columns = columns
        if case .even(let rows, let count) = choice {
            settings.rows = rows ?? settings.rows
            settings.count = count
        }
        settings.representativeWindow = try window?.time() ?? .zero
        return settings
    }

    /// Whether the sheet that is there is the one that would be made.
    ///
    /// - Throws: A failure if what is there is no sheet.
    private func isCurrent(_ mark: SheetMark?) throws -> Bool {
        switch SheetMark.found(at: output.path, making: mark, access: WorkerFiles.access) {
        case .same: return FileDate.isCurrent(output.path, madeOf: source.file)
        case .nothing, .other: return false
        case .foreign:
            throw FileWriteError(
                kind: .exists, path: output.path, reason: "the file exists already and is no sheet made by avtool")
        }
    }
}

extension ContactSheet {
    /// The sheet in a few words.
    fileprivate var summary: String {
        let stills = tiles.count == 1 ? "1 still" : "\(tiles.count) stills"
        let omitted = omittedCount > 0 ? ", \(omittedCount) left out that would repeat a frame" : ""
        return "\(image.width)x\(image.height), \(stills)\(omitted)"
    }

    /// What is not as it should be on a sheet that was made all the same.
    fileprivate var warnings: [String] {
        var warnings = problemLines(problems)
        if missingCharacterCount > 0 {
            warnings.append(
                "no installed font has \(missingCharacterCount) of the text's characters;"
                    + " install more, such as fonts-noto")
        }
        for tile in tiles {
            let time = tile.requestedTime.secondsText()
            if let damage = tile.damage { warnings.append("the picture at \(time) s is damaged: \(damage)") }
            if let gap = tile.gap { warnings.append("no picture at \(time) s: \(gap)") }
        }
        return warnings
    }
}

extension SheetCommand: FileWorking {
    func prepared() throws -> FileWork<JSONSheetDocument> {
        let naming = try ResultNaming(results.destination.output, default: "{name}-sheet.{ext}", count: fileCount)
        let format = try PreviewImageFormat(
            results.pictures.format, output: results.destination.output, naming)
        try naming.checkNamesDiffer(ofFiles: fileCount)
        return { file, work in
            try await SheetRequest(
                source: source.source(file, track: tracks.track, indexes: indexes, open: WorkerFiles.open),
                choice: times.choice,
                columns: times.columns,
                part: times.part.part, window: times.representation.wantedWindow(), look: looks.look, format: format,
                quality: results.pictures.quality, allowsDamage: damage.allowDamaged,
                output: naming.place(
                    source: file, filenameExtension: format.filenameExtension,
                    replaces: results.destination.force || results.ifNewer),
                keepsCurrent: results.ifNewer, piece: PieceWork(self)
            ).run(in: work)
        }
    }
}

extension SheetChoice {
    /// The moments.
    ///
    /// - Parameter shots: The scenes, where those decide.
    func moments(
        of asset: AVURLAsset, in part: CMTimeRange?, _ shots: SceneList?
    ) async throws -> ContactSheet.Moments {
        switch self {
        case .even: return .even
        case .chapters: return .chapters
        case .times(let list): return .times(try await asset.loadTimes(list.get()).map { try $0.place.get() })
        case .scenes: return .times((shots?.middles ?? []).filter { part?.containsTime($0) ?? true })
        }
    }
}

extension SheetLook {
    var settings: ContactSheet.Settings {
        var settings = ContactSheet.Settings()
        if let width { settings.scale = .sheetWidth(width) }
        if let tile {
            settings.scale = .tile(
                width: tile.width == 0 ? 65535 : tile.width, height: tile.height == 0 ? 65535 : tile.height)
        }
        settings.margin = margin
        settings.gap = gap
        if let background { settings.background = background.color }
        settings.labels = labels ?? settings.labels
        settings.timeline = timeline
        settings.showsHeader = showsHeader
        return settings
    }
}

/// A sheet as JSON has it.
struct JSONSheet: Encodable {
    struct Tile: Encodable {
        let index: Int
        let requested: JSONTime?
        /// `nil` where there is no picture.
        let actual: JSONTime?
        let exact: Bool
        let label: String
        let title: String?
        let damaged: Bool
        let gap: String?
        let representative: JSONChoice?
        let x: Int
        let y: Int
        let width: Int
        let height: Int
    }

    let source: String
    let file: String
    let state: String
    let width: Int
    let height: Int
    let omitted: Int
    let missingCharacters: Int
    /// The container's time of the asset's zero.
    let origin: JSONTime?
    /// What labels count from.
    let times: String
    let tiles: [Tile]

    init(source: String, file: String, _ sheet: ContactSheet, times: PreviewTimeline) {
        (origin, self.times) = (JSONTime(sheet.origin), times.rawValue)
        (self.source, self.file, state) = (source, file, "made")
        (width, height) = (sheet.image.width, sheet.image.height)
        (omitted, missingCharacters) = (sheet.omittedCount, sheet.missingCharacterCount)
        tiles = sheet.tiles.enumerated().map { index, tile in
            Tile(
                index: index + 1, requested: JSONTime(tile.requestedTime), actual: JSONTime(tile.actualTime),
                exact: tile.isExact, label: tile.label, title: tile.title, damaged: tile.damage != nil, gap: tile.gap,
                representative: tile.choice.map { JSONChoice($0) }, x: tile.x, y: tile.y, width: tile.width,
                height: tile.height)
        }
    }
}

/// A sheet that was left as it is, as JSON has it.
struct JSONKeptSheet: Encodable {
    let source: String
    let file: String
    let state: String
    let upToDate: Bool

    init(source: String, file: String) {
        (self.source, self.file, state, upToDate) = (source, file, "upToDate", true)
    }
}

/// What `sheet --json` prints.
enum JSONSheetDocument: ResultDocument {
    case made(JSONSheet)
    case kept(JSONKeptSheet)
    case piece(JSONPiece)

    var json: any Encodable {
        switch self {
        case .made(let sheet): sheet
        case .kept(let sheet): sheet
        case .piece(let piece): piece
        }
    }
}
