internal import Foundation
internal import MediaCore

/// The fields of `storyboard.json` as they are written, those too that follow from others.
struct StoryboardForm: Codable, Equatable {
    /// A time, exact and in seconds for display.
    struct Time: Codable, Equatable {
        let value: Int64
        let timescale: Int32
        let seconds: Double

        /// - Parameter isLength: Whether this is no position: its seconds are rounded down.
        init(_ time: CMTime, isLength: Bool = false) throws {
            guard time.isNumeric else {
                throw EncodingError.invalidValue(
                    time, .init(codingPath: [], debugDescription: "a time that is no number cannot be written"))
            }
            (value, timescale) = (time.value, time.timescale)
            seconds = isLength ? time.secondsRoundedDown : time.secondsRoundedUp
        }

        /// Whether two say one time; their seconds only show it, in one rounding or another.
        static func == (lhs: Time, rhs: Time) -> Bool { (lhs.value, lhs.timescale) == (rhs.value, rhs.timescale) }

        /// The exact time; `nil` if the seconds are those of another one, or more than thirty years.
        var time: CMTime? {
            guard timescale > 0, abs(seconds) < 1_000_000_000 else { return nil }
            let time = CMTime(value: value, timescale: timescale)
            return abs(time.seconds - seconds) <= max(1, abs(seconds)) / 1_000_000 ? time : nil
        }
    }

    struct Source: Codable, Equatable {
        let name: String
        let size: Int64
        let modified: String
    }
    struct Size: Codable, Equatable {
        let width: Int
        let height: Int
    }
    struct Grid: Codable, Equatable {
        let columns: Int
        let rows: Int
    }
    struct Sheet: Codable, Equatable {
        let file: String
        let size: Int
        let width: Int
        let height: Int
        let tiles: Int
    }
    struct Tile: Codable, Equatable {
        let index: Int
        let sheet: Int
        let x: Int
        let y: Int
        let requested: Time
        let actual: Time
        let isSyncSample: Bool
        let exact: Bool
        let damage: String?
        let gap: String?
    }
    struct Cue: Codable, Equatable {
        let start: Int64
        let end: Int64
        let tile: Int
    }
    struct Part: Codable, Equatable {
        let start: Time
        let end: Time

        init(_ part: CMTimeRange) throws { (start, end) = (try Time(part.start), try Time(part.end)) }

        /// The exact range; `nil` if it contradicts itself.
        var range: CMTimeRange? {
            guard let start = start.time, let end = end.time, start >= .zero, end > start else { return nil }
            return CMTimeRange(start: start, end: end)
        }
    }
    struct Settings: Codable, Equatable {
        let interval: Time?
        let part: Part?
        let times: PreviewTimeline?
        let maximumTileWidth: Int
        let maximumTileHeight: Int
        let columns: Int
        let rows: Int
        let maximumSheetSide: Int
        let format: PreviewImageFormat
        let quality: Int
        let exact: Bool
        let allowsDamagedPictures: Bool
        let extras: [String]
    }

    let version: Int
    let source: Source
    let duration: Time
    let origin: Time
    let times: PreviewTimeline
    let part: Part
    let interval: Time
    let tile: Size
    let grid: Grid
    let format: PreviewImageFormat
    let settings: Settings
    let sheets: [Sheet]
    let tiles: [Tile]
    let cues: [Cue]
    let files: [String]
}

// MARK: Writing

extension StoryboardForm {
    init(_ document: StoryboardDocument) throws {
        let board = document.storyboard
        version = StoryboardDocument.version
        source = Source(
            name: document.source.name, size: document.source.byteCount, modified: document.source.modificationTime)
        duration = try Time(board.duration, isLength: true)
        origin = try Time(board.origin)
        times = board.timeline
        part = try Part(board.part)
        interval = try Time(board.interval, isLength: true)
        tile = Size(width: board.tileWidth, height: board.tileHeight)
        grid = Grid(columns: board.columns, rows: board.rows)
        format = board.format
        settings = try Settings(document.settings)
        sheets = Self.sheets(of: board)
        tiles = try Self.tiles(of: board)
        cues = board.cues.map { Cue(start: $0.start, end: $0.end, tile: $0.tile) }
        files = document.files
    }

