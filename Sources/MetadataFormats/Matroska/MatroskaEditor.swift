internal import Foundation
internal import MediaContainers
internal import MediaCore
internal import MediaIO
internal import MediaMetadata

/// Finds which elements of the top level change if a file is to have other metadata.
struct MatroskaEditor {
    let content: MatroskaContent
    private(set) var losses: [MetadataLoss] = []

    init(_ content: MatroskaContent) { self.content = content }

    /// The elements that change.
    mutating func changes(for metadata: FileMetadata) throws(MetadataError) -> [MatroskaChange] {
        var entries = holdable(metadata.entries)
        let covers = holdableCovers(entries.filter(MatroskaAttachedFile.holds))
        entries.removeAll(where: MatroskaAttachedFile.holds)
        var changes: [MatroskaChange] = []
        if let info = content.info {
            let title = MatroskaTitle.take(from: &entries, elements: [MatroskaElementName.title])
            let isDated = metadata.creationDate != content.creationDate
            if title.map({ MetadataValue.text($0) }) != content.title.map({ .text($0) }) || isDated {
                var bytes = MatroskaTitle.content(of: info, setting: MatroskaID.title, to: title)
                if isDated {
                    let titled = EBMLNode(id: MatroskaID.info, bytes: [], content: bytes[...]).children
                    bytes = MatroskaTitle.content(of: titled, dated: metadata.creationDate)
                }
                changes.append(change(MatroskaID.info, info.haveChecksum, [.bytes(bytes)]))
            }
        }
        var writer = MatroskaTagWriter(content.tags)
        writer.add(entries)
        let names = addTracks(metadata.tracks, to: &writer)
        if let tracks = tracks(named: names, metadata.labels) {
            changes.append(change(MatroskaID.tracks, true, [.bytes(tracks)]))
        }
        if let tags = tags(writer.tags) { changes.append(tags) }
        if let chapters = chapters(metadata.chapterLists) { changes.append(chapters) }
        let attachments = MatroskaAttachmentWriter(files: content.attachedFiles, others: content.otherAttachments)
        let added = holdableFiles(metadata.newAttachments)
        if let segments = attachments.content(covers: covers, adding: added) {
            changes.append(change(MatroskaID.attachments, false, segments))
        }
        try checkDamage(changes)
        return changes + indexes(changed: Set(changes.map(\.id)))
    }

    // MARK: Entries

    /// The entries that Matroska can hold; the others are lost.
    private mutating func holdable(_ entries: [MetadataEntry]) -> [MetadataEntry] {
        entries.filter { entry in
            var reason: String?
            if entry.keySpace != .matroska {
                reason = "Matroska holds no keys of \(entry.keySpace.rawValue)"
            } else if entry.time.isValid {
                reason = "Matroska tags belong to no moment"
            } else if entry.text?.utf8.contains(0) == true {
                reason = "a text of Matroska ends at its first zero character"
            }
            if let reason { losses.append(MetadataLoss(item: entry.identifier.rawValue, reason: reason)) }
            return reason == nil
        }
    }

    /// The pictures that can be attached.
    private mutating func holdableCovers(_ entries: [MetadataEntry]) -> [MetadataEntry] {
        let old = Set(content.attachedFiles.compactMap(\.cover))
        return entries.filter { entry in
            if old.contains(entry) { return true }
            var reason: String?
            if content.segment.docType == "webm" {
                reason = "WebM holds no attachments"
            } else if MatroskaAttachmentWriter.mimeType(of: entry) == nil {
                reason = "it is no picture of a known kind"
            } else if case .data(let bytes) = entry.value, bytes.count > MatroskaLimit.bytes {
                reason = "it is larger than \(MatroskaLimit.bytes >> 20) MiB"
            }
            if let reason { losses.append(MetadataLoss(item: entry.identifier.rawValue, reason: reason)) }
            return reason == nil
        }
    }

    private mutating func holdableFiles(_ files: [FileMetadata.NewAttachment]) -> [FileMetadata.NewAttachment] {
        guard content.segment.docType == "webm" else { return files }
        losses += files.map { MetadataLoss(item: "attachment \($0.name)", reason: "WebM holds no attachments") }
        return []
    }

