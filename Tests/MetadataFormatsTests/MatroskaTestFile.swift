import MediaIO
import MediaMetadata
import MetadataFormats

/// Bytes of EBML elements, encoded without the code under test.
enum Element {
    static func header(_ id: UInt32, size: UInt64, width: Int = 0) -> [UInt8] {
        let idBytes = (0..<4).map { UInt8(truncatingIfNeeded: id >> (24 - 8 * UInt32($0))) }
        let needed = (1...8).first { size < (UInt64(1) << (7 * UInt64($0))) - 1 } ?? 8
        let width = max(width, needed)
        let marked = size | UInt64(1) << (7 * UInt64(width))
        return Array(idBytes.drop { $0 == 0 })
            + (0..<width).map { UInt8(truncatingIfNeeded: marked >> (8 * UInt64(width - 1 - $0))) }
    }

    static func make(_ id: UInt32, _ content: [UInt8], width: Int = 0) -> [UInt8] {
        header(id, size: UInt64(content.count), width: width) + content
    }

    static func master(_ id: UInt32, _ children: [UInt8]...) -> [UInt8] { make(id, Array(children.joined())) }
    static func number(_ id: UInt32, _ value: UInt64, width: Int = 1) -> [UInt8] {
        make(id, (0..<width).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64(width - 1 - $0))) })
    }
    static func text(_ id: UInt32, _ text: String) -> [UInt8] { make(id, Array(text.utf8)) }

    static func void(_ byteCount: Int) -> [UInt8] {
        byteCount < 128
            ? make(0xEC, [UInt8](repeating: 0, count: byteCount - 2))
            : make(0xEC, [UInt8](repeating: 0, count: byteCount - 9), width: 8)
    }

    static func simpleTag(_ name: String, _ value: String, _ more: [UInt8]...) -> [UInt8] {
        master(0x67C8, text(0x45A3, name), text(0x4487, value), Array(more.joined()))
    }
    /// A `Tag` about what some elements within its `Targets` say.
    static func tag(targets: [UInt8] = [], _ simpleTags: [UInt8]...) -> [UInt8] {
        master(0x7373, make(0x63C0, targets), Array(simpleTags.joined()))
    }
    static func tags(_ tags: [UInt8]...) -> [UInt8] { make(0x1254_C367, Array(tags.joined())) }
    static func info(title: String?) -> [UInt8] {
        master(
            0x1549_A966, number(0x2AD7B1, 1_000_000, width: 3), text(0x4D80, "app"),
            title.map { text(0x7BA9, $0) } ?? [])
    }
    static func tracks(name: String? = nil) -> [UInt8] {
        let video = master(
            0xAE, number(0xD7, 1), number(0x73C5, 77), number(0x83, 1), name.map { text(0x536E, $0) } ?? [],
            text(0x86, "V_TEST"))
        let audio = master(0xAE, number(0xD7, 2), number(0x73C5, 78), number(0x83, 2), text(0x86, "A_TEST"))
        return master(0x1654_AE6B, video, audio)
    }
    static func attachedFile(_ name: String, _ type: String, uid: UInt64, _ data: [UInt8]) -> [UInt8] {
        master(0x61A7, text(0x466E, name), text(0x4660, type), number(0x46AE, uid, width: 8), make(0x465C, data))
    }
}

/// A Matroska file built part by part; positions within it are filled in.
struct MatroskaTestFile {
    enum Part {
        case seekHead([UInt32])
        case cues
        /// A Cluster with some bytes in a block; it may tell its own position.
        case cluster([UInt8], tellsPosition: Bool = false, hasChecksum: Bool = false, isUnknownSize: Bool = false)
        case bytes([UInt8])
    }

    var docType = "matroska"
    var sizeWidth = 8
    var isUnknownSize = false
    var parts: [Part]

