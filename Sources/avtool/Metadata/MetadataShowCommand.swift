internal import ArgumentParser
internal import Foundation
internal import OpenAVFoundation

/// `avtool metadata show`: all items of files and their tracks.
struct MetadataShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Print all metadata of media files.",
        discussion: """
            Items have the names that 'metadata set' takes; what a file says several times is printed once. With \
            --identifiers, each item is printed as the file has it.

            With --json, the object of a file can be changed and given back to 'metadata set --from'.
            """)

    @OptionGroup var source: SourceOptions

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Only items of this key space, such as itsk, itlk, mdta, udta, uiso, id3, vorb, mkv; may be given several times.",
            valueName: "name"))
    var keySpace: [String] = []

    @Flag(
        name: .customLong("private"),
        help: "List what --share-safe leaves out of a file, with its place, instead of its metadata.")
    var showsPrivate = false

    @Flag(help: "Name items by identifiers, such as itsk/%A9nam, each one as the file has it.")
    var identifiers = false

    @Flag(help: "Print JSON Lines, one object for each file.")
    var json = false

    func validate() throws {
        guard !showsPrivate || keySpace.isEmpty else { throw ValidationError("--private lists all key spaces.") }
    }

    func run() async throws {
        let command = self
        try await Interruption.cancelling { try await command.showAll() }
    }

    /// Files that are read at a time; their text waits until those before are printed.
    private static let batchSize = 16

    private func showAll() async throws {
        var failures = FailureLog()
        for start in stride(from: 0, to: source.files.count, by: Self.batchSize) where !Interruption.isRequested {
            let files = Array(source.files[start..<min(start + Self.batchSize, source.files.count)])
            for (file, result) in zip(files, await read(files)) {
                do {
                    let (text, problems) = try result.get()
                    try Console.print(text)
                    for problem in problems { Console.error("avtool: \(file.oneLine): \(problem.oneLine)") }
                } catch {
                    let failure = try failures.report(error, file: file)
                    if json { try JSONLine.print(JSONFailedSource(source: file, error: JSONError(failure))) }
                }
            }
        }
        try failures.exitIfNeeded()
    }

    /// What is to be printed of files, and their problems; all are read side by side.
    private func read(_ files: [String]) async -> [Result<(text: String, problems: [String]), any Error>] {
        await withTaskGroup { group in
            for (index, file) in files.enumerated() {
                group.addTask { (index, await Result(catching: { try await text(of: file) })) }
            }
            var results: [(Int, Result<(text: String, problems: [String]), any Error>)] = []
            for await result in group { results.append(result) }
            return results.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    private func text(of file: String) async throws -> (text: String, problems: [String]) {
        if showsPrivate { return (try await privateText(of: file), []) }
        var metadata = try await source.asset(file).loadFileMetadata()
        filter(&metadata)
        let text =
            try json
            ? JSONLine.text(JSONMetadata(source: file, metadata))
            : MetadataText(file: file, metadata: metadata, withIdentifiers: identifiers).lines.joined(separator: "\n")
        return (text, metadata.problems)
    }

    private func privateText(of file: String) async throws -> String {
        let (details, hidden) = try await source.asset(file).loadPrivateDetails()
        if json {
            return try JSONLine.text(
                JSONPrivateDetails(
                    source: file, private: details.map(JSONPrivateDetail.init),
                    hidden: hidden.map(JSONHiddenMaterial.init)))
        }
        var lines = [file.oneLine] + details.map { "  " + $0.line }
        lines += hidden.map { "  hidden in track \($0.trackID): \($0.text)" }
        if lines.count == 1 { lines.append("  nothing that is known to be private") }
        return lines.joined(separator: "\n")
    }

    private func filter(_ metadata: inout FileMetadata) {
        guard !keySpace.isEmpty else { return }
        let wanted = Set(keySpace.map { AVMetadataKeySpace(prefix: $0) })
        metadata.entries.removeAll { !wanted.contains($0.keySpace) }
        for index in metadata.tracks.indices {
            metadata.tracks[index].entries.removeAll { !wanted.contains($0.keySpace) }
        }
        metadata.tracks.removeAll { $0.entries.isEmpty }
        // What is of no key space goes as well.
        (metadata.labels, metadata.links, metadata.creationDate) = ([], [], nil)
    }
}

extension Result where Failure == any Error {
    /// What an operation gives, or the error it throws.
    init(catching body: () async throws -> Success) async {
        do {
            self = .success(try await body())
        } catch {
            self = .failure(error)
        }
    }
}
