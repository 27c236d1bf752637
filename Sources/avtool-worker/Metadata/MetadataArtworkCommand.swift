internal import ArgumentParser
internal import Foundation
internal import MediaFile
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// `avtool metadata artwork`: pictures in and out.
struct MetadataArtworkCommand: FileCommand {
    static let configuration = CommandConfiguration(
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
    @OptionGroup var source: SourceOptions

    var files: [String] { source.files }
    var json: Bool { options.json }
    var otherInputs: [String?] { add + [cover] }
    private var isEdit: Bool { cover != nil || !add.isEmpty || remove }

    func addGrants(to grants: inout FileGrants, for file: String) {
        if isEdit { options.addGrants(to: &grants, for: file) }
        // Several pictures get a number before the end of a name that has none.
        if let extract {
            let end = (extract as NSString).pathExtension
            let stem = extract.hasSuffix("/") || end.isEmpty ? extract : String(extract.dropLast(end.utf16.count + 1))
            grants.add(results: stem + "{ext}", usual: "{name}-{index}", of: file)
            grants.add(results: extract, usual: "{name}-{index}", of: file)
        }
    }

    func validate() throws {
        guard extract == nil || !isEdit else { throw ValidationError("--extract goes alone.") }
        guard isEdit || !options.dryRun && options.output == nil else {
            throw ValidationError("--dry-run and -o go with --set, --add or --remove.")
        }
        guard !isEdit || source.isUsual else {
            throw ValidationError("--allow-format, --allow-network and --precise go with listing and --extract.")
        }
        if extract == nil { try options.validate(files: isEdit ? files : [], with: otherInputs) }
    }

    func prepared() async throws -> FileWork<JSONArtworkDocument> {
        guard !isEdit else { return try await editing() }
        return { file, work in try list(try await entries(of: file), of: file, in: work) }
    }

    private func editing() async throws -> FileWork<JSONArtworkDocument> {
        var front: MediaItem.Artwork?
        if let cover { front = try await MediaItem.Artwork(picture: cover) }
        var more: [MediaItem.Artwork] = []
        for path in add { more.append(try await MediaItem.Artwork(picture: path)) }
        let (newCover, added) = (front, more)
        return { file, work in
            try await options.edit(file, in: work, refusesLosses: true) { tagged, _ in
                if remove { tagged.removeArtwork() }
                if let newCover { try tagged.setArtwork(newCover) }
                for picture in added { try tagged.addArtwork(picture) }
                return nil
            }
        }
    }

    private func entries(of file: String) async throws -> [MetadataEntry] {
        try await source.source(file).asset().loadFileMetadata().entries.filter(\.isArtwork)
    }

    private func list(
        _ entries: [MetadataEntry], of file: String, in work: Work<JSONArtworkDocument>
    ) throws -> FileReport<JSONArtworkDocument> {
        for (index, entry) in entries.enumerated() {
            guard case .data(let bytes) = entry.value else { continue }
            let place = try write(bytes, number: index + 1, of: entries.count, file: file, in: work)
            guard place?.isStandardOutput != true else { continue }
            let target = place.map { " → \($0.path.oneLine)" } ?? ""
            try work.report(
                FileReport(
                    document: .artwork(
                        JSONArtwork(
                            source: file, index: index + 1, item: JSONMetadataItem(entry, withData: false),
                            file: place?.path)),
                    lines: ["\(file.oneLine): \(index + 1)  \(MetadataText.line(for: entry))\(target)"]))
        }
        return FileReport(lines: entries.isEmpty && !json ? ["\(file.oneLine): no pictures"] : [])
    }

    /// Writes a picture, if that is wanted, and gives its place.
    private func write(
        _ bytes: [UInt8], number: Int, of count: Int, file: String, in work: Work<JSONArtworkDocument>
    ) throws -> OutputPlace? {
        guard let extract else { return nil }
        let kind = MetadataDataType.ofPicture(bytes).map { MetadataDataType.shortName(of: $0).lowercased() }
        let naming = try ResultNaming(extract, default: "{name}-{index}.{ext}", count: count * work.count)
        let path = naming.path(source: file, filenameExtension: kind ?? "bin", number: number, of: count)
        let place = try work.files.output(
            ResultPlace(path: path, replaces: options.destination.force, makesFolder: naming.makesFolder))
        try AtomicFile.write(Data(bytes), to: place)
        return place
    }
}

/// A picture of a file as JSON has it.
struct JSONArtwork: Codable {
    let source: String
    let index: Int
    let item: JSONMetadataItem
    let file: String?
}

/// What `metadata artwork --json` prints.
enum JSONArtworkDocument: EditDocument {
    case artwork(JSONArtwork)
    case edit(JSONEdit)

    init(_ edit: JSONEdit) { self = .edit(edit) }

    var json: any Encodable {
        switch self {
        case .artwork(let artwork): artwork
        case .edit(let edit): edit
        }
    }
}
