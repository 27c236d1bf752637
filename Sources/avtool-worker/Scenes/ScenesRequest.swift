internal import AVToolCommands
internal import Foundation
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// A film whose scenes are wanted.
struct ScenesRequest: FileRequest {
    let source: MediaSource
    let format: SceneListFormat
    let method: SceneDetectionSettings.Method
    let threshold: Double?
    let minimumLength: Written<Length>
    /// Where the list goes; `nil` if it is printed.
    let output: ResultPlace?
    /// Whether a table that is printed begins with the names of its columns.
    let hasHeading: Bool
    let isOneOfSeveral: Bool

    func run(in work: Work<JSONScenes>) async throws -> FileReport<JSONScenes> {
        let place = try output.map { try work.files.output($0) }
        let asset = try source.asset()
        let settings = SceneDetectionSettings(
            method: method, threshold: threshold, minimumLength: try minimumLength.time())
        let found = try await asset.detectScenes(settings) { work.progress($0, "") }
        let document = SceneDocument(
            source: source.file, list: found, settings: settings, description: try await asset.loadDescription(),
            hasHeading: hasHeading || place != nil, isOneOfSeveral: isOneOfSeveral)
        var report = FileReport<JSONScenes>()
        if let place {
            try AtomicFile.write(Data(try document.text(format).utf8), to: place)
            let count = found.scenes.count
            report.text = "\(place.path.oneLine): \(count == 1 ? "1 scene" : "\(count) scenes")\n"
        } else if format == .json {
            report.document = document.json
        } else {
            report.text = try document.text(format)
        }
        report.warnings = found.warnings
        report.flaw = found.flaw
        return report
    }
}
