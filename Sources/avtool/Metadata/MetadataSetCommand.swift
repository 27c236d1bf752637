internal import ArgumentParser
internal import Foundation
internal import OpenAVFoundation

/// `avtool metadata set`: items by name, or all of them from JSON.
struct MetadataSetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Set metadata: NAME=VALUE for single items, --from for everything.",
        discussion: """
            NAME is a friendly name (title, artist, album, track=3/12, year, genre, comment, location and more, which \
            'metadata names' lists; header-date is the date in the header of MP4, MOV and MKV files) or an \
            identifier (itsk/%A9nam, mdta/com.apple.quicktime.make, id3/TIT2, vorb/TITLE, mkv/TITLE). An empty VALUE \
            removes the item. An argument that names an existing file is a file, even with an = in it.

            Examples: avtool metadata set title='Big Buck Bunny' year=2008 movie.mp4
                      avtool metadata show --json a.mp4 > a.json; avtool metadata set --from a.json b.mkv
            """)

    @Argument(help: ArgumentHelp("Assignments and media files, in any order.", valueName: "name=value|file"))
    var arguments: [String] = []

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

    private var files: [String] { arguments.filter { !Self.isAssignment($0) } }

    func validate() throws {
        guard !files.isEmpty else { throw ValidationError("No file was given.") }
        guard from != nil || files.count < arguments.count else { throw ValidationError("Give NAME=VALUE or --from.") }
        _ = try assignments()
        try options.validate(fileCount: files.count)
    }

    private func assignments() throws -> [MetadataAssignment] {
        do {
            return try arguments.filter(Self.isAssignment).map { try MetadataAssignment($0) }
        } catch let error as MetadataNameError {
            throw ValidationError(error.reason)
        }
    }

    func run() async throws {
        let command = self
        try await Interruption.cancelling { try await command.setAll() }
    }

    private func setAll() async throws {
        let edit = try from.map { try JSONMetadataEdit(path: $0) }
        let assignments = try assignments()
        try await options.edit(files, reading: [from], refusesLosses: from == nil) { tagged, _ in
            try edit?.apply(to: &tagged)
            if !assignments.isEmpty { try tagged.set(assignments, inTrack: track) }
        }
    }

    /// Whether an argument is `NAME=VALUE`: not without an `=`, nor if it names
    /// an existing file or cannot be a name.
    static func isAssignment(_ argument: String) -> Bool {
        guard let first = argument.first, argument.contains("="), !["=", "/", "."].contains(first) else { return false }
        return !FileManager.default.exists(argument)
    }
}
