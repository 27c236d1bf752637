internal import MediaContainers
package import MediaIO
package import MediaMetadata

/// Looks through the elements of a Matroska file; those that are not known to be harmless become empty space.
package struct MatroskaScrub {
    private struct Track {
        var number: UInt64 = 0
        var type: UInt64 = 0
        var codecID = ""
        var configuration: [UInt8] = []
        /// Bytes that each block begins with and does not hold.
        var prefix: [UInt8] = []
        /// Whether blocks are compressed or encrypted, so that they cannot be looked through.
        var isWrapped = false
        var entry: EBMLElement
    }

    private let file: RandomAccessFile
    private let reader: EBMLReader
    private var tracks: [UInt64: Track] = [:]
    private var scrubbers: [UInt64: SampleScrubber] = [:]
    private var removed: Set<UInt64> = []
    /// What changes; nothing moves.
    package private(set) var overlay = FileOverlay()
    /// What goes.
    package private(set) var details: [PrivateDetail] = []
    /// A track whose coded pictures cannot be looked through.
    package private(set) var opaque: String?

    /// A larger block is not looked into: no picture has as many bytes.
    private static let maximumBlock = 256 << 20
    /// Elements that are looked at in one walk.
    private static let maximumElements = 1 << 24

    /// Looks through a file.
    package init(_ file: RandomAccessFile, looksThroughSamples: Bool = true) throws(MetadataError) {
        (self.file, reader) = (file, EBMLReader(file: file))
        guard let head = reader.element(at: 0, limit: file.byteCount), head.id == MatroskaID.ebml,
            let segment = reader.element(at: head.content.upperBound, limit: file.byteCount),
            segment.id == MatroskaID.segment
        else { throw MetadataError(.damaged, "there is no Segment") }
        readTracks(in: segment)
        chooseTracks(in: segment)
        forEachElement(in: segment) { scrub, element in scrub.topLevel(element, looksThroughSamples) }
        let end = segment.content.upperBound
        if end < file.byteCount {
            clear(end..<file.byteCount, .space, "after the Segment", "bytes that no element holds")
        }
    }

    // MARK: Walking

    /// Gives the elements of the Segment, and those of Clusters that do not say where they end.
    private mutating func forEachElement(
        in segment: EBMLElement, _ body: (inout MatroskaScrub, EBMLElement) -> Void
    ) {
        var position = segment.content.lowerBound
        var count = 0
        while count < Self.maximumElements,
            let element = reader.element(at: position, limit: segment.content.upperBound)
        {
            body(&self, element)
            position =
                element.isUnknownSize && element.id == MatroskaID.cluster
                ? element.content.lowerBound : element.content.upperBound
            count += 1
        }
        if position < segment.content.upperBound {
            clear(position..<segment.content.upperBound, .space, "Segment", "bytes that no element holds")
        }
    }

    private func children(_ element: EBMLElement) -> [EBMLElement] {
        element.isUnknownSize ? [] : reader.elements(in: element.content, count: Self.maximumElements)
    }

    private func node(_ element: EBMLElement) -> EBMLNode {
        EBMLNode(id: element.id, bytes: [], content: (file.read(element.content, limit: 1 << 24) ?? [])[...])
    }

    private mutating func topLevel(_ element: EBMLElement, _ looksThroughSamples: Bool) {
        switch element.id {
        case MatroskaID.info: information(element)
        case MatroskaID.tracks: for track in children(element) { trackEntry(track) }
        case MatroskaID.cluster:
            for child in children(element) { inCluster(child, looksThroughSamples) }
        case MatroskaID.attachments: for child in children(element) { attachment(child) }
        case MatroskaID.chapters: chapters(element, depth: 0)
        case MatroskaID.void, MatroskaID.crc32: emptied(element)
        case _ where MatroskaRules.segment.contains(element.id): break
        case _ where MatroskaRules.cluster.contains(element.id): inCluster(element, looksThroughSamples)
        default: remove(element, .structure, "Segment", "is not known to be harmless")
        }
    }

    // MARK: Information and tracks

    private mutating func information(_ info: EBMLElement) {
        for child in children(info) {
            switch child.id {
            case MatroskaID.void, MatroskaID.crc32: emptied(child)
            case MatroskaRules.muxingApp, MatroskaRules.writingApp:
                if !node(child).text.hasPrefix("Lavf") { clear(child.content, .name, "Info", "the name of a program") }
            case MatroskaID.dateUTC: remove(child, .date, "Info/DateUTC", "when it was made")
            case MatroskaRules.segmentUID: remove(child, .identifier, "Info/SegmentUUID", "tells it from all others")
            case _ where MatroskaRules.info.contains(child.id): break
            default: remove(child, .identifier, "Info", "names other files, or is not known to be harmless")
            }
        }
    }

    private mutating func trackEntry(_ entry: EBMLElement) {
        guard entry.id == MatroskaID.trackEntry else { return emptied(entry) }
        guard let track = tracks.values.first(where: { $0.entry == entry }) else { return }
        guard !removed.contains(track.number) else { return void(entry) }
        for child in children(entry) {
            switch child.id {
            case MatroskaID.void, MatroskaID.crc32: emptied(child)
            case MatroskaID.trackName: remove(child, .name, "track \(track.number), Name", "a name")
            case MatroskaRules.codecPrivate: configuration(child, of: track)
            case _ where MatroskaRules.trackEntry.contains(child.id): break
            default: remove(child, .structure, "track \(track.number)", "is not known to be harmless")
            }
        }
    }

    private mutating func configuration(_ element: EBMLElement, of track: Track) {
        var patches = CodecHeaderScrubber.patches(codec: track.codecID, track.configuration)
        if let scrubber = scrubbers[track.number] {
            patches += scrubber.patches(inConfiguration: track.configuration)
        }
        for patch in patches {
            overlay.replace(at: element.content.lowerBound + UInt64(patch.offset), with: patch.bytes)
            details.note(PrivateDetail(.message, "track \(track.number), CodecPrivate", patch.reason))
        }
    }

    private mutating func readTracks(in segment: EBMLElement) {
        forEachElement(in: segment) { scrub, element in
            guard element.id == MatroskaID.tracks else { return }
            for entry in scrub.children(element) where entry.id == MatroskaID.trackEntry {
                var track = Track(entry: entry)
                for child in scrub.children(entry) {
                    switch child.id {
                    case MatroskaID.trackNumber: track.number = scrub.node(child).unsigned ?? 0
                    case MatroskaRules.trackType: track.type = scrub.node(child).unsigned ?? 0
                    case MatroskaRules.codecID: track.codecID = scrub.node(child).text
                    case MatroskaRules.codecPrivate: track.configuration = Array(scrub.node(child).content)
                    case MatroskaRules.contentEncodings: scrub.encodings(scrub.node(child), &track)
                    default: break
                    }
                }
                scrub.tracks[track.number] = track
                let codec = MatroskaRules.codec(track.codecID, track.configuration)
                scrub.scrubbers[track.number] = SampleScrubber(codec: codec, configuration: track.configuration)
                if SampleScrubber.cannotLookThrough(codec) { scrub.opaque = "track \(track.number) (\(codec))" }
            }
        }
    }

    private func encodings(_ node: EBMLNode, _ track: inout Track) {
        for encoding in node.children.all(MatroskaRules.contentEncoding) {
            guard let compression = encoding.children.first(MatroskaRules.contentCompression),
                compression.children.first(MatroskaRules.contentCompressionAlgorithm)?.unsigned == 3
            else {
                track.isWrapped = true
                continue
            }
            track.prefix = Array(compression.children.first(MatroskaRules.contentCompressionSettings)?.content ?? [])
        }
    }

    /// Finds the tracks that go.
    private mutating func chooseTracks(in segment: EBMLElement) {
        var texts: Set<UInt64> = []
        for track in tracks.values.sorted(by: { $0.number < $1.number }) {
            let isText = track.type == 17 && !MatroskaRules.arePictures(track.codecID)
            let isReadable = !track.isWrapped || !isText && scrubbers[track.number] == nil
            if !MatroskaRules.keptTrackTypes.contains(track.type) || !isReadable {
                removeTrack(track, "cannot be looked through")
            } else if isText {
                texts.insert(track.number)
            }
        }
        guard !texts.isEmpty else { return }
        var told: Set<UInt64> = []
        for number in texts {
            let bytes = tracks[number]?.configuration ?? []
            if bytes.withUnsafeBytes({ PrivateText.tellsPlaceOrPerson($0) }) { told.insert(number) }
        }
        forEachElement(in: segment) { scrub, element in
            for block in scrub.blocks(element) {
                guard let head = scrub.head(of: block), texts.contains(head.track), !told.contains(head.track),
                    let bytes = scrub.file.read(block.content, limit: 1 << 20)
                else { continue }
                if bytes.dropFirst(head.byteCount).withUnsafeBytes({ PrivateText.tellsPlaceOrPerson($0) }) {
                    told.insert(head.track)
                }
            }
        }
        for number in told.sorted() {
            if let track = tracks[number] {
                removeTrack(track, "its text tells positions or addresses")
            }
        }
    }

    private mutating func removeTrack(_ track: Track, _ reason: String) {
        removed.insert(track.number)
        details.append(PrivateDetail(.track, "track \(track.number) (\(track.codecID))", reason))
    }

    // MARK: Blocks

    /// The blocks in an element of the Segment or of a Cluster.
    private func blocks(_ element: EBMLElement) -> [EBMLElement] {
        switch element.id {
        case MatroskaID.cluster: children(element).flatMap { blocks($0) }
        case MatroskaID.blockGroup: children(element).filter { $0.id == MatroskaRules.block }
        case MatroskaID.simpleBlock: [element]
        default: []
        }
    }

    private struct BlockHead {
        var track: UInt64
        var lacing: UInt8
        var byteCount: Int
    }

    private func head(of block: EBMLElement) -> BlockHead? {
        let bytes = file.read(at: block.content.lowerBound, count: 12)
        guard let first = bytes.first, first != 0 else { return nil }
        let length = first.leadingZeroBitCount + 1
        guard bytes.count >= length + 3 else { return nil }
        let number = bytes.prefix(length).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } & (1 << (7 * UInt64(length)) - 1)
        return BlockHead(track: number, lacing: bytes[length + 2] >> 1 & 3, byteCount: length + 3)
    }

    private mutating func inCluster(_ element: EBMLElement, _ looksThroughSamples: Bool) {
        switch element.id {
        case MatroskaID.void, MatroskaID.crc32: return emptied(element)
        case MatroskaID.simpleBlock, MatroskaID.blockGroup: break
        case _ where MatroskaRules.cluster.contains(element.id): return
        default: return remove(element, .structure, "Cluster", "is not known to be harmless")
        }
        guard let block = blocks(element).first, let head = head(of: block) else { return }
        guard !removed.contains(head.track) else { return void(element) }
        if element.id == MatroskaID.blockGroup {
            for child in children(element) where !MatroskaRules.blockGroup.contains(child.id) {
                remove(child, .structure, "BlockGroup", "is not known to be harmless")
            }
            for child in children(element) where [MatroskaID.void, MatroskaID.crc32].contains(child.id) {
                emptied(child)
            }
        }
        guard let scrubber = scrubbers[head.track] else { return }
        // Several pictures in one block are legal, and nobody writes them.
        if head.lacing != 0 { opaque = "track \(head.track)" }
        guard looksThroughSamples, head.lacing == 0 else { return }
        scrub(block, head, scrubber)
    }

    private mutating func scrub(_ block: EBMLElement, _ head: BlockHead, _ scrubber: SampleScrubber) {
        guard let bytes = file.read(block.content, limit: Self.maximumBlock) else { return }
        let prefix = tracks[head.track]?.prefix ?? []
        let sample = prefix + bytes.dropFirst(head.byteCount)
        for patch in sample.withUnsafeBytes({ scrubber.patches(in: $0) }) where patch.offset >= prefix.count {
            let offset = head.byteCount + patch.offset - prefix.count
            overlay.replace(at: block.content.lowerBound + UInt64(offset), with: patch.bytes)
            details.note(PrivateDetail(.message, "track \(head.track), samples", patch.reason))
        }
    }

    // MARK: Attachments and chapters

    private mutating func attachment(_ element: EBMLElement) {
        guard element.id == MatroskaID.attachedFile else { return emptied(element) }
        guard let attached = MatroskaAttachedFile(element, in: file) else { return }
        let head = file.read(at: attached.data.lowerBound, count: 12)
        guard attached.isCover || MatroskaRules.isFont(head) else {
            return remove(element, .attachment, "attachment \(attached.name)", "is neither a font nor a cover")
        }
        if attached.isCover, let bytes = file.read(attached.data, limit: 64 << 20) {
            guard PictureFile.shareable(bytes) == bytes else {
                return remove(
                    element, .artwork, "attachment \(attached.name)", "a picture with more than the picture in it")
            }
        }
        for child in children(element) {
            if child.id == MatroskaID.fileDescription {
                remove(child, .name, "attachment \(attached.name)", "a description")
            } else if [MatroskaID.void, MatroskaID.crc32].contains(child.id) {
                emptied(child)
            }
        }
    }

    private mutating func chapters(_ element: EBMLElement, depth: Int) {
        guard depth < 20 else { return }
        for child in children(element) {
            switch child.id {
            case MatroskaID.void, MatroskaID.crc32: emptied(child)
            case MatroskaID.editionEntry, MatroskaID.chapterAtom, MatroskaID.chapterDisplay, 0x8F:
                chapters(child, depth: depth + 1)
            case MatroskaID.chapterString:
                if PrivateText.tellsPlaceOrPerson(node(child).text) {
                    clear(child.content, .name, "a chapter's title", "tells a position or an address")
                }
            case _ where MatroskaRules.chapters.contains(child.id): break
            default: remove(child, .structure, "Chapters", "is not known to be harmless")
            }
        }
    }

    // MARK: Changing

    private mutating func remove(
        _ element: EBMLElement, _ kind: PrivateDetail.Kind, _ place: String, _ reason: String
    ) {
        void(element)
        details.note(PrivateDetail(kind, place, reason))
    }

    /// Puts empty space of the same length in an element's place.
    private mutating func void(_ element: EBMLElement) {
        let count = element.range.length
        guard count >= 2 else { return }
        var header: [UInt8] = [UInt8(MatroskaID.void)]
        if count <= 128 {
            header.append(0x80 | UInt8(count - 2))
        } else {
            let size = count - 9
            header.append(0x01)
            for shift in stride(from: UInt64(48), through: 0, by: -8) { header.append(UInt8(size >> shift & 255)) }
        }
        overlay.replace(at: element.start, with: header)
        overlay.clear((element.start + UInt64(header.count))..<element.content.upperBound)
    }

    /// Empty space is emptied, and a checksum becomes empty space: what it is of may have changed.
    private mutating func emptied(_ element: EBMLElement) {
        if element.id == MatroskaID.crc32 { return void(element) }
        if element.id == MatroskaID.void { clear(element.content, .space, "Void", "empty space that is not empty") }
    }

    private mutating func clear(
        _ range: Range<UInt64>, _ kind: PrivateDetail.Kind, _ place: String, _ reason: String
    ) {
        guard !range.isEmpty, !file.isZero(in: range) else { return }
        overlay.clear(range)
        details.note(PrivateDetail(kind, place, reason))
    }
}

