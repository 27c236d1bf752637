internal import Foundation
internal import ImageGeneration
internal import MediaAsset
internal import MediaCore
internal import MediaIO
internal import MediaImage

/// One storyboard in the making: takes tiles in order and writes all its files.
final class StoryboardWork {
    private let plan: StoryboardPlan
    private let settings: StoryboardSettings
    private let asset: AVAsset
    private let folder: PendingFolder
    private let source: StoryboardDocument.Source
    private var filler = GapFiller()
    private var sheets: SheetWriter
    private var bif: BIFWriter?

    /// - Throws: ``StoryboardSettingsError`` if the film cannot have all that is asked for.
    init(
        _ plan: StoryboardPlan, _ settings: StoryboardSettings, of asset: AVAsset, in folder: PendingFolder
    ) throws {
        (self.plan, self.settings, self.asset, self.folder) = (plan, settings, asset, folder)
        source =
            StoryboardDocument.Source(asset)
            ?? StoryboardDocument.Source(
                name: asset.source.fileName, byteCount: 0, modifiedSeconds: 0, nanoseconds: 0)
        let names = plan.storyboard(of: source.name, format: settings.format)
        if settings.extras.contains(.jellyfin), let reason = JellyfinTiles.reasonAgainst(names) {
            throw StoryboardSettingsError(reason: reason)
        }
        sheets = SheetWriter(plan, format: settings.format, quality: settings.quality) { sheet, data in
            try folder.write(data, to: names.sheetName(sheet))
        }
        if settings.extras.contains(.bif) {
            bif = try BIFWriter(imageCount: plan.times.count, interval: plan.interval, in: folder)
        }
    }

    /// Tiles so far.
    var tileCount: Int { filler.count }

    /// Takes the next tile.
    func add(_ result: Stills<TilePicture>.Element) async throws {
        for picture in try filler.pictures(from: result, accepting: settings.allowsDamagedPictures) {
            try await sheets.add(picture.image)
            if let jpeg = picture.jpeg { try bif?.add(jpeg) }
        }
    }

    /// Writes what is left: the last sheet and the indexes.
    func finish() async throws -> Storyboard {
        try await sheets.finish()
        try bif?.finish()
        bif = nil
        let storyboard = plan.storyboard(
            of: source.name, format: settings.format, tiles: try filler.finish(), sheetByteCounts: sheets.byteCounts)
        try write(WebVTTIndex.text(of: storyboard), to: WebVTTIndex.fileName)
        try writeManifests(of: storyboard)
        if settings.extras.contains(.jellyfin), let tiles = JellyfinTiles.folder(for: storyboard) {
            for sheet in 0..<storyboard.sheetCount {
                try folder.link(storyboard.sheetName(sheet), as: "\(tiles)/\(JellyfinTiles.sheetName(sheet))")
            }
        }
        try writePage(of: storyboard)
        let document = StoryboardDocument(
            source: source, storyboard: storyboard, settings: settings, files: folder.fileNames)
        try folder.write(document.data(), to: StoryboardDocument.fileName)
        return storyboard
    }

    /// Manifests, and what of them goes into those of the film, which lie beside the folder.
    private func writeManifests(of storyboard: Storyboard) throws {
        let name = URL(fileURLWithPath: folder.path).lastPathComponent
        if settings.extras.contains(.hls) {
            try write(HLSImagePlaylist.text(of: storyboard), to: HLSImagePlaylist.fileName)
            let line = HLSImagePlaylist.streamInformation(
                of: storyboard, path: "\(name)/\(HLSImagePlaylist.fileName)")
            try write(line + "\n", to: HLSImagePlaylist.lineFileName)
        }
        if settings.extras.contains(.dash) {
            try write(DASHThumbnails.manifest(of: storyboard), to: DASHThumbnails.fileName)
            let set = DASHThumbnails.adaptationSet(of: storyboard, sheetFolder: name, indentation: 4)
            try write(set + "\n", to: DASHThumbnails.adaptationSetFileName)
        }
    }

    private func write(_ text: String, to name: String) throws { try folder.write(Data(text.utf8), to: name) }

    /// What browsers open without trouble, and what fits into memory a few times.
    private static let maximumEmbeddedByteCount = 64 << 20

    private func writePage(of storyboard: Storyboard) throws {
        guard !settings.extras.isDisjoint(with: [.page, .player, .embeddedPage]) else { return }
        if settings.extras.contains(.embeddedPage), sheets.byteCounts.reduce(0, +) > Self.maximumEmbeddedByteCount {
            throw StoryboardSettingsError(reason: "the sheets are too large for a page; leave them beside it")
        }
        let embedded =
            settings.extras.contains(.embeddedPage)
            ? try (0..<storyboard.sheetCount).map { try folder.contents(of: storyboard.sheetName($0)) } : nil
        let page = StoryboardPage(
            storyboard: storyboard, player: settings.extras.contains(.player) ? try relativePath() : nil,
            sheets: embedded.map { .embedded($0) } ?? .beside)
        try write(page.html(), to: StoryboardFolder.page)
    }

