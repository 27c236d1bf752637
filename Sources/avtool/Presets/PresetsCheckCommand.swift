internal import ArgumentParser
internal import OpenAVFoundation

/// `avtool presets check`: whether documents are valid.
struct PresetsCheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check documents of presets; says where one is wrong and what is allowed.",
        discussion: """
            Beyond the document itself, each encoder is opened with its options as an export would open it, and each \
            kind of file is asked whether it holds what the encoders make.
            """)

    @Argument(help: "The JSON documents.", completion: .file(extensions: ["json"]))
    var files: [String]

    @Flag(help: "Print JSON Lines, one object for each document.")
    var json = false

    func run() async throws {
        var failures = FailureLog()
        for file in files {
            do {
                let preset = try ExportPresetCatalog.entry(atPath: file).preset
                try preset.checkEncoders(path: file)
                if json {
                    try JSONLine.print(
                        JSONCheckedPreset(file: file, name: preset.name, available: preset.unavailabilityReason == nil))
                } else {
                    let note = preset.unavailabilityReason.map { ", but \($0)" } ?? ""
                    try Console.print("\(file): \(preset.name) is valid\(note)".oneLine)
                }
            } catch {
                let failure = try failures.report(error, file: file)
                if json { try JSONLine.print(JSONFailedPreset(file: file, error: JSONError(failure))) }
            }
        }
        try failures.exitIfNeeded()
    }
}

/// A document that is valid.
private struct JSONCheckedPreset: Encodable {
    let file: String
    let name: String
    let available: Bool
}

/// A document that is not.
private struct JSONFailedPreset: Encodable {
    let file: String
    let error: JSONError
}
