internal import Foundation
internal import MediaAsset
internal import MediaCore
internal import MediaIO

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
