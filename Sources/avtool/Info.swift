internal import ArgumentParser
internal import Foundation
internal import OpenAVFoundation

/// `avtool info`: what files contain.
struct Info: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print what media files contain: tracks, timing, sizes, colour, edit lists, chapters.")

    @OptionGroup var source: SourceOptions

    @Flag(help: "Print JSON Lines, one object for each file.")
    var json = false

    func run() async throws {
        let command = self
        try await Interruption.cancelling { try await command.describeAll() }
    }

    private func describeAll() async throws {
        var failures = FailureLog()
        for file in source.files where !Interruption.isRequested {
            do {
                let description = try await source.asset(file).loadDescription()
                try json
                    ? JSONLine.print(JSONAsset(source: file, description))
                    : Console.print(AssetText(file: file, description: description).lines.joined(separator: "\n"))
            } catch {
                let failure = try failures.report(error, file: file)
                if json { try JSONLine.print(JSONFailedSource(source: file, error: JSONError(failure))) }
            }
        }
        try failures.exitIfNeeded()
    }
}
