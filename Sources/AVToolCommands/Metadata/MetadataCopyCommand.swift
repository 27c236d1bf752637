package import ArgumentParser

/// `avtool metadata copy`: what one file says of itself, for others.
package struct MetadataCopyCommand: EditCommand {
    package static let configuration = CommandConfiguration(
        commandName: "copy",
        abstract: "Give files the metadata, cover and chapters of another one, of whatever kind.",
        usage: "avtool metadata copy [<options>] <source> <files> ...",
        discussion: """
            All items of the files are replaced by those of the source, in the form that each kind of file has for them; \
            what it has no form for is told. What is said of a file itself stays: the program that made it, and counts of its \
            samples. Tracks keep their names and languages. Chapters are replaced if the source has any; those that begin after \
            a film's end are left out, and told.

            Examples:
              avtool metadata copy original.mkv smaller.mp4
              avtool metadata copy --keep --no-chapters album.m4a *.flac
            """)

    @Argument(
        help: ArgumentHelp("The file to copy from, and the files that are changed.", valueName: "files"),
        completion: .file())
    package var paths: [String] = []

    @Flag(help: "Keep items of the files that the source says nothing of.")
    package var keep = false

    @Flag(help: "Leave the files' covers and other pictures as they are.")
    package var noArtwork = false

    @Flag(help: "Leave the files' chapters as they are.")
    package var noChapters = false

    @OptionGroup package var several: SeveralFilesOptions
    @OptionGroup package var options: EditOptions
    @OptionGroup package var bounds: LimitOptions

    /// The file to copy from.
    package var origin: String { paths.first ?? "" }
    package var named: [String] { Array(paths.dropFirst()) }
    package var files: [String] { several.selected(named) }
    package var otherInputs: [String?] { [origin] }

    package func validate() throws {
        guard !paths.isEmpty else { throw ValidationError("No file was given to copy from.") }
        if let objection = several.objection(to: named) { throw ValidationError(objection) }
        try options.validate(files: named, with: otherInputs)
    }

    package init() {}
}