/// The elements of Matroska that stay, by what holds them.
///
/// Source: RFC 9559, 5.1.
enum MatroskaRules {
    static let segmentUID: UInt32 = 0x73A4
    static let muxingApp: UInt32 = 0x4D80
    static let writingApp: UInt32 = 0x5741
    static let block: UInt32 = 0xA1
    static let codecID: UInt32 = 0x86
    static let codecPrivate: UInt32 = 0x63A2
    static let trackType: UInt32 = 0x83
    static let contentEncodings: UInt32 = 0x6D80
    static let contentEncoding: UInt32 = 0x6240
    static let contentCompression: UInt32 = 0x5034
    static let contentCompressionAlgorithm: UInt32 = 0x4254
    static let contentCompressionSettings: UInt32 = 0x4255

    /// What the Segment holds.
    static let segment: Set<UInt32> = [
        MatroskaID.seekHead, MatroskaID.info, MatroskaID.tracks, MatroskaID.cluster, MatroskaID.cues,
        MatroskaID.attachments, MatroskaID.chapters, MatroskaID.tags, MatroskaID.void, MatroskaID.crc32,
    ]

    /// The scale of times, the duration, the title, the programs.
    static let info: Set<UInt32> = [
        0x2AD7B1, 0x4489, MatroskaID.title, muxingApp, writingApp, MatroskaID.void, MatroskaID.crc32,
    ]

