internal import AVToolCommands
internal import Foundation
internal import MediaIO
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

extension PresetsCheckCommand: FileWorking {
    func prepared() -> FileWork<JSONCheckedPreset> {
        { file, _ in
            let preset = try ExportPresetCatalog.entry(atPath: file).preset
            try preset.checkEncoders(path: file)
            let note = preset.unavailabilityReason.map { ", but \($0)" } ?? ""
            return FileReport(
                document: JSONCheckedPreset(
                    file: file, name: preset.name, available: preset.unavailabilityReason == nil),
                lines: ["\(file): \(preset.name) is valid\(note)".oneLine])
        }
    }

    func document(of failure: Failure, file: String) -> any Encodable {
        JSONFailedPreset(file: file, error: JSONError(failure))
    }
}

/// A document that is valid.
struct JSONCheckedPreset: ResultDocument {
    let file: String
    let name: String
    let available: Bool
}

/// A document that is not.
private struct JSONFailedPreset: Encodable {
    let file: String
    let error: JSONError
}
