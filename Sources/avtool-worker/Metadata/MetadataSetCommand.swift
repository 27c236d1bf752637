internal import ArgumentParser
internal import Foundation
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// `avtool metadata set`: items by name, or all of them from JSON.
struct MetadataSetCommand: EditCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Set metadata: NAME=VALUE for single items, --from for everything.",
        usage: "avtool metadata set [<options>] [<name=value|file> ...]",
        discussion: """
            NAME is a friendly name (title, artist, album, track=3/12, year, genre, comment, location and more, which \
            'metadata names' lists; header-date is the date in the header of MP4, MOV and MKV files) or an \
            identifier (itsk/%A9nam, mdta/com.apple.quicktime.make, id3/TIT2, vorb/TITLE, mkv/TITLE). An empty VALUE \
            removes the item. An argument that names an existing file is a file, even with an = in it.

            Examples:
              avtool metadata set title='Big Buck Bunny' year=2008 movie.mp4
              avtool metadata set --track 2 language=pt-BR name=Commentary movie.mkv
              avtool metadata set --from movie.json -o tagged/ movie.mkv
            """)

    @Argument(
        help: ArgumentHelp(
            "Assignments and media files, in any order; - is standard input, with -o.", valueName: "name=value|file"))
    var arguments: [AssignmentOrFile] = []

    @Option(
        help: ArgumentHelp(
            "Replace all metadata by that of this JSON document, as 'metadata show --json' prints it; - for standard input.",
            valueName: "file"))
    var from: String?

    @Option(
        help: ArgumentHelp(
            "Set items of this track, by the number that info shows: its name, language=pt-BR, handler and others.",
            valueName: "n"))
    var track: Int64?

    @OptionGroup var options: EditOptions

    var files: [String] { arguments.compactMap(\.file) }
    var otherInputs: [String?] { [from] }
    private var assignments: [Written<MetadataAssignment>] { arguments.compactMap(\.assignment) }

    func validate() throws {
        guard !files.isEmpty else { throw ValidationError("No file was given.") }
        guard from != nil || files.count < arguments.count else { throw ValidationError("Give NAME=VALUE or --from.") }
        for assignment in assignments { try assignment.validate() }
        try options.validate(files: files, with: otherInputs)
    }

    func prepared() throws -> FileWork<JSONEdit> {
        let edit = try from.map { try JSONMetadataEdit(path: $0) }
        let assignments = try assignments.map { try $0.get() }
        return { file, work in
            try await options.edit(file, in: work, refusesLosses: from == nil) { tagged, _ in
                try edit?.apply(to: &tagged)
                if !assignments.isEmpty { try tagged.set(assignments, inTrack: track) }
                return nil
            }
        }
    }
}
