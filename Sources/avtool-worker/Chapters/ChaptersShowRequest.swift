internal import AVToolCommands
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

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
