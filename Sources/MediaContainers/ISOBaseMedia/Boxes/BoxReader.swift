package import MediaIO

/// One box of an ISO base media file: its type and where it lies.
package struct Box: Hashable, Sendable {
    /// What kind of box it is.
    package let type: FourCC
    /// Where its header begins.
    package let start: UInt64
    /// Its bytes after the header.
    package let content: Range<UInt64>
    /// The whole box, header included.
    package var range: Range<UInt64> { start..<content.upperBound }
}

/// Walks the boxes of an ISO base media or QuickTime file.
///
/// Only headers and the boxes asked for are read. Each size is checked against
/// the enclosing box before it is used; a box that claims more than there is
/// ends the walk.
package struct BoxReader {
    /// What is read.
    package let file: RandomAccessFile
    /// More boxes than this in one box are not read.
    private static let maximumBoxes = 1 << 16

    /// A reader of a file.
    package init(file: RandomAccessFile) { self.file = file }

    /// The boxes inside a range of the file.
    package func boxes(in range: Range<UInt64>) -> [Box] {
        var result: [Box] = []
        var position = range.lowerBound
        var window = BoxHeaderWindow(file: file)
        while result.count < Self.maximumBoxes, position <= range.upperBound {
            guard let box = Self.box(window.read(at: position), in: position..<range.upperBound) else { break }
            result.append(box)
            position = box.range.upperBound
        }
        return result
    }

    /// The box that a range of the file begins with.
    package func firstBox(in range: Range<UInt64>) -> Box? {
        Self.box(file.read(at: range.lowerBound, count: BoxHeaderWindow.headerSize)[...], in: range)
    }

    private static func box(_ header: ArraySlice<UInt8>, in range: Range<UInt64>) -> Box? {
        let position = range.lowerBound
        guard range.length >= 8, let size32 = header.bigEndian32(at: 0), let type = header.fourCC(at: 4) else {
            return nil
        }
        var headerSize: UInt64 = 8
        var size = UInt64(size32)
        if size == 1 {
            guard let large = header.bigEndian64(at: 8) else { return nil }
            headerSize = 16
            size = large
        } else if size == 0 {
            size = range.length
        }
        guard size >= headerSize, size <= range.length else { return nil }
        let content = (position + headerSize)..<(position + size)
        return Box(type: type, start: position, content: content)
    }

    /// The first box at the end of a path of types.
    package func box(_ path: [FourCC], in range: Range<UInt64>) -> Box? {
        var range = range
        var found: Box?
        for type in path {
            found = boxes(in: range).first { $0.type == type }
            guard let found else { return nil }
            range = found.content
        }
        return found
    }

    /// Where the boxes within a box lie.
    ///
    /// `meta` has a version before them in ISO files and none in QuickTime's,
    /// but writers do not keep to that; the type of the first box tells.
    package func children(of box: Box) -> Range<UInt64> {
        guard box.type == "meta", box.content.length >= 4 else { return box.content }
        let head = bytes(of: box, limit: 12)
        if let type = head.fourCC(at: 4), Self.firstOfMetadata.contains(type) { return box.content }
        guard head.bigEndian32(at: 0) == 0 else { return box.content }
        return (box.content.lowerBound + 4)..<box.content.upperBound
    }

    /// The types that a `meta` box begins with.
    private static let firstOfMetadata: Set<FourCC> = ["hdlr", "keys", "ilst", "free", "mhdr"]

    /// Whether a box states its size, instead of reaching to the end of what it lies in.
    package func hasExplicitSize(_ box: Box) -> Bool { file.read(at: box.start, count: 4) != [0, 0, 0, 0] }

    /// A whole box as it is, but for a size that it does not state: what comes after it would be part of it.
    package func segments(of box: Box) -> [FileRewrite.Segment] {
        guard !hasExplicitSize(box) else { return [.source(box.range)] }
        let header = [UInt8].boxHeader(box.type, contentLength: box.content.length)
        return [.bytes(header)] + (box.content.isEmpty ? [] : [.source(box.content)])
    }

    /// The bytes of a whole box, with a size where it does not state one.
    package func wholeBytes(of box: Box) -> [UInt8] {
        let bytes = file.read(at: box.start, count: Int(clamping: box.length))
        guard bytes.starts(with: [0, 0, 0, 0]) else { return bytes }
        return .box(box.type, Array(bytes.dropFirst(8)))
    }

    /// A box's content, at most `limit` bytes of it.
    package func bytes(of box: Box, limit: Int = 1 << 20) -> [UInt8] {
        file.read(
            at: box.content.lowerBound, count: Int(min(UInt64(limit), box.content.length)))
    }
}

extension Box {
    /// Bytes of the whole box.
    package var length: UInt64 { range.length }
}