    /// All that a track says of its coding and of how it is shown; not its name, nor addresses of programs.
    static let trackEntry: Set<UInt32> = [
        MatroskaID.trackNumber, MatroskaID.trackUID, trackType, 0xB9, 0x88, 0x55AA, 0x55AB, 0x55AC, 0x55AD, 0x55AE,
        0x55AF, 0x9C, 0x6DE7, 0x6DF8, 0x23E383, 0x234E7A, 0x23314F, 0x537F, 0x55EE, 0x41E4, 0x22B59C, 0x22B59D, codecID,
        codecPrivate, 0x7446, 0xAA, 0x6FAB, 0x56AA, 0x56BB, 0xE0, 0xE1, 0xE2, contentEncodings, MatroskaID.void,
        MatroskaID.crc32,
    ]

    /// What a Cluster holds, and what a group of blocks does.
    static let cluster: Set<UInt32> = [
        0xE7, 0x5854, MatroskaID.clusterPosition, 0xAB, MatroskaID.simpleBlock, MatroskaID.blockGroup, MatroskaID.void,
        MatroskaID.crc32,
    ]

    static let blockGroup: Set<UInt32> = [
        block, 0x75A1, 0x9B, 0xFA, 0xFB, 0xA4, 0x75A2, 0x8E, 0xC8, MatroskaID.void, MatroskaID.crc32,
    ]

