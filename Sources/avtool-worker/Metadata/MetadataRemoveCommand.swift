internal import ArgumentParser
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// `avtool metadata remove`: single items, or all.
struct MetadataRemoveCommand: EditCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove metadata by name, by key space, what tells about people, or all of it.",
        usage: "avtool metadata remove [<options>] <files> ...",
        discussion: """
            Chapters stay; 'chapters remove' removes those.

            Examples:
              avtool metadata remove --name comment --name location movie.mp4
              avtool metadata remove --share-safe -o shared/ *.mov
            """)

    @OptionGroup var edited: EditedFiles

    @Option(
        help: ArgumentHelp(
            "Remove this item: a friendly name or an identifier; may be given several times.", valueName: "name"))
    var name: [String] = []

    @Option(
        help: ArgumentHelp(
            "Remove all items of this key space, such as udta or id3; may be given several times.", valueName: "name"))
    var keySpace: [String] = []

    @Flag(help: "Remove what tells about people, places, devices and moments, wherever the file has it.")
    var shareSafe = false

    @Flag(help: "Remove all items of the file and its tracks.")
    var all = false

    @Option(help: ArgumentHelp("Remove items of this track only, by the number that info shows.", valueName: "n"))
    var track: Int64?

    @OptionGroup var options: EditOptions

    var files: [String] { edited.files }

    func validate() throws {
        guard !name.isEmpty || !keySpace.isEmpty || shareSafe || all else {
            throw ValidationError("Give --name, --key-space, --share-safe or --all.")
        }
        guard !shareSafe || track == nil else { throw ValidationError("--share-safe is for the whole file.") }
        try options.validate(files: files)
    }

    func prepared() -> FileWork<JSONEdit> {
        { file, work in
            try await options.edit(file, in: work) { tagged, _ in
                try remove(from: &tagged)
                return shareSafe ? try tagged.makeShareable() : nil
            }
        }
    }

    private func remove(from tagged: inout MetadataFile) throws {
        if let track { try tagged.metadata.checkTrack(track) }
        for name in name { try tagged.remove(name, inTrack: track) }
        let spaces = Set(keySpace.map { AVMetadataKeySpace(prefix: $0) })
        tagged.removeEntries(inTrack: track) { entry in
            all || spaces.contains(entry.keySpace)
        }
    }
}
