internal import AVToolCommands
internal import Foundation
internal import MediaIO
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// What is wanted of what a file contains.
struct InfoRequest: FileRequest {
    let source: MediaSource
    /// Whether the description is for programs, else for people.
    let wantsJSON: Bool
    let withIdentifiers: Bool

    func run(in work: Work<JSONAsset>) async throws -> FileReport<JSONAsset> {
        let asset = try source.asset()
        let description = try await asset.loadDescription()
        let metadata = try await AssetMetadata(of: asset)
        let problems = problemLines(metadata.file.problems)
        guard !wantsJSON else {
            return FileReport(document: JSONAsset(source: source.file, description, metadata), warnings: problems)
        }
        let text = AssetText(
            file: source.file, description: description, metadata: metadata, withIdentifiers: withIdentifiers)
        return FileReport(lines: text.lines, warnings: problems)
    }
}

extension InfoCommand: FileWorking {
    func prepared() -> FileWork<JSONAsset> {
        { file, work in
            if verbose, work.index == 0 { WorkerConsole.tellIsolation() }
            return try await InfoRequest(
                source: source.source(file, readsPipesWhole: false), wantsJSON: json, withIdentifiers: identifiers
            ).run(in: work)
        }
    }
}

/// The metadata and chapters of an asset.
///
/// Damage there does not keep the rest from being shown; it is told as a problem. Bytes that the system did not give are
/// no damage: what they hold may be well.
struct AssetMetadata {
    let file: FileMetadata
    let chapters: [Chapter]
    /// Tracks that hold the chapters' titles.
    let chapterTracks: Set<Int32>

    init(of asset: AVAsset) async throws {
        do {
            let metadata = try await asset.loadFileMetadata()
            let lists = try await asset.loadPreferredChapterLists()
            let tracks = Set(try await asset.loadChapterLists().compactMap(\.trackID))
            (file, chapters, chapterTracks) = (metadata, lists.first?.visibleChapters ?? [], tracks)
        } catch let error as AVError
            where error.code != .failedToLoadMediaData && !(error.underlying is MediaLimitError)
        {
            file = FileMetadata(container: .other, problems: ["metadata: \(error.reason)"])
            (chapters, chapterTracks) = ([], [])
        }
    }

    func entries(ofTrack id: Int32) -> [MetadataEntry] {
        file.tracks.first { $0.trackID == Int64(id) }?.entries ?? []
    }
}

/// An asset's description for people.
struct AssetText {
    let file: String
    let description: AssetDescription
    let metadata: AssetMetadata
    var withIdentifiers = false

    var lines: [String] {
        var lines = [file.oneLine, "  " + head.joined(separator: ", ")]
        lines += description.tracks.map { track in
            let isChapters = metadata.chapterTracks.contains(track.trackID)
            let label = metadata.file.labels.first { $0.trackID == Int64(track.trackID) }
            return "  #\(track.trackID) "
                + Self.text(for: track, label, kind: isChapters ? "chapters" : track.mediaType.name)
        }
        lines += description.attachedPictures.map { "  #\($0.trackID) attached picture: " + Self.facts(of: $0) }
        lines += metadata.chapters.map { chapter in
            let duration = chapter.end - chapter.start
            return "  chapter \(chapter.start.roundedDownClockText) + \(duration.roundedDownClockText)"
                + "  \(chapter.title.oneLine)"
        }
        lines += MetadataText.lines(for: metadata.file.entries, withIdentifiers: withIdentifiers).map { $0.indented(2) }
        lines += metadata.file.links.enumerated().flatMap { index, link in
            ["  link \(index + 2) of the chain"]
                + MetadataText.lines(for: link, withIdentifiers: withIdentifiers).map { $0.indented(4) }
        }
        return lines
    }

    private var head: [String] {
        let name = MediaNames.container(
            of: description, kind: metadata.file.container, fileName: SourceFile.displayName(file))
        var head = [name, durationText]
        if let size = description.byteCount { head.append("\(size) bytes") }
        if let rate = description.bitRate { head.append("\(rate / 1000) kb/s") }
        if description.origin.isNumeric, description.origin != .zero {
            head.append("first timestamp \(description.origin.secondsText()) s")
        }
        if let timecode = description.startTimecode { head.append("timecode \(timecode)") }
        if description.hasProtectedContent { head.append("encrypted") }
        return head
    }

