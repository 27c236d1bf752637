internal import ArgumentParser
internal import Foundation
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// `avtool presets show`: one preset.
struct PresetsShowCommand: AsyncParsableCommand, ReadingCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Print a preset: what it makes, or its document.",
        discussion: """
            The document of one is the beginning of a preset of your own; give it a name of its own too.

            Examples:
              avtool presets show high
              avtool presets show --json high > mine.json
            """)

    @Argument(help: "The preset's name or path.", completion: .file(extensions: ["json"]))
    var preset: String

    @Flag(help: "Print the JSON document as it was written.")
    var json = false

    var inputs: [String] { ExportPresetCatalog.user.paths(of: preset) }

    func run() async throws {
        let entry: ExportPresetCatalog.Entry
        do { entry = try ExportPresetCatalog.user.entry(preset) } catch { throw Failure(error) }
        guard !json else {
            try Console.write(Data(entry.document.utf8))
            return
        }
        try Console.print(PresetText(entry.preset, path: entry.path).lines.map(\.oneLine).joined(separator: "\n"))
    }
}
