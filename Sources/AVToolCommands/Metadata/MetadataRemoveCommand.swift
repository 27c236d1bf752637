package import ArgumentParser

/// `avtool metadata remove`: single items, or all.
package struct MetadataRemoveCommand: EditCommand {
    package static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove metadata by name, by key space, what tells about people, or all of it.",
        usage: "avtool metadata remove [<options>] <files> ...",
        discussion: """
            Chapters stay; 'chapters remove' removes those.

            Examples:
              avtool metadata remove --name comment --name location movie.mp4
              avtool metadata remove --share-safe -o shared/ *.mov
            """)

    @OptionGroup package var edited: EditedFiles

    @Option(
        help: ArgumentHelp(
            "Remove this item: a friendly name or an identifier; may be given several times.", valueName: "name"),
        completion: .metadataNames)
    package var name: [String] = []

    @Option(
        help: ArgumentHelp(
            "Remove all items of this key space, such as udta or id3; may be given several times.", valueName: "name"))
    package var keySpace: [String] = []

    @Flag(help: "Remove what tells about people, places, devices and moments, wherever the file has it.")
    package var shareSafe = false

    @Flag(help: "Remove all items of the file and its tracks.")
    package var all = false

    @Option(help: ArgumentHelp("Remove items of this track only, by the number that info shows.", valueName: "n"))
    package var track: Int64?

    @OptionGroup package var options: EditOptions
    @OptionGroup package var bounds: LimitOptions

    package var files: [String] { edited.files }
    package var several: SeveralFilesOptions { edited.several }
    package var named: [String] { edited.named }

    package func validate() throws {
        guard !name.isEmpty || !keySpace.isEmpty || shareSafe || all else {
            throw ValidationError("Give --name, --key-space, --share-safe or --all.")
        }
        guard !shareSafe || track == nil else { throw ValidationError("--share-safe is for the whole file.") }
        try options.validate(files: edited.named)
    }

    package init() {}
}
