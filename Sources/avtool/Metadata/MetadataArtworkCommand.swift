internal import ArgumentParser
internal import Foundation
internal import OpenAVFoundation

/// `avtool metadata artwork`: pictures in and out.
struct MetadataArtworkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "artwork",
        abstract: "List, extract, set, add or remove pictures such as cover art.",
        discussion: """
            Without an option, lists the pictures. --extract writes them with the bytes that the file holds.
            """)

    @Argument(help: "The media files.", completion: .file())
    var files: [String]

    @Option(
        help: ArgumentHelp(
            "Write the pictures to files, with {name}, {index} and {ext} in the pattern, or into a folder; an existing file is never replaced without --force.",
            valueName: "pattern"))
    var extract: String?

    @Option(
        name: .customLong("set"),
        help: ArgumentHelp("Replace the cover by this JPEG or PNG file.", valueName: "image"))
    var cover: String?

    @Option(help: ArgumentHelp("Add this picture; may be given several times.", valueName: "image"))
    var add: [String] = []

    @Flag(help: "Remove all pictures.")
    var remove = false

    @OptionGroup var options: EditOptions

    private var isEdit: Bool { cover != nil || !add.isEmpty || remove }

    func validate() throws {
        guard extract == nil || !isEdit else { throw ValidationError("--extract goes alone.") }
        guard isEdit || !options.dryRun && options.output == nil else {
            throw ValidationError("--dry-run and -o go with --set, --add or --remove.")
        }
        if extract == nil { try options.validate(fileCount: files.count) }
    }

    func run() async throws {
        let command = self
        try await Interruption.cancelling { try await command.isEdit ? command.edit() : command.list() }
    }

    private func edit() async throws {
        var front: MediaItem.Artwork?
        if let cover { front = try await MediaItem.Artwork(picture: cover) }
        var more: [MediaItem.Artwork] = []
        for path in add { more.append(try await MediaItem.Artwork(picture: path)) }
        let (newCover, added) = (front, more)
        try await options.edit(files, reading: add + [cover], refusesLosses: true) { tagged, _ in
            if remove { tagged.removeArtwork() }
            if let newCover { try tagged.setArtwork(newCover) }
            for picture in added { try tagged.addArtwork(picture) }
        }
    }

    private func list() async throws {
        var failures = FailureLog()
        let run = RunFiles(of: files)
        for file in files where !Interruption.isRequested {
            do {
                let asset = AVURLAsset(url: URL(fileURLWithPath: file))
                let entries = try await asset.loadFileMetadata().entries.filter(\.isArtwork)
                for (index, entry) in entries.enumerated() {
                    try show(entry, number: index + 1, of: entries.count, file: file, in: run)
                }
                if entries.isEmpty, !options.json { try Console.print("\(file.oneLine): no pictures") }
            } catch {
                let failure = try failures.report(error, file: file)
                if options.json { try JSONLine.print(JSONFailedSource(source: file, error: JSONError(failure))) }
            }
        }
        try failures.exitIfNeeded()
    }

    private func show(_ entry: MetadataEntry, number: Int, of count: Int, file: String, in run: RunFiles) throws {
        guard case .data(let bytes) = entry.value else { return }
        var written: String?
        if let extract {
            let kind = MetadataDataType.ofPicture(bytes).map { MetadataDataType.shortName(of: $0).lowercased() }
            let pattern = try OutputPattern(extract, default: "{name}-{index}.{ext}", count: count * files.count)
            let path = name(pattern, file: file, number: number, count: count, ext: kind ?? "bin")
            let place = try run.output(path, replaces: options.force, makesFolder: pattern.makesFolder)
            try AtomicFile.write(Data(bytes), to: place)
            guard !place.isStandardOutput else { return }
            written = path
        }
        if options.json {
            try JSONLine.print(
                JSONArtwork(source: file, index: number, item: JSONMetadataItem(entry, withData: false), file: written))
        } else {
            let target = written.map { " → \($0.oneLine)" } ?? ""
            try Console.print("\(file.oneLine): \(number)  \(MetadataText.line(for: entry))\(target)")
        }
    }

    private func name(_ pattern: OutputPattern, file: String, number: Int, count: Int, ext: String) -> String {
        guard !pattern.isStandardOutput else { return "-" }
        let path = pattern.path(source: file, fileExtension: ext, values: ["{index}": String(number)])
        // Several pictures must not get one name.
        guard count > 1, !pattern.contains("{index}") else { return path }
        let ending = (path as NSString).pathExtension
        return (path as NSString).deletingPathExtension + "-\(number)" + (ending.isEmpty ? "" : ".\(ending)")
    }
}

/// A picture of a file as JSON has it.
struct JSONArtwork: Encodable {
    let source: String
    let index: Int
    let item: JSONMetadataItem
    let file: String?
}
