internal import Foundation
internal import ImageGeneration
internal import MediaAsset
internal import MediaCore
internal import MediaIO
internal import MediaImage

/// A sheet that is being drawn.
struct SheetDrawing {
    let layout: SheetLayout
    private let settings: ContactSheet.Settings
    private let moments: [SheetFilm.Moment]
    private let problems: [String]
    private let ink: SheetInk
    private let origin: CMTime
    private let headerHeight: Int
    private var canvas: ImageCanvas
    private var colorSpace: CGColorSpace?
    private var tiles: [(place: Int, tile: ContactSheet.Tile)] = []
    private var missingCharacterCount: Int
    /// Whether frames that have been shown are left out.
    private let isEven: Bool
    /// How many stills were wanted.
    private let wantedCount: Int
    /// Characters of a line of text.
    private let maximumTextLength: Int

    /// Lays the sheet out and draws its header.
    init(
        _ film: SheetFilm, _ wanted: ContactSheet.Moments, _ moments: [SheetFilm.Moment],
        settings: ContactSheet.Settings
    ) throws {
        (self.settings, self.moments, problems) = (settings, moments, film.problems)
        let origin = film.facts.description.origin
        self.origin = origin
        isEven = wanted == .even
        maximumTextLength = film.maximumTextLength
        wantedCount = isEven ? settings.evenCount : moments.count
        let ink = SheetInk(background: settings.background, maximumLength: film.maximumTextLength)
        self.ink = ink
        let latest = moments.map(\.time).filter(\.isNumeric).max() ?? .zero
        layout = try SheetLayout(
            settings: settings, count: moments.count, picture: film.video.displaySize,
            widestLabel: settings.clockText(latest, origin: origin).widened, titles: moments.compactMap(\.title)
        ) { text, fontSize in
            let image = try TextImage(text, style: ink.bold(fontSize))
            return PixelSize(width: image.width, height: image.height)
        }
        let header =
            settings.showsHeader
            ? try SheetHeader(facts: film.facts, layout: layout, ink: ink) : SheetHeader(margin: layout.margin)
        headerHeight = header.height
        missingCharacterCount = header.missingCharacterCount
        let height = try layout.height(headerHeight: headerHeight, format: settings.format)
        guard let canvas = ImageCanvas(width: layout.width, height: height, color: settings.background) else {
            throw MediaLimitError(reason: "the sheet would be \(layout.width)x\(height) pixels")
        }
        self.canvas = canvas
        header.draw(on: &self.canvas)
    }

    /// Draws a still.
    mutating func add(_ still: Still) throws {
        if isEven, let last = tiles.last?.tile, last.gap == nil, last.actualTime == still.actualTime { return }
        if colorSpace == nil { colorSpace = still.image.colorSpace }
        let place = isEven ? tiles.count : still.index
        let room = room(of: place)
        let x = room.x + (layout.cellWidth - still.image.width) / 2
        let y = room.y + (layout.tile.height - still.image.height) / 2
        canvas.draw(still.image, x: x, y: y)
        let tile = ContactSheet.Tile(
            requestedTime: still.requestedTime, actualTime: still.actualTime, isExact: still.isExact,
            damage: still.damage, gap: nil, choice: still.choice, title: moments[still.index].title,
            label: settings.clockText(still.actualTime, origin: origin), x: x, y: y, width: still.image.width,
            height: still.image.height)
        try drawLabel(of: tile, room)
        tiles.append((place, tile))
    }

    /// Draws a placeholder that says why there is no picture.
    mutating func add(_ failure: StillFailure) throws {
        let reason = (failure.error as? AVError)?.reason ?? String(describing: failure.error)
        let place = isEven ? tiles.count : failure.index
        let room = room(of: place)
        let x = room.x + (layout.cellWidth - layout.tile.width) / 2
        let tile = ContactSheet.Tile(
            requestedTime: failure.requestedTime, actualTime: .invalid, isExact: false, damage: nil, gap: reason,
            choice: nil, title: moments[failure.index].title,
            label: "(\(settings.clockText(failure.requestedTime, origin: origin)))",
            x: x, y: room.y, width: layout.tile.width, height: layout.tile.height)
        canvas.fill(x: x, y: room.y, width: tile.width, height: tile.height, color: ink.placeholder)
        try drawReason("no picture: \(reason)", on: tile)
        try drawLabel(of: tile, room)
        tiles.append((place, tile))
    }

