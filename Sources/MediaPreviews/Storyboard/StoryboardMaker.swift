internal import Foundation
package import ImageGeneration
public import MediaAsset
public import MediaCore
package import MediaIO
internal import MediaImage

/// Makes a film's storyboard: a folder of sprite sheets and their indexes that
/// appears whole or not at all.
public struct StoryboardMaker: Sendable {
    /// How storyboards are made.
    public let settings: StoryboardSettings

    /// Makes a maker.
    public init(settings: StoryboardSettings) { self.settings = settings }

    /// Makes a storyboard.
    ///
    /// Memory does not grow with the film's length, but for a line for each tile.
    ///
    /// - Parameters:
    ///   - asset: The film: of a file, or a composition of several, which has the name of the first one.
    ///   - path: The folder to make; the one above it must be there.
    ///   - replaces: Whether an older storyboard of that name may be replaced; a
    ///     folder with anything else in it never is.
    ///   - progress: Gets how far the work has come, from 0 to 1.
    /// - Returns: What was made, as `storyboard.json` says it.
    /// - Throws: `AVError.noSourceTrack` without video, `AVError.invalidSourceMedia` for a film that does not tell its
    ///   duration, `AVError.decodeFailed` for a picture that cannot be had undamaged, ``StoryboardSettingsError``,
    ///   `FileWriteError` if the place cannot be written to or the film's file changed meanwhile, `CancellationError`
    ///   if the task is cancelled; else what opening the file fails with, as `AVAsset` tells. Nothing is left then,
    ///   and an older storyboard stays.
    /// - Complexity: Opens the file, and makes a still for each tile: of a sync sample, where one lies within half an
    ///   interval and ``StoryboardSettings/isExact`` is not set.
    @discardableResult
    public func makeStoryboard(
        of asset: AVAsset, at path: String, replaces: Bool = false,
        progress: @escaping @Sendable (Double) -> Void = { _ in }
    ) async throws -> Storyboard {
        let place = try RunFiles(reading: asset.source.paths).folder(path, replaces: replaces)
        return try await makeStoryboard(of: asset, at: place, progress: progress)
    }

    /// Makes a storyboard at a place.
    ///
    /// - Parameter pieces: The pictures, if other processes have made them; else they are made here.
    @discardableResult
    package func makeStoryboard(
        of asset: AVAsset, at place: OutputPlace, from pieces: PieceSet? = nil,
        progress: @escaping @Sendable (Double) -> Void = { _ in }
    ) async throws -> Storyboard {
        let folder = try PendingFolder(for: place, as: .storyboard)
        let plan = try StoryboardPlan(settings, for: await asset.loadDescription())
        let work = try StoryboardWork(plan, settings, of: asset, in: folder)
        if let pieces {
            try await add(pieces, to: work, plan, progress)
        } else {
            for (times, tolerance) in plan.batches {
                for await result in stills(at: times, within: tolerance, plan.tile, of: asset) {
                    try await work.add(result)
                    progress(Double(work.tileCount) / Double(plan.times.count) * 0.98)
                }
                try Task.checkCancellation()
            }
        }
        let storyboard = try await work.finish()
        try asset.source.checkUnchanged(whileMaking: place.path)
        try Task.checkCancellation()
        try folder.complete()
        return storyboard
    }

    private func stills(
        at times: [CMTime], within tolerance: CMTime, _ tile: PixelSize, of asset: AVAsset
    ) -> Stills<TilePicture> {
        let quality = jpegQuality
        return generator(within: tolerance, tile, of: asset).stills(for: times) { still in
            try TilePicture(still, size: tile, jpegQuality: quality)
        }
    }

    /// Of the tiles as files, where they are wanted.
    private var jpegQuality: Int? { settings.extras.contains(.bif) ? settings.quality : nil }

    private func generator(
        within tolerance: CMTime, _ tile: PixelSize, of asset: AVAsset
    ) -> AVAssetImageGenerator {
        let generator = AVAssetImageGenerator(asset: asset)
        generator.appliesPreferredTrackTransform = true
        generator.maximumSize = CGSize(width: tile.width, height: tile.height)
        generator.requestedTimeToleranceBefore = tolerance
        generator.requestedTimeToleranceAfter = tolerance
        generator.allowsDamagedPictures = settings.allowsDamagedPictures
        return generator
    }
}

// MARK: Pieces

extension StoryboardMaker {
    /// Makes the pictures of some tiles, for another process that makes the storyboard.
    ///
    /// - Parameter share: Which of so many tiles.
    package func makePiece(
        of asset: AVAsset, share: (Int) -> Range<Int>, to writer: StillPieceWriter,
        progress: (Double) -> Void = { _ in }
    ) async throws {
        let plan = try StoryboardPlan(settings, for: await asset.loadDescription())
        let wanted = share(plan.times.count)
        var (first, done) = (0, 0)
        for (times, tolerance) in plan.batches {
            let part = (first..<(first + times.count)).clamped(to: wanted)
            first += times.count
            let asked = part.map { times[$0 - (first - times.count)] }
            guard !asked.isEmpty else { continue }
            for await result in generator(within: tolerance, plan.tile, of: asset).stills(for: asked) {
                try writer.add(result)
                done += 1
                progress(Double(done) / Double(wanted.count))
            }
            try Task.checkCancellation()
        }
        try asset.source.checkUnchanged(whileMaking: asset.source.path)
        try writer.complete()
    }

