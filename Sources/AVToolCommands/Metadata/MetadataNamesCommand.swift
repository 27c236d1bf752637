package import ArgumentParser
internal import Foundation
internal import MediaMetadata
internal import MetadataFormats

/// `avtool metadata names`: what can be set, and in which files.
package struct MetadataNamesCommand: AsyncParsableCommand, AnsweringCommand, Reporting {
    package static let configuration = CommandConfiguration(
        commandName: "names",
        abstract: "List the names of items, what their values look like, and which files can have them.",
        discussion: """
            mp4 stands for M4A, M4B, M4V and 3GP too, mp3 for all files with ID3 tags, ogg for Opus, mkv for WebM, wav \
            for AVI. Whatever has no name here has an identifier: 'metadata show --identifiers' prints those of a file.

            Example:
              avtool metadata names --for flac
            """)

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp(
            "Only what this kind of file can have: mp4, mov, mp3, flac, ogg, mkv, wav, aiff.",
            valueName: "kind"), completion: .containers)
    package var kind: String?

    @OptionGroup package var report: ReportOptions<Self>

    package static let jsonHelp: ArgumentHelp = "Print JSON Lines, one object for each name."

    private static let kinds = FileMetadata.Container.all

    private struct Row: Encodable {
        let name: String
        let value: String
        let containers: [String]
        let ofTrack: Bool
    }

    package func validate() throws {
        guard let kind, !Self.kinds.contains(where: { $0.shortName == kind.lowercased() }) else { return }
        let known = Self.kinds.map(\.shortName).joined(separator: ", ")
        throw ValidationError("There is no kind of file '\(kind)': give one of \(known).")
    }

    package func answer() throws -> String {
        let heading = report.json ? [] : ["", "Of a track, with --track:"]
        let lines =
            try self.lines(KnownName.all(in: Self.kinds), ofTrack: false) + heading
            + self.lines(KnownName.ofTracks(in: Self.kinds), ofTrack: true)
        return lines.map { $0 + "\n" }.joined()
    }

    private func lines(_ names: [KnownName], ofTrack: Bool) throws -> [String] {
        let rows = names.map {
            Row(name: $0.name, value: $0.form, containers: $0.containers.map(\.shortName), ofTrack: ofTrack)
        }.filter { row in kind.map { row.containers.contains($0.lowercased()) } ?? true }
        let width = rows.map(\.name.count).max() ?? 0
        return try rows.map { row in
            guard !report.json else { return try JSONLine.text(row) }
            let name = row.name.padding(toLength: width, withPad: " ", startingAt: 0)
            let files = kind == nil ? "  (\(row.containers.joined(separator: " ")))" : ""
            return "\(name)  \(row.value)\(files)"
        }
    }

    package init() {}
}
