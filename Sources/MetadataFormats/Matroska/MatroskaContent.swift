internal import Foundation
internal import MediaContainers
package import MediaIO
package import MediaMetadata

/// All of a Matroska file that is metadata, with the bytes that it was read from.
struct MatroskaContent {
    let segment: MatroskaSegment
    private(set) var info: [EBMLNode]?
    private(set) var tracksElement: [EBMLNode] = []
    private(set) var tracks: [MatroskaTrack] = []
    private(set) var tags: [MatroskaTag] = []
    private(set) var editions: [MatroskaEdition] = []
    private(set) var attachedFiles: [MatroskaAttachedFile] = []
    /// Elements among the attached files that are none.
    private(set) var otherAttachments: [EBMLElement] = []
    /// Elements among tags and editions that are neither, by what holds them.
    private(set) var others: [UInt32: [ArraySlice<UInt8>]] = [:]
    /// The elements of the top level that have a checksum.
    private(set) var withChecksum: Set<UInt32> = []
    /// The elements of the top level of which a part cannot be read.
    private(set) var damaged: Set<UInt32> = []
    /// The elements of the top level that are larger than is read.
    private(set) var tooLarge: Set<UInt32> = []
    private(set) var problems: [String]
    /// How many more bytes are read into memory.
    private var bytesLeft: Int
    private var allowance = EBMLAllowance(nodes: MatroskaLimit.nodes)

    init(_ segment: MatroskaSegment) {
        self.segment = segment
        bytesLeft = Int(segment.file.limits.metadataSize)
        allowance.depth = Int(segment.file.limits.nesting)
        problems = segment.problems
        readInfo()
        readTracks()
        readTags()
        readChapters()
        readAttachments()
    }

    var title: String? { info?.first(MatroskaID.title)?.text }

    /// When the file was made, in nanoseconds since the beginning of 2001.
    var creationDate: Date? {
        guard let nanoseconds = info?.first(MatroskaID.dateUTC)?.signed else { return nil }
        return Date(timeIntervalSinceReferenceDate: Double(nanoseconds) / 1e9)
    }

    /// The file's entries: its title, tags, cover art.
    var entries: [MetadataEntry] {
        let title = title.map { [MatroskaTitle.entry($0, element: MatroskaElementName.title)] } ?? []
        return title + tags.filter { $0.trackNumber == nil }.flatMap(\.entries) + attachedFiles.compactMap(\.cover)
    }

    /// A track's entries: its name, tags.
    func entries(of track: MatroskaTrack) -> [MetadataEntry] {
        let name = track.name.map { [MatroskaTitle.entry($0, element: MatroskaElementName.trackName)] } ?? []
        return name + tags.filter { $0.trackNumber == track.number }.flatMap(\.entries)
    }

    /// What callers see of it.
    var metadata: FileMetadata {
        var metadata = FileMetadata(
            container: .matroska, entries: entries,
            tracks: tracks.map { FileMetadata.Track(trackID: $0.number, entries: entries(of: $0)) }
                .filter { !$0.entries.isEmpty },
            chapterLists: editions.map(\.list), attachments: attachedFiles.map(\.attachment),
            creationDate: creationDate, problems: problems)
        metadata.labels = tracks.map(\.label)
        return metadata
    }

    // MARK: Reading

    /// What an element of the top level holds, `nil` if it is too large.
    private mutating func nodes(of element: EBMLElement, _ name: String) -> [EBMLNode]? {
        guard let bytes = segment.file.read(element.content, limit: bytesLeft) else {
            tooLarge.insert(element.id)
            problems.append("the \(name) are larger than is read \(MediaLimits.Name.metadataSize.note)")
            return nil
        }
        bytesLeft -= bytes.count
        let node = EBMLNode(id: element.id, bytes: [], content: bytes[...])
        let nodes = node.children(&allowance)
        if nodes.haveChecksum { withChecksum.insert(element.id) }
        return nodes
    }

    /// Tells if a part of an element was not read.
    private mutating func checkRead(_ id: UInt32, _ name: String) {
        if !allowance.isKept { tellDamage(of: id, name) }
        if allowance.isTooDeep { problems.append("the \(name) are nested too deep \(MediaLimits.Name.nesting.note)") }
        (allowance.isKept, allowance.isTooDeep) = (true, false)
    }

    private mutating func tellDamage(of id: UInt32, _ name: String) {
        if damaged.insert(id).inserted { problems.append("a part of the \(name) cannot be read") }
    }

    private mutating func readInfo() {
        guard let element = segment.first(MatroskaID.info) else { return }
        info = nodes(of: element, "segment information")
        checkRead(element.id, "segment information")
    }