    var bytes: [UInt8] {
        var positions = [Int](repeating: 0, count: parts.count)
        // Lengths do not depend on positions: the second time all is right.
        for _ in 0..<2 {
            var position = 0
            for index in parts.indices {
                positions[index] = position
                position += content(of: index, positions).count
            }
        }
        let content = Array(parts.indices.map { self.content(of: $0, positions) }.joined())
        let head = Element.master(0x1A45_DFA3, Element.text(0x4282, docType))
        let size = isUnknownSize ? [0x01] + [UInt8](repeating: 0xFF, count: 7) : []
        let header =
            isUnknownSize
            ? [0x18, 0x53, 0x80, 0x67] + size
            : Element.header(0x1853_8067, size: UInt64(content.count), width: sizeWidth)
        return head + header + content
    }

    private func content(of index: Int, _ positions: [Int]) -> [UInt8] {
        switch parts[index] {
        case .bytes(let bytes): return bytes
        case .seekHead(let ids):
            let entries = ids.map { id in
                let target = parts.indices.last { self.id(of: $0) == id }.map { positions[$0] } ?? 0
                return Element.master(
                    0x4DBB, Element.make(0x53AB, [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: id >> $0) }),
                    Element.number(0x53AC, UInt64(target), width: 3))
            }
            return Element.make(0x114D_9B74, Array(entries.joined()))
        case .cues:
            let points = parts.indices.filter { id(of: $0) == 0x1F43_B675 }.enumerated().map { number, part in
                Element.master(
                    0xBB, Element.number(0xB3, UInt64(number * 1000), width: 2),
                    Element.master(
                        0xB7, Element.number(0xF7, 1), Element.number(0xF1, UInt64(positions[part]), width: 2),
                        Element.number(0xF0, 5)))
            }
            return Element.make(0x1C53_BB6B, Array(points.joined()))
        case .cluster(let data, let tellsPosition, let hasChecksum, let isUnknownSize):
            let children =
                (hasChecksum ? Element.make(0xBF, [1, 2, 3, 4]) : []) + Element.number(0xE7, 0)
                + (tellsPosition ? Element.number(0xA7, UInt64(positions[index]), width: 2) : [])
                + Element.make(0xA3, [0x81, 0, 0, 0x80] + data)
            return isUnknownSize ? [0x1F, 0x43, 0xB6, 0x75, 0xFF] + children : Element.make(0x1F43_B675, children)
        }
    }

    private func id(of index: Int) -> UInt32? {
        switch parts[index] {
        case .cues: 0x1C53_BB6B
        case .cluster: 0x1F43_B675
        case .seekHead: 0x114D_9B74
        case .bytes(let bytes): TestElement(bytes, at: 0)?.id
        }
    }
}

/// An element, read without the code under test.
struct TestElement {
    let id: UInt32
    let start: Int
    let content: Range<Int>

    init?(_ bytes: [UInt8], at start: Int) {
        guard start < bytes.count, bytes[start] > 0 else { return nil }
        let idLength = bytes[start].leadingZeroBitCount + 1
        let sizeStart = start + idLength
        guard sizeStart < bytes.count, bytes[sizeStart] > 0 else { return nil }
        let sizeLength = bytes[sizeStart].leadingZeroBitCount + 1
        let contentStart = sizeStart + sizeLength
        guard contentStart <= bytes.count else { return nil }
        let number = bytes[sizeStart..<contentStart].reduce(0) { $0 << 8 | UInt64($1) }
        let mask = UInt64(1) << (7 * UInt64(sizeLength)) - 1
        let size = number & mask == mask ? UInt64(bytes.count - contentStart) : number & mask
        guard size <= UInt64(bytes.count - contentStart) else { return nil }
        (id, self.start) = (bytes[start..<sizeStart].reduce(0) { $0 << 8 | UInt32($1) }, start)
        content = contentStart..<(contentStart + Int(size))
    }

    static func all(_ bytes: [UInt8], in range: Range<Int>) -> [TestElement] {
        var result: [TestElement] = []
        var position = range.lowerBound
        while position < range.upperBound, let element = TestElement(bytes, at: position) {
            result.append(element)
            position = element.content.upperBound
        }
        return result
    }
}

