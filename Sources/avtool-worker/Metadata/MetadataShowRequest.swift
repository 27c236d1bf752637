internal import AVToolCommands
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// What is wanted of a file's metadata.
struct MetadataShowRequest: FileRequest {
    let source: MediaSource
    let format: MetadataFormatName
    /// The key spaces that are wanted; all if empty.
    let keySpaces: [String]
    /// Whether what `--share-safe` leaves out is wanted instead.
    let wantsPrivate: Bool
    let withIdentifiers: Bool

    func run(in work: Work<JSONMetadataDocument>) async throws -> FileReport<JSONMetadataDocument> {
        if wantsPrivate { return try await privateDetails() }
        let asset = try source.asset()
        var metadata = try await asset.loadFileMetadata()
        filter(&metadata)
        let problems = problemLines(metadata.problems)
        let document = MetadataDocument(source: source.file, metadata)
        switch format {
        case .text:
            let text = MetadataText(file: source.file, metadata: metadata, withIdentifiers: withIdentifiers)
            return FileReport(lines: text.lines, warnings: problems)
        case .json:
            return FileReport(document: .metadata(JSONMetadata(source: source.file, metadata)), warnings: problems)
        case .csv: return FileReport(text: document.csv(hasHeading: work.index == 0), warnings: problems)
        case .ffmetadata:
            return FileReport(text: try await ffmetadata(document, asset), warnings: problems + document.notes())
        case .exiftool: return FileReport(text: try document.exifTool(), warnings: problems + document.notes())
        case .xmp:
            let (text, missing) = document.xmp()
            return FileReport(text: text, warnings: problems + document.notes(missing: missing))
        }
    }

    private func ffmetadata(_ document: MetadataDocument, _ asset: AVURLAsset) async throws -> String {
        let description = try await asset.loadDescription()
        let chapters = try await asset.loadPreferredChapterLists().first.map {
            ChapterTextFormat.ffmetadata.text(of: $0, assetDuration: description.duration).text
        }
        return document.ffmetadata(tracks: description.tracks.map { Int64($0.trackID) }, chapters: chapters)
    }

    private func privateDetails() async throws -> FileReport<JSONMetadataDocument> {
        let (details, hidden) = try await source.asset().loadPrivateDetails()
        let document = JSONPrivateDetails(
            source: source.file, private: details.map(JSONPrivateDetail.init),
            hidden: hidden.map(JSONHiddenMaterial.init))
        var lines = [source.file.oneLine] + details.map { "  " + $0.line }
        lines += hidden.map { "  hidden in track \($0.trackID): \($0.text)" }
        if lines.count == 1 { lines.append("  nothing that is known to be private") }
        return FileReport(document: .privateDetails(document), lines: lines)
    }

    private func filter(_ metadata: inout FileMetadata) {
        guard !keySpaces.isEmpty else { return }
        let wanted = Set(keySpaces.map { AVMetadataKeySpace(prefix: $0) })
        metadata.entries.removeAll { !wanted.contains($0.keySpace) }
        for index in metadata.tracks.indices {
            metadata.tracks[index].entries.removeAll { !wanted.contains($0.keySpace) }
        }
        metadata.tracks.removeAll { $0.entries.isEmpty }
        // What is of no key space goes as well.
        (metadata.labels, metadata.links, metadata.creationDate) = ([], [], nil)
    }
}

/// What `metadata show --json` prints.
enum JSONMetadataDocument: ResultDocument {
    case metadata(JSONMetadata)
    case privateDetails(JSONPrivateDetails)

    var json: any Encodable {
        switch self {
        case .metadata(let metadata): metadata
        case .privateDetails(let details): details
        }
    }
}