    /// The film's path from the folder, as browsers follow it: by names alone.
    private func relativePath() throws -> String {
        guard asset.source.composition == nil else {
            throw StoryboardSettingsError(reason: "a page can play a file only, not a composition")
        }
        let film = URL(fileURLWithPath: asset.source.path).absoluteURL.standardizedFileURL.pathComponents
        let base = URL(fileURLWithPath: folder.path).absoluteURL.standardizedFileURL.pathComponents
        let common = zip(film, base).prefix { $0 == $1 }.count
        return (Array(repeating: "..", count: base.count - common) + film[common...]).joined(separator: "/")
    }
}

/// Writes a BIF file picture by picture.
private struct BIFWriter {
    private var layout: BIFFile
    private let file: PendingFile
    private var position: UInt64

    init(imageCount: Int, interval: CMTime, in folder: PendingFolder) throws {
        do {
            layout = try BIFFile(imageCount: imageCount, interval: interval)
        } catch {
            throw StoryboardSettingsError(reason: error.description)
        }
        file = try folder.file(BIFFile.fileName)
        position = UInt64(layout.imagesOffset)
    }

    mutating func add(_ jpeg: Data) throws {
        try layout.add(byteCount: jpeg.count)
        try jpeg.withUnsafeBytes { try file.write($0, at: position) }
        position += UInt64(jpeg.count)
    }

    func finish() throws {
        try layout.header().withUnsafeBytes { try file.write($0, at: 0) }
        try file.complete(isSynced: false)
    }
}

/// Lays tiles out on sheets and hands each sheet on when it is full.
///
/// One sheet is drawn while the one before is encoded; there are never more.
struct SheetWriter {
    private let plan: StoryboardPlan
    private let format: PreviewImageFormat
    private let quality: Int
    /// Gets the sheets as files, in order, counted from 0.
    private let write: (Int, Data) throws -> Void
    private var sheet: ImageCanvas?
    /// That of all tiles, since all are frames of one track.
    private var colorSpace: CGColorSpace?
    private var tileCount = 0
    private var encoding: Task<Data, any Error>?
    private(set) var byteCounts: [Int] = []

    init(
        _ plan: StoryboardPlan, format: PreviewImageFormat, quality: Int, write: @escaping (Int, Data) throws -> Void
    ) {
        self.plan = plan
        self.format = format
        self.quality = quality
        self.write = write
    }

    /// Draws the next tile.
    mutating func add(_ tile: CGImage) async throws {
        let position = tileCount % (plan.columns * plan.rows)
        if position == 0 {
            sheet = ImageCanvas(
                width: plan.columns * plan.tile.width, height: plan.rows * plan.tile.height, color: .black)
        }
        sheet?.draw(tile, x: position % plan.columns * plan.tile.width, y: position / plan.columns * plan.tile.height)
        colorSpace = tile.colorSpace
        tileCount += 1
        if position == plan.columns * plan.rows - 1 { try await encodeSheet() }
    }

    /// Encodes what is left and waits until all is written.
    mutating func finish() async throws {
        if tileCount % (plan.columns * plan.rows) != 0 { try await encodeSheet() }
        try await writeEncoded()
    }

    private mutating func encodeSheet() async throws {
        try await writeEncoded()
        guard let image = sheet?.image(colorSpace: colorSpace) else {
            throw AVError(.unknown, reason: "the sheet has no pixels")
        }
        sheet = nil
        encoding = Task.detached { [format, quality] in try format.data(of: image, quality: quality) }
    }

    private mutating func writeEncoded() async throws {
        guard let data = try await encoding?.value else { return }
        encoding = nil
        try write(byteCounts.count, data)
        byteCounts.append(data.count)
    }
}

/// One tile as the decoding threads hand it over.
struct TilePicture: Sendable {
    /// What is said of it.
    let tile: Storyboard.Tile
    /// Of the tile's size, opaque.
    let image: CGImage
    /// The tile as a JPEG file, where one is wanted.
    let jpeg: Data?

    /// Brings a still into the shape of a tile.
    init(_ still: Still, size: PixelSize, jpegQuality: Int?) throws {
        tile = Storyboard.Tile(
            requestedTime: still.requestedTime, actualTime: still.actualTime, isSyncSample: still.isSyncSample,
            isExact: still.isExact, damage: still.damage)
        image = Self.fitted(still.image, size)
        jpeg = try jpegQuality.map { [image] quality in try image.jpegData(quality: quality) }
    }

    private static func fitted(_ image: CGImage, _ size: PixelSize) -> CGImage {
        guard image.hasAlpha || image.width != size.width || image.height != size.height,
            var canvas = ImageCanvas(width: size.width, height: size.height, color: .black)
        else { return image }
        canvas.draw(image, x: (size.width - image.width) / 2, y: (size.height - image.height) / 2)
        return canvas.image(colorSpace: image.colorSpace) ?? image
    }
}