    private mutating func readTracks() {
        guard let element = segment.first(MatroskaID.tracks), let nodes = nodes(of: element, "tracks") else { return }
        tracksElement = nodes
        for node in nodes.all(MatroskaID.trackEntry) {
            guard let track = MatroskaTrack(node, number: Int64(tracks.count) + 1, &allowance) else { continue }
            tracks.append(track)
        }
        checkRead(element.id, "tracks")
    }

    private mutating func readTags() {
        let numbers = Dictionary(tracks.map { ($0.uid, $0.number) }) { first, _ in first }
        for element in segment.all(MatroskaID.tags) {
            guard let nodes = nodes(of: element, "tags") else { continue }
            for node in nodes.all(MatroskaID.tag) where allowance.isLeft {
                tags.append(MatroskaTag(node, tracks: numbers, &allowance))
            }
            others[MatroskaID.tags, default: []] += nodes.meaningful.filter { $0.id != MatroskaID.tag }.map(\.bytes)
        }
        if !tags.isEmpty, !allowance.isLeft { allowance.isKept = false }
        checkRead(MatroskaID.tags, "tags")
    }

    private mutating func readChapters() {
        for element in segment.all(MatroskaID.chapters) {
            guard let nodes = nodes(of: element, "chapters") else { continue }
            for node in nodes.all(MatroskaID.editionEntry) where allowance.isLeft {
                editions.append(MatroskaEdition(node, &allowance))
            }
            others[MatroskaID.chapters, default: []] += nodes.meaningful.filter { $0.id != MatroskaID.editionEntry }
                .map(\.bytes)
        }
        if !editions.isEmpty, !allowance.isLeft { allowance.isKept = false }
        checkRead(MatroskaID.chapters, "chapters")
    }

    private mutating func readAttachments() {
        let reader = EBMLReader(file: segment.file)
        var coverBytes = Int(segment.file.limits.metadataSize)
        for element in segment.all(MatroskaID.attachments) {
            let children = reader.elements(in: element.content, count: MatroskaLimit.elements)
            if (children.last?.range.upperBound ?? element.content.lowerBound) != element.content.upperBound {
                tellDamage(of: element.id, "attachments")
            }
            for child in children where child.id != MatroskaID.void && child.id != MatroskaID.crc32 {
                guard child.id == MatroskaID.attachedFile,
                    var file = MatroskaAttachedFile(child, in: segment.file)
                else {
                    otherAttachments.append(child)
                    continue
                }
                if file.isCover { readCover(&file, left: &coverBytes) }
                attachedFiles.append(file)
            }
        }
    }

    private mutating func readCover(_ file: inout MatroskaAttachedFile, left: inout Int) {
        guard let bytes = segment.file.read(file.data, limit: left) else {
            problems.append("the picture \(file.name) is larger than is read \(MediaLimits.Name.metadataSize.note)")
            return
        }
        left -= bytes.count
        file.cover = file.coverEntry(bytes)
    }
}

extension FileMetadata.Container {
    /// Matroska and WebM.
    package static let matroska = FileMetadata.Container(
        "matroska", shortName: "mkv",
        typeIdentifiers: ["org.matroska.mkv", "org.matroska.mka", "org.webmproject.webm"], keySpaces: [.matroska],
        chapterForms: [.matroska], headers: [.trackLabels, .creationDate],
        roles: .all.subtracting(.dub), structure: .elements)
}

/// Metadata of Matroska and WebM files.
///
/// Each simple tag is an entry whose key is its name; one within another has
/// both names as its key, a slash between. What a tag is about, beyond the whole
/// file, is told by extras; tags about one track are that track's entries. The
/// Segment's title and the tracks' names are entries of the key `TITLE`, attached
/// cover art entries of the key `COVER`; the extra `element` tells them from tags.
///
/// Source: RFC 9559.
package struct MatroskaFormat: MetadataFormat {
    package static let containers = [FileMetadata.Container.matroska]
    private let content: MatroskaContent
    package let metadata: FileMetadata

    package static func recognizes(_ head: [UInt8], _ file: RandomAccessFile) -> Bool {
        head.bigEndian32(at: 0) == MatroskaID.ebml && MatroskaSegment.docType(of: file) != nil
    }

    package init(reading file: RandomAccessFile) throws(MetadataError) {
        content = MatroskaContent(try MatroskaSegment(file))
        metadata = content.metadata
    }

    package func rewritten(with metadata: FileMetadata) throws(MetadataError) -> MetadataRewrite {
        var editor = MatroskaEditor(content)
        let changes = try editor.changes(for: metadata)
        let rewrite = try MatroskaPlan.rewrite(editor.content.segment, changes: changes)
        return MetadataRewrite(rewrite: rewrite, losses: editor.losses)
    }

    package static func entries(for label: TrackLabel, in container: FileMetadata.Container) -> [MetadataEntry] {
        label.name.map { [MatroskaTitle.entry($0, element: MatroskaElementName.trackName)] } ?? []
    }
}
