internal import ArgumentParser
internal import OpenAVFoundation

/// `avtool presets list`: all presets, a line each.
struct PresetsListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Print the presets that there are, and those that this FFmpeg cannot make.")

    @Flag(help: "Print JSON Lines, one object for each preset.")
    var json = false

    func run() async throws {
        let catalog = ExportPresetCatalog.user
        let names = catalog.names
        let width = names.map(\.count).max() ?? 0
        var failures = FailureLog()
        for name in names {
            do {
                let entry = try catalog.entry(name)
                try json ? JSONLine.print(JSONPreset(entry)) : Console.print(line(entry, width: width))
            } catch {
                _ = try failures.report(error, file: name)
            }
        }
        try failures.exitIfNeeded()
    }

    private func line(_ entry: ExportPresetCatalog.Entry, width: Int) -> String {
        let preset = entry.preset
        let name = preset.name + String(repeating: " ", count: max(0, width - preset.name.count))
        let types = preset.fileTypes.prefix(3).map(\.preferredFilenameExtension).joined(separator: " ")
        let notes = [entry.path.map { "from \($0)" }, preset.unavailabilityReason.map { "not available: \($0)" }]
        return
            ("\(name)  \(preset.description)"
            + ([types] + notes.compactMap { $0 }).map { " [\($0)]" }.joined()).oneLine
    }
}

/// A preset in a list.
private struct JSONPreset: Encodable {
    let name: String
    let description: String
    let avFoundation: String?
    let fileTypes: [String]
    /// Where the document is; absent if it comes with the tool.
    let file: String?
    let available: Bool
    /// Why it is not available.
    let reason: String?

    init(_ entry: ExportPresetCatalog.Entry) {
        let preset = entry.preset
        (name, description, avFoundation) = (preset.name, preset.description, preset.avFoundationName)
        fileTypes = preset.fileTypes.map(\.preferredFilenameExtension)
        file = entry.path
        reason = preset.unavailabilityReason
        available = reason == nil
    }
}