/// What must hold in every Matroska file, and what a change must leave alone.
struct MatroskaStructure {
    let bytes: [UInt8]
    let elements: [TestElement]
    private let start: Int
    private(set) var faults: [String] = []

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        let top = TestElement.all(bytes, in: 0..<bytes.count)
        guard let segment = top.first(where: { $0.id == 0x1853_8067 }) else {
            (start, elements, faults) = (0, [], ["no Segment"])
            return
        }
        start = segment.content.lowerBound
        elements = TestElement.all(bytes, in: segment.content)
        if (elements.last?.content.upperBound ?? start) != segment.content.upperBound {
            faults.append("a part is no element")
        }
        for element in elements { check(element) }
    }

    var ids: [UInt32] { elements.map(\.id) }
    /// What the blocks hold, in order.
    var blocks: [[UInt8]] {
        elements.filter { $0.id == 0x1F43_B675 }.flatMap { TestElement.all(bytes, in: $0.content) }
            .filter { $0.id == 0xA3 }.map { Array(bytes[$0.content]) }
    }
    /// The content of the elements of an ID.
    func content(_ id: UInt32) -> [[UInt8]] { elements.filter { $0.id == id }.map { Array(bytes[$0.content]) } }

    private mutating func check(_ element: TestElement) {
        let children = TestElement.all(bytes, in: element.content)
        switch element.id {
        case 0x114D_9B74:
            for seek in children where seek.id == 0x4DBB {
                let fields = TestElement.all(bytes, in: seek.content)
                let id = number(fields, 0x53AB)
                check(number(fields, 0x53AC), is: id, "index")
            }
        case 0x1C53_BB6B:
            for point in children where point.id == 0xBB {
                for track in TestElement.all(bytes, in: point.content) where track.id == 0xB7 {
                    check(number(TestElement.all(bytes, in: track.content), 0xF1), is: 0x1F43_B675, "Cues")
                }
            }
        case 0x1F43_B675:
            let position = number(children, 0xA7)
            if let position, Int(position) != element.start - start { faults.append("a Cluster's own position") }
            if position != nil, children.first?.id == 0xBF { faults.append("a Cluster's checksum") }
        default: break
        }
    }

    private mutating func check(_ position: UInt64?, is id: UInt64?, _ name: String) {
        let target = elements.first { $0.start - start == Int(position ?? 0) }
        if target == nil || target?.id != id.map({ UInt32($0) }) { faults.append("\(name): \(position ?? 0)") }
    }

    private func number(_ fields: [TestElement], _ id: UInt32) -> UInt64? {
        fields.first { $0.id == id }.map { bytes[$0.content].reduce(0) { $0 << 8 | UInt64($1) } }
    }
}

extension FileRewrite {
    /// The new version.
    func bytes(of file: RandomAccessFile) -> [UInt8] {
        segments.flatMap { segment in
            switch segment {
            case .bytes(let bytes): bytes
            case .source(let range): file.read(at: range.lowerBound, count: Int(range.upperBound - range.lowerBound))
            }
        }
    }

    /// The file after each step, and in the middle of those that no reader must notice.
    func moments(of file: RandomAccessFile) -> [[UInt8]] {
        var bytes = file.read(at: 0, count: Int(file.byteCount))
        var moments: [[UInt8]] = []
        func write(_ new: ArraySlice<UInt8>, _ position: UInt64) {
            let end = Int(position) + new.count
            bytes += [UInt8](repeating: 0, count: max(0, end - bytes.count))
            bytes.replaceSubrange(Int(position)..<end, with: new)
            moments.append(bytes)
        }
        for step in steps ?? [] {
            switch step {
            case .prepare(let new, let position):
                write(new.prefix(new.count / 2), position)
                write(new[...], position)
            case .commit(let new, let position): write(new[...], position)
            case .truncate(let length):
                bytes = Array(bytes.prefix(Int(length)))
                moments.append(bytes)
            }
        }
        return moments
    }
}
