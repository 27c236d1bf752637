package import MediaFile

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
        while result.count < Self.maximumBoxes, position <= range.upperBound,
            let box = firstBox(in: position..<range.upperBound)
        {
            result.append(box)
            position = box.range.upperBound
        }
        return result
    }

    /// The box that a range of the file begins with.
    package func firstBox(in range: Range<UInt64>) -> Box? {
        let position = range.lowerBound
        guard range.length >= 8, case let header = file.read(at: position, count: 16),
            let size32 = header.bigEndian32(at: 0), let type = header.fourCC(at: 4)
        else { return nil }
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
