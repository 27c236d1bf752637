internal import AVToolCommands
internal import Foundation
internal import MediaIO
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

extension EditOptions {
    /// Changes a file, or makes a changed copy of it.
    ///
    /// - Parameters:
    ///   - limits: How much the file may ask for.
    ///   - refusesLosses: Whether what a format cannot hold is a failure: for what was asked for by name.
    ///   - change: Gets what is changed, and the film as it is; gives what goes of private details, `nil` if that was
    ///     not asked for.
    func edit<Document: EditDocument>(
        _ file: String, in work: Work<Document>, limits: MediaLimits, refusesLosses: Bool = false,
        _ change: (inout MetadataFile, AVURLAsset) async throws -> [PrivateDetail]?
    ) async throws -> FileReport<Document> {
        let place = try place(for: file, in: work.files)
        // What is read is what is changed: nobody else of this package changes it between the two.
        let lock =
            place == nil && !dryRun
            ? try EditLock(changing: SourceFile.url(file).path, access: WorkerFiles.access) : nil
        defer { withExtendedLifetime(lock) {} }
        let nameCount = linkCount(SourceFile.url(file).path)
        let film = try MediaSource(file: file, limits: limits).asset()
        var tagged = try await film.loadMetadataFile()
        let removed = try await change(&tagged, film)
        for problem in problemLines(tagged.problems) { work.warn(problem) }
        let outcome = try dryRun ? tagged.plan() : tagged.save(to: place, refusesLosses: refusesLosses)
        work.warn(of: outcome.losses)
        if place == nil, outcome.method == .copy, nameCount > 1 {
            let links =
                nameCount == 2
                ? "another name of the file, a hard link, leads"
                : "\(nameCount - 1) other names of the file, hard links, lead"
            work.warn("\(links) to the old version still")
        }
        let document = JSONEdit(
            source: file, file: place?.path ?? file, method: outcome.method.rawValue, size: outcome.byteCount,
            dryRun: dryRun, losses: outcome.losses.map { JSONEdit.Loss($0) },
            removed: removed?.map(JSONPrivateDetail.init))
        let isSilent = place?.isStandardOutput == true && !dryRun
        return FileReport(
            document: Document(document), lines: isSilent ? [] : lines(outcome, document.file, removed ?? []))
    }

    /// Where a changed copy goes; `nil` if the file itself is changed.
    private func place(for file: String, in run: RunFiles) throws -> OutputPlace? {
        guard let output else { return nil }
        let pathExtension = (file as NSString).pathExtension
        let naming = try ResultNaming(output, default: pathExtension.isEmpty ? "{name}" : "{name}.{ext}", count: 1)
        var place = naming.place(source: file, filenameExtension: pathExtension, replaces: destination.force)
        place.makesFolder = place.makesFolder && !dryRun
        return try run.output(place)
    }

    private func lines(_ outcome: MetadataFile.Outcome, _ target: String, _ removed: [PrivateDetail]) -> [String] {
        let would = dryRun ? "would be " : ""
        let line =
            switch outcome.method {
            case _ where output != nil: "\(would)written, \(outcome.byteCount) bytes"
            case .unchanged: "nothing to change"
            case .inPlace: "\(would)changed in place"
            case .copy: "\(would)replaced by a changed copy, \(outcome.byteCount) bytes"
            }
        return ["\(target.oneLine): \(line)"]
            + removed.map { "  \(dryRun ? "would be removed" : "removed"): \($0.line)" }
    }
}

/// A change of a file's metadata as JSON has it.
struct JSONEdit: EditDocument {
    struct Loss: Encodable {
        let item: String
        let effect: String
        let reason: String

        init(_ loss: MetadataLoss) {
            (item, effect, reason) = (loss.item, loss.isChange ? "changed" : "lost", loss.reason)
        }
    }

    let source: String
    let file: String
    let method: String
    let size: UInt64
    let dryRun: Bool
    let losses: [Loss]
    let removed: [JSONPrivateDetail]?
}

/// What a command prints as JSON that changes metadata.
protocol EditDocument: ResultDocument {
    init(_ edit: JSONEdit)
}

extension JSONEdit {
    init(_ edit: JSONEdit) { self = edit }
}

extension MetadataSetCommand: FileWorking {
    func prepared() throws -> FileWork<JSONEdit> {
        let edit = try from.map { try JSONMetadataEdit(path: $0) }
        let assignments = try assignments.map { try $0.get() }
        return { file, work in
            try await options.edit(file, in: work, limits: bounds.limits, refusesLosses: from == nil) { tagged, asset in
                try await edit?.apply(to: &tagged, of: asset)
                if !assignments.isEmpty { try tagged.set(assignments, inTrack: track) }
                return nil
            }
        }
    }
}

