internal import AVToolCommands
internal import Foundation
internal import MediaIO
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

extension MetadataShowCommand: FileWorking {
    func prepared() -> FileWork<JSONMetadataDocument> {
        { file, work in
            try await MetadataShowRequest(
                source: source.source(file), format: json ? .json : format ?? .text, keySpaces: keySpace,
                wantsPrivate: showsPrivate,
                withIdentifiers: identifiers
            ).run(in: work)
        }
    }
}

extension MetadataGetCommand: WholeWorking {
    func run() async throws {
        try await Interruption.cancelling { try await get() }
    }

    private func get() async throws {
        let failures = FailureLog()
        do {
            let metadata = try await MediaSource(file: file, limits: bounds.limits).asset().loadFileMetadata()
            let values = try values(of: try name.get(), in: metadata)
            guard !values.isEmpty else { throw CommandEnded(code: .absent) }
            for value in values { try WorkerConsole.print(value) }
        } catch let end as CommandEnded {
            throw end
        } catch {
            try failures.report(Failure(error), file: file)
        }
        try failures.exitIfNeeded()
    }

    private func values(of name: MetadataName, in metadata: FileMetadata) throws -> [String] {
        guard let track else {
            if case .field(.headerDate) = name {
                return metadata.creationDate.map { [ISO8601Timestamp.text(of: $0)] } ?? []
            }
            return PlainMetadata.values(of: name, in: metadata.entries)
        }
        try metadata.checkTrack(track)
        let entries = metadata.tracks.filter { $0.trackID == track }.flatMap(\.entries)
        let label = metadata.labels.first { $0.trackID == track }
        return label?.values(of: name).map { [$0] } ?? PlainMetadata.values(of: name, in: entries)
    }
}

/// A file's metadata for people.
struct MetadataText {
    let file: String
    let metadata: FileMetadata
    /// Whether items are named by their identifiers, each one as the file has it.
    var withIdentifiers = false

    var lines: [String] {
        var lines = [file.oneLine]
        lines += Self.lines(for: metadata.entries, withIdentifiers: withIdentifiers).map { $0.indented(2) }
        if let date = metadata.creationDate {
            lines.append("  " + Self.line("header-date", ISO8601Timestamp.text(of: date)))
        }
        for trackID in trackIDs {
            let own = trackLines(trackID)
            guard !own.isEmpty else { continue }
            lines.append("  track \(trackID)")
            lines += own.map { $0.indented(4) }
        }
        for (index, link) in metadata.links.enumerated() {
            lines.append("  link \(index + 2) of the chain")
            lines += Self.lines(for: link, withIdentifiers: withIdentifiers).map { $0.indented(4) }
        }
        for list in metadata.chapterLists {
            lines.append("  " + ChapterText.heading(for: list))
            lines += ChapterText.lines(for: list.chapters, indent: 4)
        }
        lines += metadata.attachments.map { attachment in
            "  attachment \(attachment.name.oneLine)  \(attachment.mimeType.oneLine), "
                + "\(attachment.range.upperBound - attachment.range.lowerBound) bytes"
        }
        if lines.count == 1 { lines.append("  no metadata") }
        return lines
    }

    private var trackIDs: [Int64] {
        // Tracks of chapters are shown as such.
        let chapters = Set(metadata.chapterLists.compactMap { $0.trackID.map(Int64.init) })
        let labels = metadata.labels.map(\.trackID).filter { !chapters.contains($0) }
        return Set(metadata.tracks.map(\.trackID) + labels).sorted()
    }

    private func trackLines(_ trackID: Int64) -> [String] {
        let entries = metadata.tracks.filter { $0.trackID == trackID }.flatMap(\.entries)
        var lines: [String] = []
        if let label = metadata.labels.first(where: { $0.trackID == trackID }) {
            if let name = label.name { lines.append(Self.line("name", name)) }
            if let tag = label.languageTag { lines.append(Self.line("language", tag)) }
            if let handler = label.handlerName, handler != label.name { lines.append(Self.line("handler", handler)) }
            if !label.roles.isEmpty { lines.append(Self.line("purpose", label.roles.texts.joined(separator: ", "))) }
        }
        // Name and purpose are told above in words.
        let others = withIdentifiers ? entries : entries.filter { !$0.isTrackName && !$0.isTrackRole }
        return lines + Self.lines(for: others, withIdentifiers: withIdentifiers)
    }

