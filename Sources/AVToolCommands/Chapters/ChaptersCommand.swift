package import ArgumentParser

/// `avtool chapters`: named parts of files.
package struct ChaptersCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "chapters",
        abstract: "Show, set and remove chapters; media data are never touched.",
        discussion: """
            Examples:
              avtool chapters movie.mp4
              avtool chapters set --from chapters.txt movie.mp4
            """,
        subcommands: [ChaptersShowCommand.self, ChaptersSetCommand.self, ChaptersRemoveCommand.self],
        defaultSubcommand: ChaptersShowCommand.self)

    package init() {}
}
