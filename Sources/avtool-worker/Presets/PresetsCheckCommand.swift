internal import ArgumentParser
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// `avtool presets check`: whether documents are valid.
struct PresetsCheckCommand: FileCommand, Reporting {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check documents of presets; says where one is wrong and what is allowed.",
        discussion: """
            Beyond the document itself, each encoder is opened with its options as an export would open it, and each \
            kind of file is asked whether it holds what the encoders make.

            Example:
              avtool presets check ./mine.json
            """)

    @Argument(help: "The JSON documents.", completion: .file(extensions: ["json"]))
    var files: [String]

    @OptionGroup var report: ReportOptions<Self>

    static let jsonHelp: ArgumentHelp = "Print JSON Lines, one object for each document."

    var json: Bool { report.json }

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