    /// The duration as a clock shows it and in seconds.
    private var durationText: String {
        let duration = description.duration
        guard duration.isNumeric else {
            let isPipe = description.byteCount == nil
            return "duration unknown" + (isPipe ? " before the pipe's end, to which --precise reads" : "")
        }
        let rounded = duration.convertScale(1000, method: .roundTowardNegativeInfinity)
        let text = "\(duration.roundedDownClockText) (\(rounded.secondsText(decimals: 3)) s)"
        return description.durationIsEstimate ? "about \(text)" : text
    }

    private static func text(for track: TrackDescription, _ label: TrackLabel?, kind: String) -> String {
        var parts = [facts(of: track, language: label?.languageTag)]
        parts += label?.roles.texts ?? []
        if let name = label?.name { parts.append("“\(name.oneLine)”") }
        return "\(kind): " + parts.joined(separator: ", ")
    }

    private static func facts(of track: TrackDescription, language: String? = nil) -> String {
        var parts = [MediaNames.codec(of: track) + (track.profile.map { " (\($0))" } ?? "")]
        if let video = track.video { parts += text(for: video) }
        if let audio = track.audio {
            parts.append("\(audio.sampleRate) Hz")
            parts.append(audio.channelLayout ?? "\(audio.channels) channels")
        }
        // A tag with a region or script says more than the code of three letters.
        let finer = language.flatMap { $0.contains("-") ? $0 : nil }
        if let language = finer ?? track.extendedLanguageTag ?? track.language ?? language {
            parts.append(language.oneLine)
        }
        if track.estimatedDataRate > 0 { parts.append("\(track.estimatedDataRate / 1000) kb/s") }
        if track.timeRange.start > .zero { parts.append("starts at \(track.timeRange.start.secondsText()) s") }
        if !track.isEnabled { parts.append("disabled") }
        if track.isEncrypted { parts.append("encrypted") }
        return parts.joined(separator: ", ")
    }

    private static func text(for video: VideoDescription) -> [String] {
        var parts = ["\(video.codedSize.width)x\(video.codedSize.height)"]
        if video.displaySize != video.codedSize {
            parts.append("shown as \(video.displaySize.width)x\(video.displaySize.height)")
        }
        if let rate = rateText(of: video) { parts.append(rate) }
        if let format = video.pixelFormat { parts.append(format) }
        let color = [video.color.yCbCrMatrix, video.color.primaries, video.color.transferFunction, video.color.range]
        let known = color.compactMap { $0 }
        if !known.isEmpty { parts.append(known.joined(separator: "/")) }
        if let hdr = video.hdrFormat { parts.append(hdr.rawValue) }
        if let dolby = video.dolbyVision { parts.append("Dolby Vision profile \(dolby.profileText)") }
        if video.hasAlpha { parts.append("alpha") }
        if let order = MediaNames.fieldOrder(of: video) { parts.append("interlaced, \(order)") }
        let degrees = video.preferredTransform.clockwiseDegrees
        if video.preferredTransform.isMirrored {
            parts.append("mirrored" + (degrees == 0 ? "" : ", matrix turned by \(degrees)°"))
        } else if degrees != 0 {
            parts.append("turned clockwise by \(degrees)°")
        }
        return parts
    }

    /// The frame rate, and whether it is only an average.
    private static func rateText(of video: VideoDescription) -> String? {
        let rate = video.plausibleFrameRate
        guard rate > 0 else { return nil }
        return video.isVariableFrameRate
            ? String(format: "variable, %.4g fps on average", rate) : String(format: "%.6g fps", rate)
    }
}

extension CMTime {
    /// A length as a clock shows it, rounded down to milliseconds.
    fileprivate var roundedDownClockText: String {
        guard isNumeric, self > .zero else { return Int64(0).clockText() }
        return convertScale(1000, method: .roundTowardNegativeInfinity).value.clockText()
    }
}