    /// The sheet as far as it was drawn.
    consuming func finish() throws -> ContactSheet {
        let ordered = tiles.sorted { $0.place < $1.place }.map(\.tile)
        let usedRows = (ordered.count + layout.columns - 1) / layout.columns
        canvas.cut(height: headerHeight + layout.bottom(ofRow: max(0, usedRows - 1)) + layout.margin)
        guard let image = canvas.image(colorSpace: colorSpace) else {
            throw AVError(.unknown, reason: "the sheet has no pixels")
        }
        return ContactSheet(
            image: image, origin: origin, tiles: ordered, omittedCount: wantedCount - ordered.count,
            missingCharacterCount: missingCharacterCount, problems: problems)
    }

    /// The upper left corner of the room for a still.
    private func room(of place: Int) -> (x: Int, y: Int) {
        let (x, y) = layout.place(ofTile: place)
        return (x, y + headerHeight)
    }

    // MARK: Text

    private mutating func drawReason(_ reason: String, on tile: ContactSheet.Tile) throws {
        let inset = max(4, Int(layout.labelFontSize / 2))
        let words = reason.split(separator: " ").map(String.init)
        let style = ink.faint(layout.labelFontSize, width: tile.width - 2 * inset)
        var y = tile.y + inset
        for line in try TextImage.lines(words, separator: " ", style: style) {
            guard y + line.height <= tile.y + tile.height else { return }
            canvas.draw(line, x: tile.x + inset, y: y)
            y += line.height
        }
    }

    private mutating func drawLabel(of tile: ContactSheet.Tile, _ room: (x: Int, y: Int)) throws {
        switch settings.labels {
        case .none: return
        case .under:
            let label = try SheetLabel(of: tile, width: layout.cellWidth, fontSize: layout.labelFontSize, ink: ink)
            missingCharacterCount += label.missingCharacterCount
            let y = room.y + layout.tile.height + SheetLayout.labelDistance(layout.labelFontSize)
            label.draw(on: &canvas, x: room.x + (layout.cellWidth - label.width) / 2, y: y)
        case .on:
            let inset = max(2, Int(layout.labelFontSize / 3))
            let label = try SheetLabel(
                of: tile, width: max(1, tile.width - 4 * inset), fontSize: layout.labelFontSize,
                ink: SheetInk(background: .black, maximumLength: maximumTextLength))
            missingCharacterCount += label.missingCharacterCount
            // White on a dark ground can be read on any picture.
            let (width, height) = (label.width + 2 * inset, label.height + inset)
            let (x, y) = (tile.x + tile.width - width - inset, tile.y + tile.height - height - inset)
            canvas.fill(x: x, y: y, width: width, height: height, color: .black, opacity: 168)
            label.draw(on: &canvas, x: x + inset, y: y + inset / 2)
        }
    }
}

/// A still's time and what else is to be said of it, on one line.
struct SheetLabel {
    private let parts: [TextImage]
    private let distance: Int
    let width: Int
    let height: Int

    /// - Parameter limit: Pixels that it may take up.
    init(of tile: ContactSheet.Tile, width limit: Int, fontSize: Double, ink: SheetInk) throws {
        distance = Int(fontSize / 2)
        var time = ink.bold(fontSize)
        time.weight = .semibold
        time.maximumWidth = max(1, limit)
        var parts = [try TextImage(tile.label, style: time)]
        var free = limit - parts[0].width - distance
        for text in [tile.damage.map { _ in "damaged" }, tile.title].compactMap({ $0 }) where free > Int(2 * fontSize) {
            var style = ink.regular(fontSize)
            style.maximumWidth = free
            parts.append(try TextImage(text, style: style))
            free -= (parts.last?.width ?? 0) + distance
        }
        self.parts = parts
        width = parts.map(\.width).reduce(0, +) + (parts.count - 1) * distance
        height = parts.map(\.height).max() ?? 0
    }

    var missingCharacterCount: Int { parts.map(\.missingCharacterCount).reduce(0, +) }

    /// Draws the parts side by side, on one base line.
    func draw(on canvas: inout ImageCanvas, x: Int, y: Int) {
        let baseline = parts.map(\.baseline).max() ?? 0
        var x = x
        for part in parts {
            canvas.draw(part, x: x, y: y + baseline - part.baseline)
            x += part.width + distance
        }
    }
}

extension ContactSheet.Settings {
    /// A time of the asset as the sheet shows it.
    fileprivate func clockText(_ time: CMTime, origin: CMTime) -> String {
        (timeline == .container ? origin + time : time).milliseconds.clockText()
    }
}

extension String {
    /// The text with the widest digits.
    fileprivate var widened: String { String(map { $0.isNumber ? "8" : $0 }) }
}

/// Where things lie on a sheet below its header.
struct SheetLayout {
    /// The box that stills are made to fit into.
    let box: PixelSize
    /// What that makes of the film's pictures.
    let tile: PixelSize
    /// Pixels from one margin to the other are those of the columns and the gaps.
    let cellWidth: Int
    let columns: Int
    let rows: Int
    let margin: Int
    let gap: Int
    /// Pixels of a row of the sheet.
    let width: Int
    let labelFontSize: Double
    /// Rows below each still that its label takes up, distance included.
    let labelHeight: Int

