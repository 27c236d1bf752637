package import ArgumentParser
internal import Foundation
package import MediaMetadata

/// `avtool metadata set`: items by name, or all of them from JSON.
package struct MetadataSetCommand: EditCommand {
    package static let configuration = CommandConfiguration(
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
            "Assignments and media files, in any order; - is standard input, with -o.", valueName: "name=value|file"),
        completion: .assignments)
    package var arguments: [AssignmentOrFile] = []

    @Option(
        help: ArgumentHelp(
            "Replace all metadata by that of this JSON document, as 'metadata show --json' prints it; - for standard input.",
            valueName: "file"))
    package var from: String?

    @Option(
        help: ArgumentHelp(
            "Set items of this track, by the number that info shows: its name, language=pt-BR, handler and others.",
            valueName: "n"))
    package var track: Int64?

    @OptionGroup package var several: SeveralFilesOptions
    @OptionGroup package var options: EditOptions
    @OptionGroup package var bounds: LimitOptions

    package var named: [String] { arguments.compactMap(\.file) }
    package var files: [String] { several.selected(named) }
    package var otherInputs: [String?] { [from] }
    package var assignments: [Written<MetadataAssignment>] { arguments.compactMap(\.assignment) }

    package func validate() throws {
        if let objection = several.objection(to: named) { throw ValidationError(objection) }
        guard from != nil || named.count < arguments.count else { throw ValidationError("Give NAME=VALUE or --from.") }
        for assignment in assignments { try assignment.validate() }
        try options.validate(files: named, with: otherInputs)
    }

    package init() {}
}
