internal import Foundation
public import ImageGeneration
public import MediaAsset
public import MediaCore
package import MediaIO
public import MediaImage
internal import MediaMetadata

/// Stills of a film side by side in one picture, with their times and what the
/// file contains.
///
/// Times are on the asset's timeline, but for those that the sheet shows. Beyond AVFoundation.
public struct ContactSheet: Sendable {
    /// Which moments of a film are shown.
    public enum Moments: Sendable, Hashable {
        /// The middles of equal shares of the film, as many as the settings say.
        ///
        /// A frame that is shown at several of them is there once.
        case even
        /// The frames shown at these times of the asset's timeline, in this order; at least one.
        case times([CMTime])
        /// The starts of the film's chapters, with their titles; at least one.
        case chapters
    }

    /// One still on the sheet.
    public struct Tile: Sendable {
        /// The time asked for, on the asset's timeline.
        public let requestedTime: CMTime
        /// The frame's own presentation time, invalid where there is no picture.
        public let actualTime: CMTime
        /// Whether the frame is the one that is shown at the requested time.
        public let isExact: Bool
        /// Why the picture is not to be trusted, `nil` if it is.
        public let damage: String?
        /// Why there is no picture, `nil` if there is one.
        public let gap: String?
        /// Why this frame was taken, where a representative one was asked for and found; else `nil`.
        public let choice: RepresentativeChoice?
        /// The chapter's title, where the moment is a chapter's start, as the file has it; else `nil`.
        public let title: String?
        /// The time as the sheet shows it, on the timeline that its settings name: the
        /// first millisecond at which the frame is shown, or the time asked for in
        /// parentheses where there is no picture.
        public let label: String
        /// Pixels from the sheet's left edge to the picture's.
        public let x: Int
        /// Pixels from the sheet's upper edge to the picture's.
        public let y: Int
        /// Pixels in a row of the picture.
        public let width: Int
        /// Rows of the picture.
        public let height: Int
    }

    /// The sheet; 2²⁶ pixels at most.
    public let image: CGImage
    /// The container's time of the asset's zero.
    public let origin: CMTime
    /// What is on it, row by row; at least one.
    public let tiles: [Tile]
    /// How many stills at even times are left out because they would repeat a frame.
    public let omittedCount: Int
    /// How many characters are drawn as boxes because no installed font has them.
    public let missingCharacterCount: Int
    /// What of the file's metadata could not be read, one line each.
    public let problems: [String]
}

extension ContactSheet {
    /// How large things are.
    public enum Scale: Sendable, Hashable {
        /// The sheet has so many pixels in a row, from 64 to 65535, fewer if that needs stills to be enlarged.
        case sheetWidth(Int)
        /// Stills fit into a box of so many pixels, from 8 to 65535 a side.
        case tile(width: Int, height: Int)
    }

    /// Where the times of stills stand.
    public typealias Labels = SheetLabels

    /// How a sheet looks, and what it may show; what is out of range fails the sheet.
    public struct Settings: Sendable, Hashable {
        /// Stills in a row, from 1 to 1000, fewer if there are not as many; 4 by default.
        public var columns = 4
        /// Rows of stills at even times, from 1 to 1000; 4 by default.
        public var rows = 4
        /// Stills at even times, from 1 to 100,000; columns times rows if `nil`.
        public var count: Int?
        /// How large things are: a sheet of 1440 pixels in a row by default.
        public var scale = Scale.sheetWidth(1440)
        /// Pixels around everything, from 0 to 4096; in proportion to the sheet if `nil`.
        public var margin: Int?
        /// Pixels between stills, from 0 to 4096; in proportion to the sheet if `nil`.
        public var gap: Int?
        /// What is behind everything; text is black or white, whatever contrasts more.
        public var background = RGBColor(red: 28, green: 28, blue: 30)
        /// The part of the film, on the asset's timeline, that even times and chapters are taken from; `nil` for all of
        /// it.
        public var part: CMTimeRange?
        /// What the times on the sheet count from.
        public var timeline = PreviewTimeline.asset
        /// Whether the sheet begins with what the file contains.
        public var showsHeader = true
        /// Where times stand.
        public var labels = Labels.under
        /// The file format that the sheet has to fit into.
        public var format = PreviewImageFormat.png
        /// How far a frame may lie from its time that stands better for what is
        /// around, at most halfway to the next one; zero for the exact frame.
        public var representativeWindow = CMTime.zero
        /// Whether damaged pictures are shown, marked as such, and placeholders
        /// where there is none, instead of giving up.
        public var allowsDamagedPictures = false

