internal import ArgumentParser
internal import Foundation
internal import OpenAVFoundation

/// `avtool chapters`: named parts of files.
struct ChaptersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "chapters",
        abstract: "Show, set and remove chapters; media data are never touched.",
        subcommands: [ChaptersShow.self, ChaptersSet.self, ChaptersRemove.self],
        defaultSubcommand: ChaptersShow.self)
}

/// The text formats of chapters, as the command line names them.
enum ChapterFormatName: String, CaseIterable, ExpressibleByArgument {
    case ffmetadata, webvtt, xml, text, ogm

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

/// `avtool chapters show`: all lists of chapters, or one in a text format.
struct ChaptersShow: AsyncParsableCommand {
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

/// `avtool chapters set`: chapters from a document.
struct ChaptersSet: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Replace the chapters of media files by those of a document.",
        discussion: """
            The document is ffmetadata, WebVTT, Matroska XML, lines of time and title, CHAPTER01= lines, or the JSON \
            of 'chapters show --json'; its content tells which. MP4, M4B and MOV get a QuickTime chapter track and a \
            Nero list, because players read the one or the other; FLAC gets comments, \
            which take a cue sheet's place. Chapters are put in the order of their times.
            """)

    @Argument(help: "The media files.", completion: .file())
    var files: [String]

    @Option(help: ArgumentHelp("The document; - for standard input.", valueName: "file"))
    var from: String

    @Option(help: ArgumentHelp("The titles' language where the document names none: en, de-CH.", valueName: "tag"))
    var language: String?

    @Flag(help: "Leave out chapters that begin outside of the film, which are an error otherwise.")
    var leaveOutOthers = false

    @OptionGroup var options: EditOptions

    func validate() throws { try options.validate(fileCount: files.count) }

    func run() async throws {
        let command = self
        try await Interruption.cancelling { try await command.setAll() }
    }

    private func setAll() async throws {
        var lists = try ChapterDocument.read(from)
        if let language {
            for index in lists.indices where lists[index].languageTag == nil { lists[index].languageTag = language }
        }
        let chapters = lists
        try await options.edit(files, reading: [from]) { tagged, file in
            try await tagged.setChapters(chapters, of: file, leavingOutOthers: leaveOutOthers)
            let outcome = try tagged.plan()
            // What was asked for is not there: no success, whatever kind of file it is.
            if outcome.method == .unchanged, let loss = outcome.losses.first(where: { !$0.isChange }) {
                throw MetadataError(.unsupported, "\(loss.item): \(loss.reason)")
            }
        }
    }
}

/// `avtool chapters remove`: no chapters any more.
struct ChaptersRemove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove all chapters of media files.",
        discussion: "A FLAC file's cue sheet goes too, as its tracks would be chapters again.")

    @Argument(help: "The media files.", completion: .file())
    var files: [String]

    @OptionGroup var options: EditOptions

    func validate() throws { try options.validate(fileCount: files.count) }

    func run() async throws {
        let command = self
        try await Interruption.cancelling {
            try await command.options.edit(command.files) { tagged, _ in tagged.chapterLists = [] }
        }
    }
}

/// A document that holds chapters.
enum ChapterDocument {
    private struct JSONDocument: Decodable { let chapterLists: [JSONChapterList] }

    /// Reads a document of any of the known formats; `-` for standard input.
    static func read(_ path: String) throws -> [ChapterList] {
        let data = try InputDocument.read(path)
        guard let text = String(data: data, encoding: .utf8) else {
            throw Failure(.badInput, "invalidChapters", "\(path): is not UTF-8 text")
        }
        if text.drop(while: \.isWhitespace).hasPrefix("{") {
            do {
                return try JSONDecoder().decode(JSONDocument.self, from: data).chapterLists.map { try $0.list() }
            } catch let error as DecodingError {
                throw Failure(.badInput, "invalidJSON", "\(path): \(error.place(in: data))")
            }
        }
        guard let format = ChapterTextFormat.detect(text) else {
            throw Failure(.badInput, "invalidChapters", "\(path): is of no format of chapters that is known")
        }
        do {
            return try format.parse(text)
        } catch {
            throw Failure(.badInput, "invalidChapters", "\(path): \(error.reason)")
        }
    }
}