    /// Adds the tracks' tags, and gives the tracks' names.
    private mutating func addTracks(
        _ tracks: [FileMetadata.Track], to writer: inout MatroskaTagWriter
    ) -> [Int64: String] {
        let numbers = Set(content.tracks.map(\.number))
        for track in tracks where !numbers.contains(track.trackID) {
            losses += track.entries.map {
                MetadataLoss(item: $0.identifier.rawValue, reason: "the file has no track \(track.trackID)")
            }
        }
        var names: [Int64: String] = [:]
        for track in content.tracks {
            var entries = holdable(tracks.filter { $0.trackID == track.number }.flatMap(\.entries))
            // A title set by its friendly name is the track's name here.
            names[track.number] = MatroskaTitle.take(
                from: &entries, elements: [MatroskaElementName.trackName, MatroskaElementName.title])
            if track.uid == 0 {
                losses += entries.map {
                    MetadataLoss(item: $0.identifier.rawValue, reason: "track \(track.number) has no UID")
                }
                entries = []
            }
            writer.add(entries, track: track.number, uid: track.uid)
        }
        return names
    }

    // MARK: Elements

    private func change(
        _ id: UInt32, _ hasChecksum: Bool, _ segments: [FileRewrite.Segment]?
    ) -> MatroskaChange {
        // Files have one of these; of further ones, only the first was read.
        let isFirstOnly = id == MatroskaID.info || id == MatroskaID.tracks
        let old = content.segment.all(id)
        return MatroskaChange(
            id: id, old: isFirstOnly ? Array(old.prefix(1)) : old, content: segments, hasChecksum: hasChecksum)
    }

    /// The content of the Tracks with other names and labels, `nil` if all stay.
    private func tracks(named names: [Int64: String], _ labels: [TrackLabel]) -> [UInt8]? {
        let changed = content.tracks.compactMap { track -> (start: Int, bytes: [UInt8])? in
            let label = labels.first { $0.trackID == track.number } ?? track.label
            return track.relabelled(label, name: names[track.number]).map { (track.node.bytes.startIndex, $0) }
        }
        guard !changed.isEmpty else { return nil }
        let children = content.tracksElement.filter { $0.id != MatroskaID.crc32 }.map { node -> [UInt8] in
            changed.first { $0.start == node.bytes.startIndex }?.bytes ?? Array(node.bytes)
        }
        return EBMLWriter.content(children, withChecksum: false)
    }

    private func tags(_ tags: [[UInt8]]) -> MatroskaChange? {
        let isSame =
            tags.count == content.tags.count && zip(tags, content.tags).allSatisfy { $0.elementsEqual($1.node.bytes) }
        return isSame ? nil : masters(MatroskaID.tags, tags)
    }

    private mutating func chapters(_ lists: [ChapterList]) -> MatroskaChange? {
        guard lists != content.editions.map(\.list) else { return nil }
        var writer = MatroskaChapterWriter(content.editions)
        let editions = writer.editions(for: lists)
        losses += writer.losses
        return masters(MatroskaID.chapters, editions)
    }

    /// A change to an element that holds tags or editions.
    private func masters(_ id: UInt32, _ children: [[UInt8]]) -> MatroskaChange? {
        let all = children + (content.others[id] ?? []).map { Array($0) }
        if all.isEmpty, content.segment.all(id).isEmpty { return nil }
        let segments: [FileRewrite.Segment]? = all.isEmpty ? nil : [.bytes(Array(all.joined()))]
        return change(id, content.withChecksum.contains(id), segments)
    }

    // MARK: Damage, indexes

    /// Tells what a change loses of elements that could not be read to their end.
    private mutating func checkDamage(_ changes: [MatroskaChange]) throws(MetadataError) {
        for change in changes {
            if content.tooLarge.contains(change.id) {
                throw MetadataError(.limit, "an element that would change is larger than is read")
            }
            if content.damaged.contains(change.id) {
                // Without all of these, the media might not be playable.
                guard !change.isForFront else {
                    throw MetadataError(.damaged, "an element that would change cannot be read to its end")
                }
                let name = String(change.id, radix: 16, uppercase: true)
                losses.append(MetadataLoss(item: "element \(name)", reason: "a part of it cannot be read"))
            }
        }
    }

    /// Further indexes that name what changes: they no longer do.
    private func indexes(changed: Set<UInt32>) -> [MatroskaChange] {
        let stale = content.segment.seekHeads.dropFirst().filter { $0.entries.contains { changed.contains($0.id) } }
        guard !stale.isEmpty else { return [] }
        let entries = stale.flatMap(\.entries).filter { !changed.contains($0.id) }.map(\.bytes)
        return [
            MatroskaChange(
                id: MatroskaID.seekHead, old: stale.map(\.element),
                content: entries.isEmpty ? nil : [.bytes(Array(entries.joined()))], hasChecksum: false)
        ]
    }
}

