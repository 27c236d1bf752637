internal import MediaContainers
internal import MediaIO
internal import MediaMetadata

/// How much more may be read into memory.
struct EBMLAllowance {
    var nodes: Int
    /// Whether all so far was there, and within what is allowed.
    var isKept = true
    /// Levels of simple tags, and of chapters, that are read.
    var depth = MatroskaLimit.depth
    /// Whether there are more levels than that.
    var isTooDeep = false

    /// Whether a level may be read; notes it if not.
    mutating func allows(level: Int) -> Bool {
        if level > depth { isTooDeep = true }
        if level > depth || !isLeft { isKept = false }
        return level <= depth && isLeft
    }

    /// Whether there may be more.
    var isLeft: Bool { nodes > 0 }
}

/// An element in memory.
struct EBMLNode {
    let id: UInt32
    /// The whole element, header included.
    let bytes: ArraySlice<UInt8>
    let content: ArraySlice<UInt8>

    /// More elements in one than this are not read: tiny elements must not become a large tree.
    static let maximumChildren = 1 << 16

    /// The elements in some bytes, and whether that is all there is.
    static func nodes(
        in bytes: ArraySlice<UInt8>, limit: Int = maximumChildren
    ) -> (nodes: [EBMLNode], isWhole: Bool) {
        var nodes: [EBMLNode] = []
        var rest = bytes
        while !rest.isEmpty {
            guard nodes.count < limit,
                let header = EBMLHeader(rest.prefix(EBMLHeader.maximumByteCount)), let size = header.contentSize,
                size <= UInt64(rest.count - header.byteCount)
            else { return (nodes, false) }
            let end = rest.startIndex + header.byteCount + Int(size)
            nodes.append(
                EBMLNode(
                    id: header.id, bytes: rest[..<end], content: rest[(rest.startIndex + header.byteCount)..<end]))
            rest = rest[end...]
        }
        return (nodes, true)
    }

    /// The elements in this one, within what may be read.
    func children(_ allowance: inout EBMLAllowance) -> [EBMLNode] {
        let (nodes, isWhole) = Self.nodes(in: content, limit: min(Self.maximumChildren, max(0, allowance.nodes)))
        allowance.nodes -= nodes.count
        allowance.isKept = allowance.isKept && isWhole
        return nodes
    }

    /// The elements in this one, as far as they can be read.
    var children: [EBMLNode] { Self.nodes(in: content).nodes }

    /// The content as a number; zero for no bytes, `nil` for more than eight.
    var unsigned: UInt64? { content.count <= 8 ? content.reduce(0) { $0 << 8 | UInt64($1) } : nil }

    /// The content as a number with a sign.
    var signed: Int64? {
        guard let value = unsigned, !content.isEmpty else { return unsigned.map { Int64(bitPattern: $0) } }
        let shift = 64 - 8 * content.count
        return Int64(bitPattern: value << UInt64(shift)) >> Int64(shift)
    }

    /// The content as text, up to the zero bytes that may fill its end; empty if it can be none.
    var text: String { readableText ?? "" }

    /// The content as text, `nil` if it is much and yet not UTF-8: no text then,
    /// and costly to take for any.
    var readableText: String? {
        let bytes = content.prefix { $0 != 0 }
        return bytes.count <= 1 << 22 ? TextCoding.utf8OrLatin1(bytes) : String(validating: bytes, as: UTF8.self)
    }
}

extension [EBMLNode] {
    /// The first element of an ID.
    func first(_ id: UInt32) -> EBMLNode? { first { $0.id == id } }
    /// All elements of an ID.
    func all(_ id: UInt32) -> [EBMLNode] { filter { $0.id == id } }
    /// Whether checksums are kept here: one is always first.
    var haveChecksum: Bool { first?.id == MatroskaID.crc32 }
    /// Those that say something: no checksum, no empty space.
    var meaningful: [EBMLNode] { filter { $0.id != MatroskaID.crc32 && $0.id != MatroskaID.void } }
}

extension UInt64 {
    /// The difference, `nil` if it were below zero.
    func minus(_ other: UInt64) -> UInt64? { self >= other ? self - other : nil }
}
