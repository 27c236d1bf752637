internal import ArgumentParser
internal import Foundation
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// `avtool metadata get`: one value, for scripts.
struct MetadataGetCommand: AsyncParsableCommand, ReadingCommand {
    static let configuration = CommandConfiguration(
        commandName: "get",
        abstract: "Print the value of one item and nothing else.",
        usage: "avtool metadata get [<options>] <name> <file>",
        discussion: """
            NAME is one that 'metadata names' lists, or an identifier. Several values are printed one after the other, \
            each with a newline after it. The exit code is 1, and nothing is printed, if the file does not say it.

            Examples:
              avtool metadata get title movie.mp4
              avtool metadata get --track 2 language movie.mkv
            """)

    @Argument(help: ArgumentHelp("What to print.", valueName: "name"))
    var name: Written<MetadataName>

    @Argument(help: "The media file; - is standard input.", completion: .file())
    var file: String

    @Option(help: ArgumentHelp("Print what this track says, by the number that info shows.", valueName: "n"))
    var track: Int64?

    @OptionGroup var bounds: LimitOptions

    var inputs: [String] { [file] }

    func validate() throws {
        try name.validate()
        if let objection = SourceFile.objection(to: [file]) { throw ValidationError(objection) }
    }

    func run() async throws {
        try await Interruption.cancelling { try await get() }
    }

    private func get() async throws {
        let failures = FailureLog()
        do {
            let metadata = try await MediaSource(file: file, limits: bounds.limits).asset().loadFileMetadata()
            let values = try values(of: try name.get(), in: metadata)
            guard !values.isEmpty else { throw CommandEnded(code: .absent) }
            for value in values { try Console.print(value) }
        } catch let end as CommandEnded {
            throw end
        } catch {
            try failures.report(Failure(error), file: file)
        }
        try failures.exitIfNeeded()
    }

    private func values(of name: MetadataName, in metadata: FileMetadata) throws -> [String] {
        guard let track else {
            if case .field(.headerDate) = name {
                return metadata.creationDate.map { [ISO8601Timestamp.text(of: $0)] } ?? []
            }
            return PlainMetadata.values(of: name, in: metadata.entries)
        }
        try metadata.checkTrack(track)
        let entries = metadata.tracks.filter { $0.trackID == track }.flatMap(\.entries)
        let label = metadata.labels.first { $0.trackID == track }
        return label?.values(of: name).map { [$0] } ?? PlainMetadata.values(of: name, in: entries)
    }
}