        /// Makes the usual settings: four by four stills on 1440 pixels.
        public init() {}

        /// Stills at even times.
        var evenCount: Int { count ?? columns * rows }

        /// The most pixels of a sheet.
        static let maximumPixelCount = 1 << 26

        /// - Throws: `AVError.incorrectlyConfigured` for numbers that make no sense.
        func check() throws {
            func check(_ name: String, _ value: Int, _ range: ClosedRange<Int>) throws {
                guard !range.contains(value) else { return }
                throw AVError(
                    .incorrectlyConfigured,
                    reason: "\(name) must be from \(range.lowerBound) to \(range.upperBound), not \(value)")
            }
            try check("columns", columns, 1...1000)
            try check("rows", rows, 1...1000)
            if let count { try check("the number of stills", count, 1...100_000) }
            switch scale {
            case .sheetWidth(let width): try check("the sheet's width", width, 64...65535)
            case .tile(let width, let height):
                try check("a tile's width", width, 8...65535)
                try check("a tile's height", height, 8...65535)
            }
            if let margin { try check("the margin", margin, 0...4096) }
            if let gap { try check("the gap", gap, 0...4096) }
        }
    }
}

/// What a sheet was made of and how, as a short text that its file carries.
///
/// A later run compares the mark that it would write with the one that is there
/// and so knows whether it would make the same sheet again.
public struct SheetMark: Sendable, Hashable {
    /// What a name holds before a sheet is made.
    public enum Found: Sendable, Hashable {
        /// No file.
        case nothing
        /// A sheet of the same film, made in the same way.
        case same
        /// A sheet of another film, of another version of it, or made in another way.
        case other
        /// A file that is no sheet of ours.
        case foreign
    }

    /// The mark itself: ASCII without spaces.
    let text: String

    /// How every mark begins.
    private static let prefix = "avtool-sheet:"
    /// Counted up where sheets come to look different from the same settings.
    private static let version = 1
    /// Sheets are smaller; what is larger is not searched.
    private static let maximumByteCount: UInt64 = 1 << 29

    /// Marks sheets of a film as it is now; `nil` if it is no file that tells versions apart, such as a pipe.
    ///
    /// The version is the file's name, size and time of modification; none of its contents are read.
    ///
    /// - Parameters:
    ///   - options: What decides about the sheet besides its settings, such as the times asked for.
    public init?(of asset: AVURLAsset, settings: ContactSheet.Settings, options: [String]) {
        guard let source = StoryboardDocument.Source(asset) else { return nil }
        let parts =
            ["\(source.name)", "\(source.byteCount)", source.modificationTime, "\(settings)"] + options
        // Nobody gains from two settings of one digest, so that it need not be a secure one.
        let digest = FowlerNollVo.digest128(of: parts)
        text = "\(Self.prefix)\(Self.version):" + digest.zeroPadded(to: 32, radix: 16)
    }

    /// What a name holds.
    ///
    /// - Parameters:
    ///   - path: The sheet's path.
    ///   - mark: That of the sheet to be made; `nil` where its film cannot be told from other versions.
    /// - Complexity: Reads the file whole, up to 512 MiB; larger ones, and what cannot be read, are `foreign`.
    public static func found(at path: String, making mark: SheetMark?) -> Found {
        found(at: path, making: mark, access: .direct)
    }

    /// - Parameter access: Who opens it.
    package static func found(at path: String, making mark: SheetMark?, access: FileAccess) -> Found {
        guard FileManager.default.fileExists(atPath: path) else { return .nothing }
        guard let file = RandomAccessFile(path: path, access: access), file.byteCount <= maximumByteCount else {
            return .foreign
        }
        let data = Data(file.read(at: 0, count: Int(file.byteCount)))
        if let mark, contains(mark.text, in: data) { return .same }
        return contains(prefix, in: data) ? .other : .foreign
    }

