package import ArgumentParser
internal import Foundation
package import MediaMetadata
internal import MetadataFormats

/// `avtool metadata`: names and values.
struct MetadataCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "metadata",
        abstract: "Show, set and remove metadata; media data are never touched.",
        discussion: """
            Items are named by identifiers, which are a key space and a key: itsk/%A9nam, \
            mdta/com.apple.quicktime.make, id3/TIT2, vorb/TITLE, mkv/TITLE. Friendly names such as title, artist or \
            track stand for the identifier that fits the file.

            A file is changed in place where its free space suffices, else by a copy that takes its place at once: \
            whatever happens meanwhile, it holds the old or the new metadata.

            Examples:
              avtool metadata movie.mp4
              avtool metadata set title='Big Buck Bunny' movie.mp4
            """,
        subcommands: [
            MetadataShowCommand.self, MetadataGetCommand.self, MetadataSetCommand.self, MetadataRemoveCommand.self,
            MetadataArtworkCommand.self, MetadataCopyCommand.self,
            MetadataNamesCommand.self,
        ],
        defaultSubcommand: MetadataShowCommand.self)
}

/// `avtool metadata show`: all items of files and their tracks.
package struct MetadataShowCommand: MediaCommand {
    package static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Print all metadata of media files.",
        usage: "avtool metadata show [<options>] <files> ...",
        discussion: """
            Items have the names that 'metadata set' takes; what a file says several times is printed once. With \
            --identifiers, each item is printed as the file has it.

            With --json, the object of a file can be changed and given back to 'metadata set --from'.

            Examples:
              avtool metadata show movie.mp4
              avtool metadata show --json movie.mp4 > movie.json
              avtool metadata show --format xmp movie.mp4 > movie.xmp
              avtool metadata show --private --identifiers movie.mov
            """)

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Only items of this key space, such as itsk, itlk, mdta, udta, uiso, id3, vorb, mkv; may be given several times.",
            valueName: "name"))
    package var keySpace: [String] = []

    @Flag(
        name: .customLong("private"),
        help: "List what --share-safe leaves out of a file, with its place, instead of its metadata.")
    package var showsPrivate = false

    @Option(
        help: """
            text, json (as --json), csv, ffmetadata (which ffmpeg -map_metadata takes), xmp (a sidecar file) or exiftool (JSON \
            as ExifTool prints and takes it).
            """)
    package var format: MetadataFormatName?

    @Flag(help: "Name items by identifiers, such as itsk/%A9nam, each one as the file has it.")
    package var identifiers = false

    @OptionGroup package var report: ReportOptions<Self>
    @OptionGroup package var source: SourceOptions

    package func validate() throws {
        guard !showsPrivate || format == nil || format == .text || format == .json else {
            throw ValidationError("--private goes with text and JSON.")
        }
        guard !report.json || format == nil || format == .json else {
            throw ValidationError("Give one of --json and --format.")
        }
        guard !identifiers || format == nil || format == .text else {
            throw ValidationError("--identifiers goes with text.")
        }
        if let format, format.isDocument, source.several.filesFrom != nil || source.named.count > 1 {
            throw ValidationError("--format \(format.rawValue) takes a single file.")
        }
        guard !showsPrivate || keySpace.isEmpty else { throw ValidationError("--private lists all key spaces.") }
    }

    /// Whether lines of JSON are printed.
    package var json: Bool { report.json || format == .json }

    package init() {}
}

/// `avtool metadata get`: one value, for scripts.
package struct MetadataGetCommand: AsyncParsableCommand, ReadingCommand, Bounded {
    package static let configuration = CommandConfiguration(
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

    @Argument(help: ArgumentHelp("What to print.", valueName: "name"), completion: .metadataNames)
    package var name: Written<MetadataName>

    @Argument(help: "The media file; - is standard input.", completion: .file())
    package var file: String

    @Option(help: ArgumentHelp("Print what this track says, by the number that info shows.", valueName: "n"))
    package var track: Int64?

    @OptionGroup package var bounds: LimitOptions

    package var inputs: [String] { [file] }

    package func validate() throws {
        try name.validate()
        if let objection = SourceFile.objection(to: [file]) { throw ValidationError(objection) }
    }

    package init() {}
}

/// `avtool metadata names`: what can be set, and in which files.
struct MetadataNamesCommand: AsyncParsableCommand, AnsweringCommand, Reporting {
    static let configuration = CommandConfiguration(
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
    var kind: String?

    @OptionGroup var report: ReportOptions<Self>

    static let jsonHelp: ArgumentHelp = "Print JSON Lines, one object for each name."

    private static let kinds = FileMetadata.Container.all

    private struct Row: Encodable {
        let name: String
        let value: String
        let containers: [String]
        let ofTrack: Bool
    }

    func validate() throws {
        guard let kind, !Self.kinds.contains(where: { $0.shortName == kind.lowercased() }) else { return }
        let known = Self.kinds.map(\.shortName).joined(separator: ", ")
        throw ValidationError("There is no kind of file '\(kind)': give one of \(known).")
    }

    func answer() throws -> String {
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

    init() {}
}

/// How metadata is written down.
package enum MetadataFormatName: String, CaseIterable, ExpressibleByArgument {
    case text, json, csv, ffmetadata, xmp, exiftool

    /// Whether a second file's cannot follow a first one's.
    var isDocument: Bool { self == .ffmetadata || self == .xmp }
}
