internal import AVToolCommands
internal import Foundation
internal import MediaIO
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

extension ChaptersShowCommand: FileWorking {
    func prepared() -> FileWork<JSONChapters> {
        { file, work in
            try await ChaptersShowRequest(source: source.source(file), format: format, language: language)
                .run(in: work)
        }
    }
}

extension ChaptersSetCommand: FileWorking {
    func prepared() throws -> FileWork<JSONEdit> {
        var lists = try ChapterDocument.read(from)
        if let language {
            for index in lists.indices where lists[index].languageTag == nil { lists[index].languageTag = language }
        }
        let chapters = lists
        return { file, work in
            try await options.edit(file, in: work, limits: bounds.limits) { tagged, film in
                try await tagged.setChapters(chapters, of: film, leavingOutOthers: leaveOutOthers)
                let outcome = try tagged.plan()
                // What was asked for is not there: no success, whatever kind of file it is.
                if outcome.method == .unchanged, let loss = outcome.losses.first(where: { !$0.isChange }) {
                    throw MetadataError(.unsupported, "\(loss.item): \(loss.reason)")
                }
                return nil
            }
        }
    }
}

extension ChaptersRemoveCommand: FileWorking {
    func prepared() -> FileWork<JSONEdit> {
        { file, work in
            try await options.edit(file, in: work, limits: bounds.limits) { tagged, _ in
                tagged.chapterLists = []
                return nil
            }
        }
    }
}

/// What is wanted of a file's chapters: all lists, or one in a text format.
struct ChaptersShowRequest: FileRequest {
    let source: MediaSource
    let format: ChapterFormatName?
    /// The language of the titles in that format.
    let language: String?

    func run(in work: Work<JSONChapters>) async throws -> FileReport<JSONChapters> {
        let asset = try source.asset()
        if let format { return try await export(asset, as: format.format) }
        let lists = try await asset.loadChapterLists()
        var lines = [source.file.oneLine]
        for list in lists {
            lines.append("  " + ChapterText.heading(for: list))
            lines += ChapterText.lines(for: list.chapters, indent: 4)
        }
        if lists.isEmpty { lines.append("  no chapters") }
        return FileReport(
            document: JSONChapters(source: source.file, chapterLists: lists.map { JSONChapterList($0) }), lines: lines)
    }

    private func export(_ asset: AVURLAsset, as format: ChapterTextFormat) async throws -> FileReport<JSONChapters> {
        let preferred = try await asset.loadPreferredChapterLists()
        let wanted = language.map { $0.lowercased() }
        let match = preferred.first { list in
            wanted == nil || list.languages.contains { $0.lowercased() == wanted }
        }
        guard let list = match else {
            throw Failure(
                .noChapters,
                preferred.isEmpty ? "there are no chapters" : "there are no chapters in '\(language ?? "")'")
        }
        let (text, losses) = format.text(
            of: list, languageTag: language, assetDuration: try await asset.load(.duration))
        return FileReport(text: text, warnings: losses.map(\.line))
    }
}

/// A document that holds chapters.
enum ChapterDocument {
    private struct JSONDocument: Decodable { let chapterLists: [JSONChapterList] }

    /// Reads a document of any of the known formats; `-` for standard input.
    static func read(_ path: String) throws -> [ChapterList] {
        let data = try InputDocument.read(path)
        guard let text = String(data: data, encoding: .utf8) else {
            throw Failure(.invalidChapters, "\(path): is not UTF-8 text")
        }
        if text.drop(while: \.isWhitespace).hasPrefix("{") {
            do {
                return try JSONDecoder().decode(JSONDocument.self, from: data).chapterLists.map { try $0.list() }
            } catch let error as DecodingError {
                throw Failure(.invalidJSON, "\(path): \(error.place(in: data))")
            }
        }
        guard let format = ChapterTextFormat.detect(text) else {
            throw Failure(.invalidChapters, "\(path): is of no format of chapters that is known")
        }
        do {
            return try format.parse(text)
        } catch {
            throw Failure(.invalidChapters, "\(path): \(error.reason)")
        }
    }
}

