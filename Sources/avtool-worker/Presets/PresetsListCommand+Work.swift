internal import AVToolCommands
internal import Foundation
internal import MediaIO
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

extension PresetsListCommand: FileWorking {
    /// The presets by their names.
    var files: [String] { ExportPresetCatalog.user.names }

    var json: Bool { report.json }

    static let isPerFile = false

    func prepared() -> FileWork<JSONPreset> {
        let catalog = ExportPresetCatalog.user
        let width = catalog.names.map(\.count).max() ?? 0
        return { name, _ in
            guard !names else { return FileReport(lines: [name]) }
            let entry = try catalog.entry(name)
            return FileReport(document: JSONPreset(entry), lines: [line(entry, width: width)])
        }
    }

    func document(of failure: Failure, file: String) -> any Encodable {
        JSONUnreadablePreset(name: file, error: JSONError(failure))
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
struct JSONPreset: ResultDocument {
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

/// A preset that cannot be read.
private struct JSONUnreadablePreset: Encodable {
    let name: String
    let error: JSONError
}
