internal import ArgumentParser
internal import Foundation
internal import OpenAVFoundation

/// `avtool metadata remove`: single items, or all.
struct MetadataRemove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove metadata by name, by key space, what tells about people, or all of it.",
        discussion: """
            Chapters stay; 'chapters remove' removes those.

            Example: avtool metadata remove --name comment --name location movie.mp4
            """)

    @Argument(help: "The media files.", completion: .file())
    var files: [String]

    @Option(
        help: ArgumentHelp(
            "Remove this item: a friendly name or an identifier; may be given several times.", valueName: "name"))
    var name: [String] = []

    @Option(
        help: ArgumentHelp(
            "Remove all items of this key space, such as udta or id3; may be given several times.", valueName: "name"))
    var keySpace: [String] = []

    @Flag(help: "Remove places and other items that tell about people.")
    var shareSafe = false

    @Flag(help: "Remove all items of the file and its tracks.")
    var all = false

    @Option(help: ArgumentHelp("Remove items of this track only, by the number that info shows.", valueName: "n"))
    var track: Int64?

    @OptionGroup var options: EditOptions

    func validate() throws {
        guard !name.isEmpty || !keySpace.isEmpty || shareSafe || all else {
            throw ValidationError("Give --name, --key-space, --share-safe or --all.")
        }
        try options.validate(fileCount: files.count)
    }

    func run() async throws {
        let command = self
        try await Interruption.cancelling {
            try await command.options.edit(command.files) { tagged, _ in try command.remove(from: &tagged) }
        }
    }

    private func remove(from tagged: inout MetadataFile) throws {
        if let track { try tagged.metadata.checkTrack(track) }
        for name in name { try tagged.remove(name, inTrack: track) }
        let spaces = Set(keySpace.map { AVMetadataKeySpace(prefix: $0) })
        tagged.removeEntries(inTrack: track) { entry in
            all || spaces.contains(entry.keySpace) || (shareSafe && MetadataSharing.isPersonal(entry))
        }
    }
}
