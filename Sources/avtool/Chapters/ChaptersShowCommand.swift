internal import ArgumentParser
internal import Foundation
internal import OpenAVFoundation

/// `avtool chapters show`: all lists of chapters, or one in a text format.
struct ChaptersShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Print the chapters of media files, or export them.",
        discussion: """
            Without --format, all lists that a file has: QuickTime tracks, Nero lists, ID3, Matroska, Vorbis comments, \
            or, of a FLAC file without those, its cue sheet. With it, the list that players use.
            """)

    @OptionGroup var source: SourceOptions

    @Option(help: "Print one list as ffmetadata, webvtt, xml (Matroska), text or ogm.")
    var format: ChapterFormatName?

    @Option(help: ArgumentHelp("With --format: titles in this language, such as en or de-CH.", valueName: "tag"))
    var language: String?

    @Flag(help: "Print JSON Lines, one object for each file.")
    var json = false

    func validate() throws {
        guard format == nil || !json else { throw ValidationError("Give --format or --json, not both.") }
        guard language == nil || format != nil else { throw ValidationError("--language goes with --format.") }
    }

    func run() async throws {
        let command = self
        try await Interruption.cancelling { try await command.showAll() }
    }

    private func showAll() async throws {
        var failures = FailureLog()
        for file in source.files where !Interruption.isRequested {
            do {
                let asset = source.asset(file)
                if let format {
                    try await export(asset, format: format.format, file: file)
                } else {
                    try show(try await asset.loadChapterLists(), file: file)
                }
            } catch {
                let failure = try failures.report(error, file: file)
                if json { try JSONLine.print(JSONFailedSource(source: file, error: JSONError(failure))) }
            }
        }
        try failures.exitIfNeeded()
    }

    private func show(_ lists: [ChapterList], file: String) throws {
        if json {
            try JSONLine.print(JSONChapters(source: file, chapterLists: lists.map { JSONChapterList($0) }))
            return
        }
        var lines = [file.oneLine]
        for list in lists {
            lines.append("  " + ChapterText.heading(for: list))
            lines += ChapterText.lines(for: list.chapters, indent: 4)
        }
        if lists.isEmpty { lines.append("  no chapters") }
        try Console.print(lines.joined(separator: "\n"))
    }

    private func export(_ asset: AVURLAsset, format: ChapterTextFormat, file: String) async throws {
        let preferred = try await asset.loadPreferredChapterLists()
        let wanted = language.map { $0.lowercased() }
        let match = preferred.first { list in
            wanted == nil || list.languages.contains { $0.lowercased() == wanted }
        }
        guard let list = match else {
            throw Failure(
                .badInput, "noChapters",
                preferred.isEmpty ? "there are no chapters" : "there are no chapters in '\(language ?? "")'")
        }
        let (text, losses) = format.text(
            of: list, languageTag: language, assetDuration: try await asset.load(.duration))
        try Console.write(Data(text.utf8))
        for loss in losses { Console.error("avtool: \(file.oneLine): \(loss.line)") }
    }
}

/// A file's chapters as JSON has them.
struct JSONChapters: Encodable {
    let source: String
    let chapterLists: [JSONChapterList]
}