    private static func contains(_ text: String, in data: Data) -> Bool {
        data.range(of: Data(text.utf8)) != nil
    }
}

extension ContactSheet {
    /// Makes a sheet of a film.
    ///
    /// Sizes are checked before anything is decoded, and stills are drawn as they
    /// arrive, so that memory holds the sheet and a few stills.
    ///
    /// - Parameters:
    ///   - name: The file's name as the header shows it.
    ///   - moments: What to show; as many stills as the settings say, at even times, by default.
    ///   - progress: Gets what share of the stills is done, from 0 to 1, after each.
    /// - Throws: `AVError.incorrectlyConfigured` for settings out of range and an empty list of times,
    ///   `AVError.noSourceTrack` without video, `AVError.operationNotSupportedForAsset` where even times need a
    ///   duration that the file does not tell, `AVError.noImageAtTime` without chapters or for a time outside the
    ///   film, `AVError.decodeFailed` for a picture that cannot be had undamaged; `MediaLimitError` where the sheet
    ///   would be too large; `FileWriteError` if the film's file changed meanwhile; `CancellationError` if the task is
    ///   cancelled; else what opening the file fails with, as `AVAsset` tells. Metadata that cannot be read is in
    ///   `problems` instead.
    /// - Complexity: Opens the file, reads its metadata, and makes an exact still for each tile.
    public static func make(
        of asset: AVAsset, name: String, moments: Moments = .even, settings: Settings = Settings(),
        progress: (Double) -> Void = { _ in }
    ) async throws -> ContactSheet {
        try await make(of: asset, name: name, moments: moments, settings: settings, from: nil, progress: progress)
    }

    /// Makes a sheet of a film.
    ///
    /// - Parameter pieces: The pictures, if other processes have made them; else they are made here.
    package static func make(
        of asset: AVAsset, name: String, moments: Moments, settings: Settings, from pieces: PieceSet?,
        progress: (Double) -> Void
    ) async throws -> ContactSheet {
        let plan = try await SheetPlan(of: asset, name: name, moments, settings)
        var drawing = plan.drawing
        var done = 0
        var gaps: [StillFailure] = []
        func add(_ result: Stills<Still>.Element) throws {
            switch result {
            case .success(let still): try drawing.add(still)
            case .failure(let failure) where settings.allowsDamagedPictures && failure.isDamage:
                gaps.append(failure)
                try drawing.add(failure)
            case .failure(let failure): throw failure.error
            }
            done += 1
            progress(Double(done) / Double(plan.times.count))
        }
        if let pieces {
            let reader = StillPieceReader(pieces)
            for index in plan.order { try add(try reader.next(at: plan.times[index])) }
        } else {
            for await result in plan.generator.stills(for: plan.times) { try add(result) }
        }
        try Task.checkCancellation()
        guard done == plan.times.count else { throw CancellationError() }
        try asset.source.checkUnchanged(whileMaking: name)
        if let first = gaps.first, gaps.count == done { throw first.error }
        return try drawing.finish()
    }

    /// Makes some of the pictures, for another process that makes the sheet.
    ///
    /// - Parameter share: Which of so many.
    package static func makePiece(
        of asset: AVAsset, name: String, moments: Moments, settings: Settings, share: (Int) -> Range<Int>,
        to writer: StillPieceWriter, progress: (Double) -> Void
    ) async throws {
        let plan = try await SheetPlan(of: asset, name: name, moments, settings)
        let wanted = plan.order[share(plan.order.count)]
        var done = 0
        for await result in plan.generator.stills(for: wanted.map { plan.times[$0] }) {
            try writer.add(result, as: wanted[wanted.startIndex + done])
            done += 1
            progress(Double(done) / Double(wanted.count))
        }
        try Task.checkCancellation()
        guard done == wanted.count else { throw CancellationError() }
        try asset.source.checkUnchanged(whileMaking: name)
        try writer.complete()
    }
}

/// What a sheet is made of, before anything is decoded.
private struct SheetPlan {
    let times: [CMTime]
    let drawing: SheetDrawing
    let generator: AVAssetImageGenerator

