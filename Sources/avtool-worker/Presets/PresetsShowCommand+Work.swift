internal import AVToolCommands
internal import Foundation
internal import MediaCore
internal import MediaIO
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

extension PresetsShowCommand: WholeWorking {
    func run() async throws {
        let entry: ExportPresetCatalog.Entry
        do { entry = try ExportPresetCatalog.user.entry(preset) } catch { throw Failure(error) }
        guard !json else {
            try Console.write(entry.document.printableJSON)
            return
        }
        try Console.print(PresetText(entry.preset, path: entry.path).lines.map(\.oneLine).joined(separator: "\n"))
    }
}
