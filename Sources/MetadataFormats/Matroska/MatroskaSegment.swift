internal import MediaContainers
internal import MediaIO
internal import MediaMetadata

/// Where the parts of a Matroska file lie.
///
/// What lies before the first Cluster is walked; what lies behind the Clusters
/// is found by the index at the beginning, or, where there is none, by stepping
/// over the Clusters. The Clusters' content is never read.
struct MatroskaSegment {
    let file: RandomAccessFile
    /// The name that the file gives its format: `matroska`, `webm`.
    let docType: String
    /// Where the Segment's size is written.
    let sizeField: Range<UInt64>
    /// The Segment's bytes as far as the file has them.
    let content: Range<UInt64>
    let isUnknownSize: Bool
    /// The content's size as the file states it.
    let statedSize: UInt64
    /// The elements of the top level that are known, without Clusters, in file order.
    private(set) var elements: [EBMLElement] = []
    /// Where the first Cluster begins; the end of the Segment if there is none.
    private(set) var firstCluster: UInt64
    /// Whether everything before the first Cluster could be read.
    private(set) var isFrontWhole = true
    private(set) var seekHeads: [MatroskaSeekHead] = []
    private(set) var problems: [String] = []
    /// Where the known elements begin.
    private var starts: Set<UInt64> = []

    /// Whether the Segment says that it is longer than the file.
    var isCut: Bool { !isUnknownSize && statedSize > content.upperBound - content.lowerBound }
    var hasClusters: Bool { firstCluster < content.upperBound }
    /// Whether elements can be added at the end.
    var canGrow: Bool { !isUnknownSize && !isCut }

    /// The name of the format that a file's header states, `nil` if there is no such header.
    static func docType(of file: RandomAccessFile) -> (name: String, end: UInt64)? {
        let reader = EBMLReader(file: file)
        guard let head = reader.element(at: 0, limit: file.byteCount), head.id == MatroskaID.ebml,
            !head.isUnknownSize, let bytes = file.read(head.content, limit: 1 << 16)
        else { return nil }
        let fields = EBMLNode.nodes(in: bytes[...]).nodes
        let isReadable =
            (fields.first(MatroskaID.ebmlReadVersion)?.unsigned ?? 1) <= 1
            && (fields.first(MatroskaID.ebmlMaxIDLength)?.unsigned ?? 4) <= 4
            && (fields.first(MatroskaID.ebmlMaxSizeLength)?.unsigned ?? 8) <= 8
        guard isReadable, let name = fields.first(MatroskaID.docType)?.text, name == "matroska" || name == "webm" else {
            return nil
        }
        return (name, head.content.upperBound)
    }

    init(_ file: RandomAccessFile) throws(MetadataError) {
        guard let (docType, headEnd) = Self.docType(of: file) else {
            throw MetadataError(.unsupported, "the file has no header of Matroska or WebM")
        }
        (self.file, self.docType) = (file, docType)
        var position = headEnd
        for _ in 0..<16 {
            let bytes = file.read(at: position, count: EBMLHeader.maximumByteCount)
            guard let header = EBMLHeader(bytes) else { break }
            let start = position + UInt64(header.byteCount)
            let available = file.byteCount - min(start, file.byteCount)
            if header.id == MatroskaID.segment {
                sizeField = (position + 4)..<start
                isUnknownSize = header.contentSize == nil
                statedSize = header.contentSize ?? available
                content = start..<(start + min(statedSize, available))
                firstCluster = content.upperBound
                find()
                return
            }
            guard let size = header.contentSize, size <= available else { break }
            position = start + size
        }
        throw MetadataError(.damaged, "the file has no Segment")
    }

    /// The first element of an ID, in file order.
    func first(_ id: UInt32) -> EBMLElement? { elements.first { $0.id == id } }
    /// All elements of an ID, in file order.
    func all(_ id: UInt32) -> [EBMLElement] { elements.filter { $0.id == id } }

    // MARK: Finding

    private mutating func find() {
        if isCut { problems.append("the file is cut off: its Segment should go on") }
        walkFront()
        followSeekHeads()
        // A muxer may add elements behind the last one that it indexed.
        for element in elements where element.start >= firstCluster { walk(from: element.content.upperBound) }
        if seekHeads.isEmpty, hasClusters { stepOverClusters(limit: MatroskaLimit.clusters) }
        sort()
    }

    /// The Segment with all its elements, those too that no index names.
    func walkedWhole() -> MatroskaSegment {
        var segment = self
        segment.stepOverClusters(limit: MatroskaLimit.blocks)
        segment.sort()
        return segment
    }

    /// Puts elements in file order, without those that others overlap.
    private mutating func sort() {
        elements.sort { $0.start < $1.start }
        var end = content.lowerBound
        elements = elements.filter { element in
            guard element.start >= end else { return false }
            end = element.content.upperBound
            return true
        }
    }

    /// Adds an element unless it is known.
    private mutating func add(_ element: EBMLElement) -> Bool {
        guard elements.count < 4 * MatroskaLimit.elements, starts.insert(element.start).inserted else { return false }
        elements.append(element)
        if element.id == MatroskaID.seekHead, seekHeads.count < 8,
            let seekHead = MatroskaSeekHead(element, in: file, segment: content)
        {
            seekHeads.append(seekHead)
        }
        return true
    }