    init(
        of asset: AVAsset, name: String, _ moments: ContactSheet.Moments, _ settings: ContactSheet.Settings
    ) async throws {
        try settings.check()
        let film = try await SheetFilm(asset, name: name)
        let wanted = try await film.moments(moments, settings: settings)
        times = wanted.map(\.time)
        drawing = try SheetDrawing(film, moments, wanted, settings: settings)
        generator = AVAssetImageGenerator(asset: asset)
        generator.appliesPreferredTrackTransform = true
        generator.requestedTimeToleranceBefore = .zero
        generator.requestedTimeToleranceAfter = .zero
        generator.allowsDamagedPictures = settings.allowsDamagedPictures
        generator.representativeWindow = AVAssetImageGenerator.representativeWindow(
            settings.representativeWindow, for: times)
        generator.maximumSize = CGSize(width: drawing.layout.box.width, height: drawing.layout.box.height)
    }

    /// The times' positions in ascending order of time, in which stills come.
    var order: [Int] { times.indices.sorted { (times[$0], $0) < (times[$1], $1) } }
}

extension StillFailure {
    /// Whether this picture alone is at fault, neither the request nor the file as a whole.
    fileprivate var isDamage: Bool { (error as? AVError)?.code == .decodeFailed }
}

/// A film as a sheet needs it.
struct SheetFilm {
    /// A moment to be shown.
    struct Moment {
        let time: CMTime
        var title: String?
    }

    let facts: FilmFacts
    let track: TrackDescription
    let video: VideoDescription
    private let chapters: [Chapter]
    let problems: [String]
    /// Characters of a line of text.
    let maximumTextLength: Int

    init(_ asset: AVAsset, name: String) async throws {
        let description = try await asset.loadDescription()
        guard let track = description.videoTrack, let video = track.video else {
            throw AVError(.noSourceTrack, reason: "the file has no video track")
        }
        (self.track, self.video) = (track, video)
        maximumTextLength = Int(asset.source.limits.textLength)
        // Damage in the metadata does not keep the pictures from being shown.
        var (metadata, lists): (FileMetadata, [ChapterList]) = (FileMetadata(container: .other), [])
        var chapterTracks: Set<Int32> = []
        do {
            metadata = try await asset.loadFileMetadata()
            lists = try await asset.loadPreferredChapterLists()
            chapterTracks = Set(try await asset.loadChapterLists().compactMap(\.trackID))
        } catch let error as AVError where !(error.underlying is MediaLimitError) {
            metadata.problems.append("metadata: \(error.reason)")
        }
        chapters = lists.first?.visibleChapters ?? []
        problems = metadata.problems
        facts = FilmFacts(
            fileName: name, title: MediaItem(entries: metadata.entries).name, description: description,
            container: metadata.container, chapterCount: chapters.count, chapterTracks: chapterTracks)
    }

    private var duration: CMTime { facts.description.duration }

    /// The moments to show, in the order of the tiles.
    func moments(_ moments: ContactSheet.Moments, settings: ContactSheet.Settings) async throws -> [Moment] {
        switch moments {
        case .even:
            let samples = track.sampleCount.flatMap { Int(exactly: $0) } ?? Int.max
            let count = max(1, min(settings.evenCount, samples))
            return try facts.description.evenTimes(count, in: settings.part).map { Moment(time: $0) }
        case .times(let times):
            guard !times.isEmpty else { throw AVError(.incorrectlyConfigured, reason: "there is no time to show") }
            return times.map { Moment(time: $0) }
        case .chapters:
            // Some lists end with a mark at the film's end, where there is nothing to see.
            var starts = chapters.filter { $0.start.isNumeric && !(duration.isNumeric && $0.start >= duration) }
            guard !starts.isEmpty else { throw AVError(.noImageAtTime, reason: "the file has no chapters") }
            if let part = settings.part { starts = starts.filter { part.containsTime(max($0.start, .zero)) } }
            guard !starts.isEmpty else { throw AVError(.noImageAtTime, reason: "no chapter begins in that part") }
            return starts.map { Moment(time: max($0.start, .zero), title: $0.title.isEmpty ? nil : $0.title) }
        }
    }
}