/// Lists of chapters for people.
enum ChapterText {
    /// What a list is, in one line.
    static func heading(for list: ChapterList) -> String {
        var parts = ["chapters"]
        switch list.form {
        case .quickTimeTrack: parts.append("QuickTime track" + (list.trackID.map { " \($0)" } ?? ""))
        case .nero: parts.append("Nero list")
        case .id3: parts.append("ID3")
        case .matroska: parts.append("Matroska edition")
        case .vorbisComment: parts.append("Vorbis comments")
        case .cueSheet: parts.append("cue sheet")
        case .cuePoints: parts.append("cue points")
        case .other: break
        }
        if let tag = list.languageTag { parts.append(tag.oneLine) }
        if list.isDefault { parts.append("default") }
        if list.isHidden { parts.append("hidden") }
        if list.isOrdered { parts.append("ordered") }
        return parts.joined(separator: ", ")
    }

    /// A line for each chapter, those within a chapter below it.
    static func lines(for chapters: [Chapter], indent: Int) -> [String] {
        chapters.flatMap { chapter -> [String] in
            var line = String(repeating: " ", count: indent) + chapter.start.secondsText(decimals: 3) + " s"
            if chapter.end.isNumeric { line += " to \(chapter.end.secondsText(decimals: 3)) s" }
            let titles = chapter.titles.map { title in
                title.text.oneLine + (title.languageTag.map { " (\($0.oneLine))" } ?? "")
            }
            if !titles.isEmpty { line += "  " + titles.joined(separator: " / ") }
            if let link = chapter.link { line += "  <\(link.oneLine)>" }
            if let artwork = chapter.artwork { line += "  [picture, \(artwork.count) bytes]" }
            if chapter.isHidden { line += "  hidden" }
            if !chapter.isEnabled { line += "  disabled" }
            return [line] + Self.lines(for: chapter.children, indent: indent + 2)
        }
    }
}

extension ChapterFormatName {
    var format: ChapterTextFormat {
        switch self {
        case .ffmetadata: .ffmetadata
        case .webvtt: .webvtt
        case .xml: .matroskaXML
        case .text: .text
        case .ogm: .ogm
        }
    }
}

extension MetadataFile {
    /// Replaces the chapters by lists whose times count from the asset's zero.
    ///
    /// Chapters are put in the order of their times, but for lists that are played in an order of their own.
    ///
    /// - Parameter leavesOutOthers: Whether chapters that begin outside of the film are left out instead of refused.
    /// - Throws: A failure if a chapter begins outside of the film; nothing is changed then.
    mutating func setChapters(_ lists: [ChapterList], of film: AVURLAsset, leavingOutOthers leavesOutOthers: Bool)
        async throws
    {
        let description = try await film.loadDescription()
        var kept: [ChapterList] = []
        for list in lists {
            var list = list
            if !list.isOrdered { list.chapters.sort { $0.start < $1.start } }
            let outside = list.chapters.filter { !$0.begins(within: description) }
            if let first = outside.first {
                guard leavesOutOthers else { throw first.failure(outside.count, description) }
                list.chapters.removeAll { !$0.begins(within: description) }
                losses += outside.map {
                    MetadataLoss.chapters("chapter at \($0.start.secondsText()) s", reason: "it is outside of the film")
                }
                guard !list.chapters.isEmpty else { continue }
            }
            kept.append(list)
        }
        guard !kept.isEmpty || lists.allSatisfy(\.chapters.isEmpty) else {
            throw Failure(.chaptersOutside, "all chapters are outside of the film, and the old ones stay")
        }
        if metadata.container.chapterForms.first == .id3 {
            // Readers of ID3 take an end that is not said for 49 days.
            kept = ChapterMetadata(lists: kept, origin: .zero, duration: description.duration).lists
        }
        let (forms, missing) = kept.forms(for: metadata.container, origin: description.origin)
        metadata.chapterLists = forms
        losses += missing
    }
}

extension Chapter {
    /// Whether it begins while the film lasts.
    fileprivate func begins(within film: AssetDescription) -> Bool {
        guard start.isNumeric, start >= .zero else { return false }
        return !film.duration.isNumeric || film.durationIsEstimate || start < film.duration
    }

    fileprivate func failure(_ count: Int, _ film: AssetDescription) -> Failure {
        let what = count == 1 ? "a chapter begins" : "\(count) chapters begin"
        let length = film.duration.isNumeric ? ", the film lasts \(film.duration.durationText()) s" : ""
        return Failure(
            .chaptersOutside,
            "\(what) outside of the film: at \(start.secondsText()) s\(length); --leave-out-others sets the rest")
    }
}