    /// How a text of a font size is measured, in pixels.
    typealias Measure = (_ text: String, _ fontSize: Double) throws -> PixelSize

    /// Lays out a sheet.
    ///
    /// - Parameters:
    ///   - picture: The size that the film is shown at.
    ///   - widestLabel: A text as wide as the widest time.
    ///   - titles: What else stands in labels.
    init(
        settings: ContactSheet.Settings, count: Int, picture: PixelSize, widestLabel: String, titles: [String],
        measure: Measure
    ) throws {
        columns = max(1, min(settings.columns, count))
        rows = (count + columns - 1) / columns
        let box: PixelSize
        switch settings.scale {
        case .sheetWidth(let sheetWidth):
            margin = settings.margin ?? sheetWidth / 60
            gap = settings.gap ?? max(2, sheetWidth / 160)
            let free = (sheetWidth - 2 * margin - (columns - 1) * gap) / columns
            guard free >= 8 else {
                throw MediaLimitError(
                    reason: "\(columns) columns do not fit into \(sheetWidth) pixels; take fewer, or a wider sheet")
            }
            // A strip much taller than wide would make the sheet a strip as well.
            box = PixelSize(width: free, height: 2 * free)
        case .tile(let width, let height):
            box = PixelSize(width: width, height: height)
            let shown = picture.fitting(box).width
            margin = settings.margin ?? max(8, shown / 14)
            gap = settings.gap ?? max(2, shown / 38)
        }
        self.box = box
        tile = picture.fitting(box)
        (labelFontSize, cellWidth, labelHeight) = try Self.labels(
            settings.labels, widestLabel, titles, box: box, tile: tile, measure)
        let grid = columns * cellWidth + (columns - 1) * gap + 2 * margin
        // A header needs room, even above small pictures.
        let minimum = settings.showsHeader ? Self.minimumHeaderWidth : 0
        switch settings.scale {
        case .sheetWidth(let sheetWidth) where tile.width == box.width: width = sheetWidth
        case .sheetWidth(let sheetWidth): width = max(grid, min(minimum, sheetWidth))
        case .tile: width = max(grid, minimum)
        }
    }

    private static let minimumHeaderWidth = 600

    /// The size of letters, and the room that labels need.
    private static func labels(
        _ labels: ContactSheet.Labels, _ widest: String, _ titles: [String], box: PixelSize, tile: PixelSize,
        _ measure: Measure
    ) throws -> (fontSize: Double, cellWidth: Int, height: Int) {
        guard labels != .none else { return (12, tile.width, 0) }
        var fontSize = min(20, max(11, Double(tile.width) / 24))
        var text = try measure(widest, fontSize)
        if text.width > box.width {
            fontSize = max(7, fontSize * Double(box.width) / Double(text.width))
            text = try measure(widest, fontSize)
        }
        guard labels == .under else { return (fontSize, tile.width, 0) }
        // Some scripts' lines are taller.
        let height = try titles.map { try measure($0, fontSize).height }.reduce(text.height, max)
        return (fontSize, max(tile.width, min(text.width, box.width)), height + Self.labelDistance(fontSize))
    }

    /// Rows between a still and its label.
    static func labelDistance(_ fontSize: Double) -> Int { Int((fontSize / 4).rounded(.up)) }

    /// Rows of a sheet with a header of so many rows, or why there cannot be as many.
    func height(headerHeight: Int, format: PreviewImageFormat) throws -> Int {
        let height = headerHeight + bottom(ofRow: rows - 1) + margin
        let largest = format.maximumDimension
        guard width <= largest, height <= largest else {
            throw MediaLimitError(
                reason: "the sheet would be \(width)x\(height) pixels: \(format.rawValue) has no more than \(largest)"
                    + " in a row or column")
        }
        guard width <= ContactSheet.Settings.maximumPixelCount / height else {
            throw MediaLimitError(
                reason: "the sheet would be \(width)x\(height) pixels, more than"
                    + " \(ContactSheet.Settings.maximumPixelCount); take smaller or fewer stills")
        }
        return height
    }

    /// Where a row of stills begins, from the header's end.
    private func top(ofRow row: Int) -> Int { row * (tile.height + labelHeight + gap) }

    /// Where a row of stills ends with its labels.
    func bottom(ofRow row: Int) -> Int { top(ofRow: row) + tile.height + labelHeight }

    /// The upper left corner of the room for a still, from the header's end.
    func place(ofTile index: Int) -> (x: Int, y: Int) {
        (margin + index % columns * (cellWidth + gap), top(ofRow: index / columns))
    }
}