    /// Puts pictures on a storyboard that other processes have made.
    private func add(
        _ pieces: PieceSet, to work: StoryboardWork, _ plan: StoryboardPlan, _ progress: (Double) -> Void
    ) async throws {
        let reader = StillPieceReader(pieces)
        for time in plan.times {
            let still = try reader.next(at: time)
            let picture: Stills<TilePicture>.Element
            switch still {
            case .success(let still):
                picture = .success(try TilePicture(still, size: plan.tile, jpegQuality: jpegQuality))
            case .failure(let failure): picture = .failure(failure)
            }
            try await work.add(picture)
            progress(Double(work.tileCount) / Double(plan.times.count) * 0.98)
            try Task.checkCancellation()
        }
    }
}

extension StoryboardMaker {
    /// Whether a folder holds this film's storyboard, of these settings and of the film as it is now.
    ///
    /// False if what is there cannot be read, or a file of the set is gone.
    ///
    /// - Complexity: Reads `storyboard.json` and decodes nothing; blocks.
    public func isCurrent(at path: String, for asset: AVAsset) -> Bool {
        let name = "\(path)/\(StoryboardDocument.fileName)"
        guard let file = RandomAccessFile(path: name, access: asset.source.access),
            file.byteCount <= StoryboardDocument.maximumByteCount,
            let known = try? StoryboardDocument(data: Data(file.read(at: 0, count: Int(file.byteCount)))),
            known.settings == settings, known.source == StoryboardDocument.Source(asset)
        else { return false }
        return known.files.allSatisfy { FileManager.default.fileExists(atPath: "\(path)/\($0)") }
    }
}

extension StoryboardDocument.Source {
    /// The film's file as it was opened; `nil` if it is none.
    init?(_ asset: AVAsset) {
        guard let version = asset.source.fileVersion else { return nil }
        let time = version.modificationTime
        self.init(
            name: asset.source.fileName, byteCount: version.byteCount,
            modifiedSeconds: Int64(time.seconds), nanoseconds: time.nanoseconds)
    }
}

extension AssetSource {
    /// The film's name: that of its file, or of the first one that a composition is made of.
    var fileName: String { paths.first.map { URL(fileURLWithPath: $0).lastPathComponent } ?? "" }
}

/// How a storyboard is made; what does not fit the film fails with ``StoryboardSettingsError``.
public struct StoryboardSettings: Sendable, Hashable {
    /// The time from one tile to the next, above zero; `nil` for 10 s, and 0.5, 1, 2 or 5 s in films so
    /// short that a hundred tiles cover them.
    ///
    /// There are 100,000 tiles at most.
    public var interval: CMTime?
    /// The part of the film, on the asset's timeline, that tiles cover; `nil` for all of it, as BIF, Jellyfin, HLS and
    /// DASH need it.
    public var part: CMTimeRange?
    /// What cues count from; `nil` for what players of the film's container count from.
    public var timeline: PreviewTimeline?
    /// The widest that a tile may be, in pixels; 0 for no limit.
    ///
    /// 160 by default. Pictures are never enlarged.
    public var maximumTileWidth = 160
    /// The highest that a tile may be, in pixels; 0 for no limit; 160 by default.
    public var maximumTileHeight = 160
    /// Tiles in a row of a sheet, from 1 on; 10 by default.
    public var columns = 10
    /// Rows of tiles in a sheet, from 1 on; 10 by default.
    ///
    /// A sheet has 10⁸ pixels at most.
    public var rows = 10
    /// The most pixels in a row or column of a sheet, for which columns and rows are left out; 0 for no limit.
    public var maximumSheetSide = 0
    /// How sheets are encoded.
    public var format = PreviewImageFormat.jpeg
    /// The quality of sheets, from 1 to 100, without meaning for PNG; 80 by default.
    public var quality = 80
    /// Whether each tile shows the very frame at its time, even where a sync
    /// sample lies within half an interval.
    public var isExact = false
    /// Whether damaged pictures are taken, and intervals that have no picture
    /// at all filled with the one before, instead of failing.
    public var allowsDamagedPictures = false
    /// What is written besides the sheets, `storyboard.vtt` and `storyboard.json`: the page by default.
    public var extras: Set<StoryboardExtra> = [.page]

    /// Makes the usual settings.
    public init() {}
}

/// Settings that a storyboard cannot be made with.
public struct StoryboardSettingsError: BridgedError, CustomStringConvertible {
    /// Why, in one line.
    public let reason: String
    /// The reason.
    public var description: String { reason }
}
