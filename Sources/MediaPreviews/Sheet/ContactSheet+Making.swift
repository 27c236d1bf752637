internal import Foundation
package import ImageGeneration
public import MediaAsset
internal import MediaCore
package import MediaIO
internal import MediaImage
internal import MediaMetadata

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
