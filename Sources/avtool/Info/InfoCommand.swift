internal import ArgumentParser
internal import Foundation
internal import OpenAVFoundation

/// `avtool info`: what files contain.
struct InfoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info",
        abstract: "Print what media files contain: tracks, timing, sizes, colour, edit lists, chapters, metadata.")

    @OptionGroup var source: SourceOptions

    @Flag(help: "Print JSON Lines, one object for each file.")
    var json = false

    @Flag(help: "Name metadata by identifiers, such as itsk/%A9nam, each item as the file has it.")
    var identifiers = false

    func run() async throws {
        let command = self
        try await Interruption.cancelling { try await command.describeAll() }
    }

    private func describeAll() async throws {
        var failures = FailureLog()
        for file in source.files where !Interruption.isRequested {
            do {
                let asset = source.asset(file, readsPipesWhole: false)
                let description = try await asset.loadDescription()
                let metadata = try await AssetMetadata(of: asset)
                try json
                    ? JSONLine.print(JSONAsset(source: file, description, metadata))
                    : Console.print(
                        AssetText(
                            file: file, description: description, metadata: metadata, withIdentifiers: identifiers
                        ).lines.joined(separator: "\n"))
                for problem in metadata.file.problems { Console.error("avtool: \(file.oneLine): \(problem.oneLine)") }
            } catch {
                let failure = try failures.report(error, file: file)
                if json { try JSONLine.print(JSONFailedSource(source: file, error: JSONError(failure))) }
            }
        }
        try failures.exitIfNeeded()
    }
}

/// The metadata and chapters of an asset.
///
/// Damage there does not keep the rest from being shown; it is told as a problem.
struct AssetMetadata {
    let file: FileMetadata
    let chapters: [Chapter]
    /// Tracks that hold the chapters' titles.
    let chapterTracks: Set<Int32>

    init(of asset: AVAsset) async throws {
        do {
            let metadata = try await asset.loadFileMetadata()
            let lists = try await asset.loadPreferredChapterLists()
            let tracks = Set(try await asset.loadChapterLists().compactMap(\.trackID))
            (file, chapters, chapterTracks) = (metadata, lists.first?.visibleChapters ?? [], tracks)
        } catch let error as AVError {
            file = FileMetadata(container: .other, problems: ["metadata: \(error.reason)"])
            (chapters, chapterTracks) = ([], [])
        }
    }

    func entries(ofTrack id: Int32) -> [MetadataEntry] {
        file.tracks.first { $0.trackID == Int64(id) }?.entries ?? []
    }
}
