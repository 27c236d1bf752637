package import ArgumentParser
internal import Foundation
package import MediaIO

/// `avtool metadata artwork`: pictures in and out.
package struct MetadataArtworkCommand: SeveralFilesCommand, SourceReading, Bounded {
    package static let configuration = CommandConfiguration(
        commandName: "artwork",
        abstract: "List, extract, set, add or remove pictures such as cover art.",
        usage: "avtool metadata artwork [<options>] <files> ...",
        discussion: """
            Without an option, lists the pictures. --extract writes them with the bytes that the file holds.

            Examples:
              avtool metadata artwork song.m4a
              avtool metadata artwork --set cover.jpg *.m4a
              avtool metadata artwork --extract '{name}-{index}.{ext}' *.mp3
            """)

    @Option(
        help: ArgumentHelp(
            "Write the pictures to files, with {name}, {index} and {ext} in the pattern, or into a folder; an existing file is never replaced without --force.",
            valueName: "pattern"))
    package var extract: String?

    @Option(
        name: .customLong("set"),
        help: ArgumentHelp("Replace the cover by this JPEG or PNG file.", valueName: "image"))
    package var cover: String?

    @Option(help: ArgumentHelp("Add this picture; may be given several times.", valueName: "image"))
    package var add: [String] = []

    @Flag(help: "Remove all pictures.")
    package var remove = false

    @OptionGroup package var options: EditOptions
    @OptionGroup package var source: SourceOptions

    package var files: [String] { source.files }
    package var several: SeveralFilesOptions { source.several }
    package var named: [String] { source.named }
    package var bounds: LimitOptions { source.bounds }
    package var json: Bool { options.json }
    package var resumes: Bool { options.destination.resume }
    package var otherInputs: [String?] { add + [cover] }
    /// Whether anything is changed.
    package var isEdit: Bool { cover != nil || !add.isEmpty || remove }

    package func addGrants(to grants: inout FileGrants, for file: String) {
        if isEdit { options.addGrants(to: &grants, for: file) }
        // Several pictures get a number before the end of a name that has none.
        if let extract {
            let end = (extract as NSString).pathExtension
            let stem = extract.hasSuffix("/") || end.isEmpty ? extract : String(extract.dropLast(end.utf16.count + 1))
            grants.add(results: stem + "{ext}", usual: "{name}-{index}", of: file)
            grants.add(results: extract, usual: "{name}-{index}", of: file)
        }
    }

    package func validate() throws {
        guard extract == nil || !isEdit else { throw ValidationError("--extract goes alone.") }
        guard isEdit || !options.dryRun && options.output == nil else {
            throw ValidationError("--dry-run and -o go with --set, --add or --remove.")
        }
        guard !isEdit || source.isUsual else {
            throw ValidationError("--allow-format, --allow-network and --precise go with listing and --extract.")
        }
        if extract == nil { try options.validate(files: isEdit ? source.named : [], with: otherInputs) }
    }

    package init() {}
}
