internal import AVToolCommands
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// What is wanted of what a file contains.
struct InfoRequest: FileRequest {
    let source: MediaSource
    /// Whether the description is for programs, else for people.
    let wantsJSON: Bool
    let withIdentifiers: Bool

    func run(in work: Work<JSONAsset>) async throws -> FileReport<JSONAsset> {
        let asset = try source.asset()
        let description = try await asset.loadDescription()
        let metadata = try await AssetMetadata(of: asset)
        let problems = problemLines(metadata.file.problems)
        guard !wantsJSON else {
            return FileReport(document: JSONAsset(source: source.file, description, metadata), warnings: problems)
        }
        let text = AssetText(
            file: source.file, description: description, metadata: metadata, withIdentifiers: withIdentifiers)
        return FileReport(lines: text.lines, warnings: problems)
    }
}
