package import ArgumentParser

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
