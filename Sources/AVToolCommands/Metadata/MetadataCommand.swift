package import ArgumentParser

/// `avtool metadata`: names and values.
package struct MetadataCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "metadata",
        abstract: "Show, set and remove metadata; media data are never touched.",
        discussion: """
            Items are named by identifiers, which are a key space and a key: itsk/%A9nam, \
            mdta/com.apple.quicktime.make, id3/TIT2, vorb/TITLE, mkv/TITLE. Friendly names such as title, artist or \
            track stand for the identifier that fits the file.

            A file is changed in place where its free space suffices, else by a copy that takes its place at once: \
            whatever happens meanwhile, it holds the old or the new metadata.

            Examples:
              avtool metadata movie.mp4
              avtool metadata set title='Big Buck Bunny' movie.mp4
            """,
        subcommands: [
            MetadataShowCommand.self, MetadataGetCommand.self, MetadataSetCommand.self, MetadataRemoveCommand.self,
            MetadataArtworkCommand.self, MetadataCopyCommand.self,
            MetadataNamesCommand.self,
        ],
        defaultSubcommand: MetadataShowCommand.self)

    package init() {}
}
