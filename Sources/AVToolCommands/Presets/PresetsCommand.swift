package import ArgumentParser

/// `avtool presets`: what exports can make.
package struct PresetsCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "presets",
        abstract: "List, show and check presets of exports.",
        discussion: """
            A preset is a JSON document. One of your own is given by its path, which holds a '/' or ends in .json, or \
            by its name if it is $XDG_CONFIG_HOME/avtool/presets/NAME.json, else ~/.config/avtool/presets/NAME.json. \
            It comes before one of the same name that comes with the tool. The names of AVFoundation's presets are \
            understood too.

            Examples:
              avtool presets
              avtool presets show high
            """,
        subcommands: [PresetsListCommand.self, PresetsShowCommand.self, PresetsCheckCommand.self],
        defaultSubcommand: PresetsListCommand.self)

    package init() {}
}
