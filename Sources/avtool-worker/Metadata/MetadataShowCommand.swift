internal import ArgumentParser
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// `avtool metadata show`: all items of files and their tracks.
struct MetadataShowCommand: MediaCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Print all metadata of media files.",
        usage: "avtool metadata show [<options>] <files> ...",
        discussion: """
            Items have the names that 'metadata set' takes; what a file says several times is printed once. With \
            --identifiers, each item is printed as the file has it.

            With --json, the object of a file can be changed and given back to 'metadata set --from'.

            Examples:
              avtool metadata show movie.mp4
              avtool metadata show --json movie.mp4 > movie.json
              avtool metadata show --private --identifiers movie.mov
            """)

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Only items of this key space, such as itsk, itlk, mdta, udta, uiso, id3, vorb, mkv; may be given several times.",
            valueName: "name"))
    var keySpace: [String] = []

    @Flag(
        name: .customLong("private"),
        help: "List what --share-safe leaves out of a file, with its place, instead of its metadata.")
    var showsPrivate = false

    @Flag(help: "Name items by identifiers, such as itsk/%A9nam, each one as the file has it.")
    var identifiers = false

    @OptionGroup var report: ReportOptions<Self>
    @OptionGroup var source: SourceOptions

    func validate() throws {
        guard !showsPrivate || keySpace.isEmpty else { throw ValidationError("--private lists all key spaces.") }
    }

    func prepared() -> FileWork<JSONMetadataDocument> {
        { file, work in
            try await MetadataShowRequest(
                source: source.source(file), wantsJSON: json, keySpaces: keySpace, wantsPrivate: showsPrivate,
                withIdentifiers: identifiers
            ).run(in: work)
        }
    }
}