    // MARK: Items

    /// Items, a line each, and more for values of several lines.
    static func lines(for entries: [MetadataEntry], withIdentifiers: Bool) -> [String] {
        guard !withIdentifiers else { return entries.flatMap { Self.lines(for: $0) } }
        return PlainMetadata(entries).items.flatMap { item -> [String] in
            var name = item.name.oneLine
            let notes = [item.languageTag?.oneLine, item.keySpace.map { "in \($0)" }].compactMap { $0 }
            if !notes.isEmpty { name += " (\(notes.joined(separator: ", ")))" }
            return item.values.flatMap { broken(name, $0) }
        }
    }

    /// An item by its identifier: `itsk/%A9nam  Big Buck Bunny`.
    static func lines(for entry: MetadataEntry) -> [String] {
        var head = entry.identifier.rawValue
        if let info = entry.info, !info.isEmpty { head += "[\(info.oneLine)]" }
        if let tag = entry.languageTag { head += " (\(tag.oneLine))" }
        return broken(head, text(of: entry), width: 0)
    }

    /// The first line of an item.
    static func line(for entry: MetadataEntry) -> String { lines(for: entry)[0] }

    /// Names of the usual length get their values below each other.
    private static let nameWidth = 14

    private static func line(_ name: String, _ value: String) -> String { broken(name, value).joined(separator: " ") }

    /// A name and its value; what follows the value's first line stands below it.
    private static func broken(_ name: String, _ value: String, width: Int = nameWidth) -> [String] {
        let head = name.padding(toLength: max(width, name.count), withPad: " ", startingAt: 0) + "  "
        let lines = value.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map {
            String($0).oneLine
        }
        let indent = String(repeating: " ", count: head.count)
        let rest = lines.dropFirst().map { $0.isEmpty ? "" : indent + $0 }
        return [head + (lines.first ?? "")] + rest
    }

    private static func text(of entry: MetadataEntry) -> String {
        switch entry.value {
        case .text(let text): text
        case .integer(let number): String(number)
        case .real(let number): String(number)
        case .data: entry.displayText ?? ""
        }
    }
}

extension String {
    /// The line further to the right, if there is anything in it.
    func indented(_ width: Int) -> String { isEmpty ? "" : String(repeating: " ", count: width) + self }
}

extension PrivateDetail {
    /// The detail in one line: `message: track 1, samples: unregistered user data (125 times)`.
    var line: String {
        let times = count > 1 ? " (\(count) times)" : ""
        return "\(kind.rawValue): \(place.oneLine): \(reason.oneLine)\(times)"
    }
}

/// A private detail as JSON has it.
struct JSONPrivateDetail: Encodable {
    let kind: String
    let place: String
    let reason: String
    let count: Int

    init(_ detail: PrivateDetail) {
        (kind, place, reason, count) = (detail.kind.rawValue, detail.place, detail.reason, detail.count)
    }
}

/// What a file holds and does not show, as JSON has it.
struct JSONHiddenMaterial: Encodable {
    struct Part: Encodable {
        let frames: Int
        let duration: JSONTime?

        init(_ part: HiddenMaterial.Part) { (frames, duration) = (part.count, JSONTime(part.duration)) }
    }

    let track: Int32
    let mediaType: String
    let start: Part
    let end: Part

    init(_ hidden: HiddenMaterial) {
        (track, mediaType) = (hidden.trackID, hidden.isSound ? "audio" : "video")
        (start, end) = (Part(hidden.start), Part(hidden.end))
    }
}

/// What of a file is private, as JSON has it.
struct JSONPrivateDetails: Encodable {
    let source: String
    let `private`: [JSONPrivateDetail]
    let hidden: [JSONHiddenMaterial]
}