    /// The sheets, with as many tiles as each has.
    private static func sheets(of board: Storyboard) -> [Sheet] {
        zip(0..<board.sheetCount, board.sheetByteCounts).map { number, size in
            Sheet(
                file: board.sheetName(number), size: size, width: board.sheetWidth, height: board.sheetHeight,
                tiles: min(board.tilesPerSheet, board.tiles.count - number * board.tilesPerSheet))
        }
    }

    private static func tiles(of board: Storyboard) throws -> [Tile] {
        try board.tiles.enumerated().map { index, tile in
            let place = board.place(ofTile: index)
            return Tile(
                index: index, sheet: place.sheet, x: place.x, y: place.y, requested: try Time(tile.requestedTime),
                actual: try Time(tile.actualTime), isSyncSample: tile.isSyncSample, exact: tile.isExact,
                damage: tile.damage, gap: tile.gap)
        }
    }
}

extension StoryboardForm.Settings {
    init(_ settings: StoryboardSettings) throws {
        interval = try settings.interval.map { try StoryboardForm.Time($0, isLength: true) }
        part = try settings.part.map(StoryboardForm.Part.init)
        times = settings.timeline
        maximumTileWidth = settings.maximumTileWidth
        maximumTileHeight = settings.maximumTileHeight
        columns = settings.columns
        rows = settings.rows
        maximumSheetSide = settings.maximumSheetSide
        format = settings.format
        quality = settings.quality
        exact = settings.isExact
        allowsDamagedPictures = settings.allowsDamagedPictures
        extras = settings.extras.map(\.rawValue).sorted()
    }

    /// The settings; `nil` if a time or an extra is unknown.
    var settings: StoryboardSettings? {
        var settings = StoryboardSettings()
        if let interval {
            guard let time = interval.time else { return nil }
            settings.interval = time
        }
        if let part {
            guard let range = part.range else { return nil }
            settings.part = range
        }
        settings.timeline = times
        let known = extras.compactMap(StoryboardExtra.init)
        guard known.count == extras.count else { return nil }
        settings.maximumTileWidth = maximumTileWidth
        settings.maximumTileHeight = maximumTileHeight
        settings.columns = columns
        settings.rows = rows
        settings.maximumSheetSide = maximumSheetSide
        settings.format = format
        settings.quality = quality
        settings.isExact = exact
        settings.allowsDamagedPictures = allowsDamagedPictures
        settings.extras = Set(known)
        return settings
    }
}

// MARK: Reading

extension StoryboardForm {
    /// What can be wrong with a document that has all fields.
    struct Problem: Error {
        let field: any CodingKey
        let reason: String
    }