    /// What chapters and editions hold: no Segments, no programs' private data.
    static let chapters: Set<UInt32> = [
        MatroskaID.editionEntry, MatroskaID.editionUID, MatroskaID.editionFlagHidden, MatroskaID.editionFlagDefault,
        MatroskaID.editionFlagOrdered, 0x4520, 0x4521, 0x45E4, MatroskaID.chapterAtom, MatroskaID.chapterUID,
        MatroskaID.chapterTimeStart, MatroskaID.chapterTimeEnd, MatroskaID.chapterFlagHidden,
        MatroskaID.chapterFlagEnabled, 0x4588, 0x63C3, 0x8F, 0x89, MatroskaID.chapterDisplay, MatroskaID.chapterString,
        MatroskaID.chapterLanguage, MatroskaID.chapterLanguageBCP47, 0x437E, MatroskaID.void, MatroskaID.crc32,
    ]

    /// Kinds of tracks that stay: pictures, sound, subtitles.
    static let keptTrackTypes: Set<UInt64> = [1, 2, 17]

    /// Subtitles that are pictures.
    static func arePictures(_ codec: String) -> Bool {
        ["S_VOBSUB", "S_HDMV/PGS", "S_DVBSUB", "S_IMAGE/BMP"].contains(codec)
    }

    /// FFmpeg's name of a coding that is looked through.
    static func codec(_ id: String, _ configuration: [UInt8]) -> String {
        switch id {
        case "V_MPEG4/ISO/AVC": return "h264"
        case "V_MPEGH/ISO/HEVC": return "hevc"
        case "V_AV1": return "av1"
        case "V_MPEG1", "V_MPEG2": return "mpeg2video"
        case "V_MJPEG": return "mjpeg"
        case "V_VVC", "V_MPEGI/ISO/VVC": return "vvc"
        case "V_CAVS", "V_AVS2", "V_AVS3": return "avs2"
        case "V_MS/VFW/FOURCC":
            return configuration.count >= 20 ? String(latin1: configuration[16..<20]).uppercased() : ""
        case _ where id.hasPrefix("V_MPEG4/"): return "mpeg4"
        default: return ""
        }
    }

    /// Whether an attached file is a font, by its first bytes.
    static func isFont(_ bytes: [UInt8]) -> Bool {
        let heads: [[UInt8]] = [
            [0, 1, 0, 0], Array("OTTO".utf8), Array("true".utf8), Array("ttcf".utf8), Array("wOFF".utf8),
            Array("wOF2".utf8),
        ]
        return heads.contains { bytes.starts(with: $0) }
    }
}
