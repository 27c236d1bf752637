internal import AVToolCommands
internal import Foundation
internal import MediaIO
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

extension MetadataArtworkCommand: FileWorking {
    func prepared() async throws -> FileWork<JSONArtworkDocument> {
        guard !isEdit else { return try await editing() }
        return { file, work in try list(try await entries(of: file), of: file, in: work) }
    }

    private func editing() async throws -> FileWork<JSONArtworkDocument> {
        var front: MediaItem.Artwork?
        if let cover { front = try await MediaItem.Artwork(picture: cover, limits: source.bounds.limits) }
        var more: [MediaItem.Artwork] = []
        for path in add { more.append(try await MediaItem.Artwork(picture: path, limits: source.bounds.limits)) }
        let (newCover, added) = (front, more)
        return { file, work in
            try await options.edit(file, in: work, limits: source.bounds.limits, refusesLosses: true) { tagged, _ in
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