/// Chooses how changes get into a file.
enum MatroskaPlan {
    /// The new version: in place if there is a layout that allows it, else with as little moved as possible.
    static func rewrite(
        _ segment: MatroskaSegment, changes: [MatroskaChange]
    ) throws(MetadataError) -> FileRewrite {
        guard !changes.isEmpty else { return FileRewrite(segments: [.source(0..<segment.file.byteCount)]) }
        guard segment.isFrontWhole else {
            throw MetadataError(.damaged, "the beginning of the Segment cannot be read")
        }
        // An index that need not change keeps a change to one part of the file.
        let main = changes.filter { $0.id != MatroskaID.seekHead }
        let still = MatroskaPlacer(segment: segment, changes: main, preference: .oldPlace, keepsPlaces: true)
        if let layout = still.layout(), let steps = layout.steps(main) {
            return FileRewrite(segments: layout.segments, steps: steps)
        }
        var first: MatroskaLayout?
        for preference: MatroskaPlacer.Preference in [
            .oldPlace, .firstSpace, .end, .packedFront(holdsAll: true), .packedFront(holdsAll: false),
        ] {
            for cutsEnd in [true, false] {
                let placer = MatroskaPlacer(
                    segment: segment, changes: changes, preference: preference, cutsEnd: cutsEnd)
                guard let layout = placer.layout() else { break }
                if let steps = layout.steps(changes) { return FileRewrite(segments: layout.segments, steps: steps) }
                first = first ?? layout
            }
        }
        if main.count == 1, let layout = MatroskaLayout.wrapped(main[0], in: segment), let steps = layout.steps(main) {
            return FileRewrite(segments: layout.segments, steps: steps)
        }
        if let first { return FileRewrite(segments: first.segments) }
        return FileRewrite(segments: try MatroskaMover(segment: segment.walkedWhole(), changes: changes).segments())
    }
}

/// The titles that Matroska keeps outside of tags: the Segment's, and tracks' names.
///
/// They are entries of the key `TITLE` like titles in tags, and tell where they
/// are from by the extra `element`.
enum MatroskaTitle {
    static let key = "TITLE"

    /// The entry for a title.
    static func entry(_ title: String, element: String) -> MetadataEntry {
        MetadataEntry(
            .matroska, .text(key), .text(title), dataType: MetadataDataType.utf8,
            extras: [.element: .text(element)])
    }

    /// Takes the title out of the entries wanted; those left are for tags.
    ///
    /// Only entries that say that they are the element's are: what is a tag stays one.
    static func take(from entries: inout [MetadataEntry], elements: [String]) -> String? {
        var title: String?
        var isFound = false
        entries = entries.compactMap { entry in
            guard case .text(let element) = entry.extras[.element], elements.contains(element) else { return entry }
            if !isFound {
                title = entry.text
                isFound = true
                return nil
            }
            // There is one title; what else claims to be it becomes a tag.
            var entry = entry
            entry.extras[.element] = nil
            return entry
        }
        return title
    }

    /// The segment information's content with another date, in nanoseconds since the beginning of 2001.
    static func content(of master: [EBMLNode], dated date: Date?) -> [UInt8] {
        var children = master.filter { $0.id != MatroskaID.crc32 && $0.id != MatroskaID.dateUTC }
            .map { Array($0.bytes) }
        let nanoseconds = date.map { ($0.timeIntervalSinceReferenceDate * 1e9).rounded() } ?? 0
        if date != nil, let count = Int64(exactly: nanoseconds) {
            let number = EBMLWriter.number(UInt64(bitPattern: count), width: 8)
            children.append(EBMLWriter.element(MatroskaID.dateUTC, number))
        }
        return EBMLWriter.content(children, withChecksum: master.haveChecksum)
    }

    /// A master's content with another text in one of its elements.
    ///
    /// - Parameter text: The text, `nil` for no such element.
    static func content(of master: [EBMLNode], setting id: UInt32, to text: String?) -> [UInt8] {
        var children = master.filter { $0.id != MatroskaID.crc32 && $0.id != id }.map { Array($0.bytes) }
        if let text { children.append(EBMLWriter.text(id, text)) }
        return EBMLWriter.content(children, withChecksum: master.haveChecksum)
    }
}