    /// The document, if all that it says holds together.
    func document(from decoder: any Decoder) throws -> StoryboardDocument {
        do {
            return try document()
        } catch let problem as Problem {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath + [problem.field], debugDescription: problem.reason,
                    underlyingError: problem))
        }
    }

    private func document() throws -> StoryboardDocument {
        try require(version == StoryboardDocument.version, .version, "is not \(StoryboardDocument.version)")
        let board = try storyboard(of: try checkedTiles())
        try require(
            sheets.count == board.sheetCount && sheets == Self.sheets(of: board), .sheets, "are not those of the grid")
        try require(tiles == (try? Self.tiles(of: board)), .tiles, "are not where the grid has them")
        let wanted = board.cues.map { Cue(start: $0.start, end: $0.end, tile: $0.tile) }
        try require(cues == wanted, .cues, "are not those of the tiles")
        try checkSource()
        try checkFiles(of: board)
        guard let settings = settings.settings else { throw Problem(field: CodingKeys.settings, reason: "are unknown") }
        return StoryboardDocument(
            source: .init(name: source.name, byteCount: source.size, modificationTime: source.modified),
            storyboard: board, settings: settings, files: files)
    }

    /// The tiles, at their very times.
    private func checkedTiles() throws -> [Storyboard.Tile] {
        guard let interval = interval.time, interval > .zero else {
            throw Problem(field: CodingKeys.interval, reason: "is not above zero")
        }
        guard let start = part.range?.start else {
            throw Problem(field: CodingKeys.part, reason: "is no part of a film")
        }
        let range = 1...StoryboardPlan.maximumTileCount
        try require(range.contains(tiles.count), .tiles, "are not from 1 to \(range.upperBound)")
        return try tiles.enumerated().map { index, tile in
            guard let requested = tile.requested.time, let actual = tile.actual.time else {
                throw Problem(field: CodingKeys.tiles, reason: "have a time that contradicts itself")
            }
            let wanted = start + CMTimeMultiply(interval, multiplier: Int32(index))
            try require(requested == wanted, .tiles, "are not an interval apart")
            return Storyboard.Tile(
                requestedTime: requested, actualTime: actual, isSyncSample: tile.isSyncSample, isExact: tile.exact,
                damage: tile.damage, gap: tile.gap)
        }
    }

    private func storyboard(of tiles: [Storyboard.Tile]) throws -> Storyboard {
        guard let duration = duration.time, duration > .zero else {
            throw Problem(field: CodingKeys.duration, reason: "is not above zero")
        }
        guard let interval = interval.time else {
            throw Problem(field: CodingKeys.interval, reason: "is not above zero")
        }
        guard let origin = origin.time else { throw Problem(field: CodingKeys.origin, reason: "contradicts itself") }
        guard let part = part.range, part.end <= duration else {
            throw Problem(field: CodingKeys.part, reason: "is no part of a film")
        }
        let limit = format.maximumDimension
        let sides = [tile.width, tile.height, grid.columns, grid.rows]
        try require(sides.allSatisfy { (1...limit).contains($0) }, .grid, "has sides that no picture has")
        try require(
            max(tile.width * grid.columns, tile.height * grid.rows) <= limit, .grid, "is too large for a sheet")
        try require(sheets.allSatisfy { $0.size > 0 }, .sheets, "have no bytes")
        return Storyboard(
            sourceName: source.name, duration: duration, origin: origin, timeline: times, part: part,
            interval: interval, tileWidth: tile.width, tileHeight: tile.height, columns: grid.columns, rows: grid.rows,
            format: format, tiles: tiles, sheetByteCounts: sheets.map(\.size))
    }

    private func checkSource() throws {
        let name = source.name.utf8
        try require(
            !name.isEmpty && name.count <= 255 && !name.contains(0) && !name.contains(UInt8(ascii: "/")), .source,
            "has a name that no file has")
        try require(source.size >= 0, .source, "is of no size")
        let time = source.modified.utf8
        let known = "0123456789-:.TZ".utf8
        try require((20...40).contains(time.count) && time.allSatisfy(known.contains), .source, "is of no time")
    }

    /// Each file lies in the folder, and every sheet is among them.
    private func checkFiles(of board: Storyboard) throws {
        let isInside = files.allSatisfy { path in
            let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            return parts.allSatisfy { part in
                (1...255).contains(part.count) && !part.elementsEqual(".".utf8) && !part.elementsEqual("..".utf8)
                    && !part.contains(0)
            }
        }
        try require(isInside, .files, "lie outside the folder")
        let known = Set(files)
        try require(known.count == files.count && files == files.sorted(), .files, "are not sorted")
        let needed = (0..<board.sheetCount).map(board.sheetName) + [StoryboardDocument.fileName]
        try require(needed.allSatisfy(known.contains), .files, "are not all of them")
    }

    private func require(_ holds: Bool, _ field: CodingKeys, _ reason: String) throws {
        if !holds { throw Problem(field: field, reason: reason) }
    }
}