    private mutating func walkFront() {
        let reader = EBMLReader(file: file)
        var position = content.lowerBound
        while position < content.upperBound {
            guard elements.count < MatroskaLimit.elements,
                let element = front(at: position, reader)
            else {
                isFrontWhole = false
                problems.append("the Segment cannot be read from byte \(position) on")
                return
            }
            if element.id == MatroskaID.cluster {
                firstCluster = position
                return
            }
            _ = add(element)
            position = element.content.upperBound
        }
    }

    /// The element at a position of the front; a Cluster even if the file ends within it.
    private func front(at position: UInt64, _ reader: EBMLReader) -> EBMLElement? {
        if let element = reader.element(at: position, limit: content.upperBound) {
            return element.isUnknownSize && element.id != MatroskaID.cluster ? nil : element
        }
        let bytes = file.read(at: position, count: EBMLHeader.maximumByteCount)
        guard let header = EBMLHeader(bytes), header.id == MatroskaID.cluster else { return nil }
        return EBMLElement(
            id: header.id, start: position, content: content.upperBound..<content.upperBound, isUnknownSize: true)
    }

    private mutating func followSeekHeads() {
        let reader = EBMLReader(file: file)
        let wanted: Set<UInt32> = [
            MatroskaID.seekHead, MatroskaID.info, MatroskaID.tracks, MatroskaID.cues, MatroskaID.tags,
            MatroskaID.chapters, MatroskaID.attachments,
        ]
        var index = 0
        var left = MatroskaLimit.elements
        while index < seekHeads.count {
            for entry in seekHeads[index].entries where wanted.contains(entry.id) && left > 0 {
                left -= 1
                let element = entry.target.flatMap { target in
                    target < content.lowerBound ? nil : reader.element(at: target, limit: content.upperBound)
                }
                // What was removed may have left a Void where it is still looked for.
                if element?.id == MatroskaID.void { continue }
                guard let element, element.id == entry.id, !element.isUnknownSize else {
                    problems.append("the index names an element \(hexadecimal(entry.id)) where there is none")
                    continue
                }
                _ = add(element)
            }
            index += 1
        }
    }

    /// Adds elements from a position on, up to a Cluster or what is known already.
    private mutating func walk(from start: UInt64) {
        let reader = EBMLReader(file: file)
        var position = start
        for _ in 0..<MatroskaLimit.elements {
            guard let element = reader.element(at: position, limit: content.upperBound), !element.isUnknownSize,
                element.id != MatroskaID.cluster, isTopLevel(element.id), add(element)
            else { return }
            position = element.content.upperBound
        }
    }

    private mutating func stepOverClusters(limit: Int) {
        let reader = EBMLReader(file: file)
        var position = firstCluster
        // A Cluster of unknown size ends where an element of the top level begins.
        var isWithinCluster = false
        for _ in 0..<limit {
            guard let element = reader.element(at: position, limit: content.upperBound) else { return }
            if element.id == MatroskaID.cluster {
                isWithinCluster = element.isUnknownSize
            } else if isTopLevel(element.id), !element.isUnknownSize {
                isWithinCluster = isWithinCluster && element.id < 0x1000_0000
                if !isWithinCluster { _ = add(element) }
            } else if !isWithinCluster || element.isUnknownSize {
                return
            }
            position =
                isWithinCluster && element.isUnknownSize ? element.content.lowerBound : element.content.upperBound
        }
    }

    /// Whether an ID is that of an element of the top level: others behind the Clusters are not trusted.
    private func isTopLevel(_ id: UInt32) -> Bool {
        id >= 0x1000_0000 || id == MatroskaID.void || id == MatroskaID.crc32
    }

    private func hexadecimal(_ id: UInt32) -> String { String(id, radix: 16, uppercase: true) }
}

/// An index of elements of the top level.
struct MatroskaSeekHead {
    struct Entry {
        let id: UInt32
        /// Where the element lies in the file; `nil` if that is no place in a file.
        let target: UInt64?
        /// Bytes that the position takes.
        let width: Int
        /// The entry as it is stored.
        let bytes: [UInt8]
    }

    let element: EBMLElement
    let entries: [Entry]
    let hasChecksum: Bool

    /// The index with other entries.
    init(_ seekHead: MatroskaSeekHead, entries: [Entry]) {
        (element, hasChecksum) = (seekHead.element, seekHead.hasChecksum)
        self.entries = entries
    }

    init?(_ element: EBMLElement, in file: RandomAccessFile, segment: Range<UInt64>) {
        guard let bytes = file.read(element.content, limit: 1 << 20) else { return nil }
        self.element = element
        let nodes = EBMLNode.nodes(in: bytes[...]).nodes
        hasChecksum = nodes.haveChecksum
        entries = nodes.all(MatroskaID.seek).compactMap { node in
            let fields = node.children
            guard let id = fields.first(MatroskaID.seekID)?.unsigned,
                let position = fields.first(MatroskaID.seekPosition),
                let offset = position.unsigned, let id = UInt32(exactly: id)
            else { return nil }
            let (target, isTooFar) = segment.lowerBound.addingReportingOverflow(offset)
            return Entry(
                id: id, target: isTooFar ? nil : target, width: position.content.count, bytes: Array(node.bytes))
        }
    }
}
