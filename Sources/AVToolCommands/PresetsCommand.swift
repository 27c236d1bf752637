package import ArgumentParser
internal import Foundation
internal import MediaCore

/// `avtool presets`: what exports can make.
struct PresetsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
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
}

/// `avtool presets list`: all presets, a line each.
package struct PresetsListCommand: AsyncParsableCommand, ReadingCommand, Reporting {
    package static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Print the presets that there are, and those that this FFmpeg cannot make.",
        discussion: """
            Example:
              avtool presets list --json
            """)

    @Flag(help: "Print the names only, without asking what this FFmpeg can make.")
    package var names = false

    @OptionGroup package var report: ReportOptions<Self>

    package static let jsonHelp: ArgumentHelp = "Print JSON Lines, one object for each preset."

    package var inputs: [String] { PresetFolder.user.documents }

    package func validate() throws {
        guard !names || !report.json else { throw ValidationError("Give one of --names and --json.") }
    }

    package init() {}
}

/// `avtool presets show`: one preset.
package struct PresetsShowCommand: AsyncParsableCommand, ReadingCommand {
    package static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Print a preset: what it makes, or its document.",
        discussion: """
            The document of one is the beginning of a preset of your own; give it a name of its own too.

            Examples:
              avtool presets show high
              avtool presets show --json high > mine.json
            """)

    @Argument(help: "The preset's name or path.", completion: .presets)
    package var preset: String

    @Flag(help: "Print the JSON document as it was written.")
    package var json = false

    package var inputs: [String] { PresetFolder.user.paths(of: preset) }

    package init() {}
}

/// `avtool presets check`: whether documents are valid.
package struct PresetsCheckCommand: FileCommand, Reporting {
    package static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check documents of presets; says where one is wrong and what is allowed.",
        discussion: """
            Beyond the document itself, each encoder is opened with its options as an export would open it, and each \
            kind of file is asked whether it holds what the encoders make.

            Example:
              avtool presets check ./mine.json
            """)

    @Argument(help: "The JSON documents.", completion: .file(extensions: ["json"]))
    package var files: [String]

    @OptionGroup package var report: ReportOptions<Self>

    package static let jsonHelp: ArgumentHelp = "Print JSON Lines, one object for each document."

    package var json: Bool { report.json }

    package init() {}
}
