package import ArgumentParser
internal import Foundation
package import MediaIO
package import MediaMetadata

/// `avtool metadata set`: items by name, or all of them from JSON.
package struct MetadataSetCommand: EditCommand {
    package static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Set metadata: NAME=VALUE for single items, --from for everything.",
        usage: "avtool metadata set [<options>] [<name=value|file> ...]",
        discussion: """
            NAME is a friendly name (title, artist, album, track=3/12, year, genre, comment, location and more, which \
            'metadata names' lists; header-date is the date in the header of MP4, MOV and MKV files) or an \
            identifier (itsk/%A9nam, mdta/com.apple.quicktime.make, id3/TIT2, vorb/TITLE, mkv/TITLE). An empty VALUE \
            removes the item. An argument that names an existing file is a file, even with an = in it.

            Examples:
              avtool metadata set title='Big Buck Bunny' year=2008 movie.mp4
              avtool metadata set --track 2 language=pt-BR name=Commentary movie.mkv
              avtool metadata set --from movie.json -o tagged/ movie.mkv
            """)

    @Argument(
        help: ArgumentHelp(
            "Assignments and media files, in any order; - is standard input, with -o.", valueName: "name=value|file"),
        completion: .assignments)
    package var arguments: [AssignmentOrFile] = []

    @Option(
        help: ArgumentHelp(
            "Replace all metadata by that of this JSON document, as 'metadata show --json' prints it; - for standard input.",
            valueName: "file"))
    package var from: String?

    @Option(
        help: ArgumentHelp(
            "Set items of this track, by the number that info shows: its name, language=pt-BR, handler and others.",
            valueName: "n"))
    package var track: Int64?

    @OptionGroup package var several: SeveralFilesOptions
    @OptionGroup package var options: EditOptions
    @OptionGroup package var bounds: LimitOptions

    package var named: [String] { arguments.compactMap(\.file) }
    package var files: [String] { several.selected(named) }
    package var otherInputs: [String?] { [from] }
    package var assignments: [Written<MetadataAssignment>] { arguments.compactMap(\.assignment) }

    package func validate() throws {
        if let objection = several.objection(to: named) { throw ValidationError(objection) }
        guard from != nil || named.count < arguments.count else { throw ValidationError("Give NAME=VALUE or --from.") }
        for assignment in assignments { try assignment.validate() }
        try options.validate(files: named, with: otherInputs)
    }

    package init() {}
}

/// `avtool metadata remove`: single items, or all.
package struct MetadataRemoveCommand: EditCommand {
    package static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove metadata by name, by key space, what tells about people, or all of it.",
        usage: "avtool metadata remove [<options>] <files> ...",
        discussion: """
            Chapters stay; 'chapters remove' removes those.

            Examples:
              avtool metadata remove --name comment --name location movie.mp4
              avtool metadata remove --share-safe -o shared/ *.mov
            """)

    @OptionGroup package var edited: EditedFiles

    @Option(
        help: ArgumentHelp(
            "Remove this item: a friendly name or an identifier; may be given several times.", valueName: "name"),
        completion: .metadataNames)
    package var name: [String] = []

    @Option(
        help: ArgumentHelp(
            "Remove all items of this key space, such as udta or id3; may be given several times.", valueName: "name"))
    package var keySpace: [String] = []

    @Flag(help: "Remove what tells about people, places, devices and moments, wherever the file has it.")
    package var shareSafe = false

    @Flag(help: "Remove all items of the file and its tracks.")
    package var all = false

    @Option(help: ArgumentHelp("Remove items of this track only, by the number that info shows.", valueName: "n"))
    package var track: Int64?

    @OptionGroup package var options: EditOptions
    @OptionGroup package var bounds: LimitOptions

    package var files: [String] { edited.files }
    package var several: SeveralFilesOptions { edited.several }
    package var named: [String] { edited.named }

    package func validate() throws {
        guard !name.isEmpty || !keySpace.isEmpty || shareSafe || all else {
            throw ValidationError("Give --name, --key-space, --share-safe or --all.")
        }
        guard !shareSafe || track == nil else { throw ValidationError("--share-safe is for the whole file.") }
        try options.validate(files: edited.named)
    }

    package init() {}
}

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