extension MetadataRemoveCommand: FileWorking {
    func prepared() -> FileWork<JSONEdit> {
        { file, work in
            try await options.edit(file, in: work, limits: bounds.limits) { tagged, _ in
                try remove(from: &tagged)
                return shareSafe ? try tagged.makeShareable() : nil
            }
        }
    }

    private func remove(from tagged: inout MetadataFile) throws {
        if let track { try tagged.metadata.checkTrack(track) }
        for name in name { try tagged.remove(name, inTrack: track) }
        let spaces = Set(keySpace.map { AVMetadataKeySpace(prefix: $0) })
        tagged.removeEntries(inTrack: track) { entry in
            all || spaces.contains(entry.keySpace)
        }
    }
}

extension MetadataCopyCommand: FileWorking {
    func prepared() async throws -> FileWork<JSONEdit> {
        let asset = try MediaSource(file: origin, limits: bounds.limits).asset()
        let given: FileMetadata
        let chapters: [ChapterList]
        do {
            given = try await asset.loadFileMetadata()
            chapters = noChapters ? [] : try await asset.loadChapterLists()
        } catch {
            let failure = Failure(error)
            throw Failure(failure.name, "\(origin): \(failure.message)")
        }
        return { file, work in
            try await options.edit(file, in: work, limits: bounds.limits) { tagged, film in
                let container = tagged.metadata.container
                var entries = given.entries.filter { !$0.isOfContainer(staysSame: false) }
                if given.container == .quickTime, container == .isoBaseMedia {
                    entries = MetadataConversion.movedToITunes(entries, in: container)
                }
                entries = self.entries(entries, over: tagged.metadata.entries)
                tagged.losses += ArtworkConversion.convert(&entries, for: container)
                tagged.replaceEntries(entries)
                if !chapters.isEmpty { try await tagged.setChapters(chapters, of: film, leavingOutOthers: true) }
                return nil
            }
        }
    }

    /// What a file is to say.
    ///
    /// - Parameter own: What it says by now.
    private func entries(_ given: [MetadataEntry], over own: [MetadataEntry]) -> [MetadataEntry] {
        let given = given.filter { !(noArtwork && MetadataComparison.isPicture($0)) }
        let (lasting, others) = (own.filter(stays), own.filter { !stays($0) })
        return lasting + (keep ? MetadataComparison.unsaid(others, by: given) : []) + given
    }

    private func stays(_ entry: MetadataEntry) -> Bool {
        entry.isOfContainer(staysSame: false) || noArtwork && MetadataComparison.isPicture(entry)
    }
}

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
                if let newCover { try tagged.setArtwork(converted(newCover, &tagged)) }
                for picture in added { try tagged.addArtwork(converted(picture, &tagged)) }
                return nil
            }
        }
    }

    /// A picture in a format that the file has a type for.
    private func converted(_ picture: MediaItem.Artwork, _ tagged: inout MetadataFile) -> MediaItem.Artwork {
        let (picture, changes) = ArtworkConversion.converted(picture, for: tagged.metadata.container)
        tagged.losses += changes
        return picture
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
struct JSONArtwork: Encodable {
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

extension MediaItem.Artwork {
    /// Reads a picture, and decodes it: what is cut off or only named a picture is no cover.
    ///
    /// - Throws: A failure if the file cannot be read or is no whole picture, or one with too many pixels.
    init(picture path: String, limits: MediaLimits) async throws {
        guard let bytes = try? WholeFile.read(path, limit: 512 << 20, access: WorkerFiles.access) else {
            throw Failure(.noSuchInput, "\(path): cannot be read")
        }
        self.init(data: bytes)
        guard mimeType.hasPrefix("image/") else {
            throw Failure(.notAPicture, "\(path): is neither JPEG nor PNG nor another picture that files hold")
        }
        var source = MediaSource(file: path, limits: limits)
        source.limits.pixels = min(limits.pixels, limits.artworkPixels)
        let generator = AVAssetImageGenerator(asset: try source.asset())
        // Its size does not matter, and small is fast.
        generator.maximumSize = CGSize(width: 64, height: 64)
        do {
            _ = try await generator.image(at: .zero)
        } catch let error as AVError where error.underlying is MediaLimitError {
            throw error
        } catch {
            throw Failure(.notAPicture, "\(path): is no whole picture: \(Failure(error).message)")
        }
    }
}
