internal import ArgumentParser
internal import Foundation
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// `avtool chapters set`: chapters from a document.
struct ChaptersSetCommand: EditCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Replace the chapters of media files by those of a document.",
        usage: "avtool chapters set [<options>] <files> ... --from <file>",
        discussion: """
            The document is ffmetadata, WebVTT, Matroska XML, lines of time and title, CHAPTER01= lines, or the JSON \
            of 'chapters show --json'; its content tells which. MP4, M4B and MOV get a QuickTime chapter track and a \
            Nero list, because players read the one or the other; FLAC gets comments, \
            which take a cue sheet's place. Chapters are put in the order of their times.

            Examples:
              avtool chapters set --from chapters.txt movie.mp4
              avtool scenes --format chapters a.mp4 | avtool chapters set --from - a.mp4
            """)

    @OptionGroup var edited: EditedFiles

    @Option(help: ArgumentHelp("The document; - for standard input.", valueName: "file"))
    var from: String

    @Option(help: ArgumentHelp("The titles' language where the document names none: en, de-CH.", valueName: "tag"))
    var language: String?

    @Flag(help: "Leave out chapters that begin outside of the film, which are an error otherwise.")
    var leaveOutOthers = false

    @OptionGroup var options: EditOptions

    var files: [String] { edited.files }
    var otherInputs: [String?] { [from] }

    func validate() throws { try options.validate(files: files, with: otherInputs) }

    func prepared() throws -> FileWork<JSONEdit> {
        var lists = try ChapterDocument.read(from)
        if let language {
            for index in lists.indices where lists[index].languageTag == nil { lists[index].languageTag = language }
        }
        let chapters = lists
        return { file, work in
            try await options.edit(file, in: work) { tagged, film in
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
