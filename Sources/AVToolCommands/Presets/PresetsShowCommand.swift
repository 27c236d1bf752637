package import ArgumentParser
internal import Foundation
internal import MediaCore

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
