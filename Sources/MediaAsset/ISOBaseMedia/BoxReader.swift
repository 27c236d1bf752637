#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Reads parts of a file at given positions, and never past its end.
final class RandomAccessFile {
    private let descriptor: Int32
    let byteCount: UInt64

    init?(path: String) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size >= 0 else {
            close(descriptor)
            return nil
        }
        byteCount = UInt64(status.st_size)
    }

    deinit { close(descriptor) }

    /// Up to `count` bytes from a position; fewer at the end of the file.
    func read(at position: UInt64, count: Int) -> [UInt8] {
        guard position < byteCount, count > 0 else { return [] }
        let wanted = Int(min(UInt64(count), byteCount - position))
        return [UInt8](unsafeUninitializedCapacity: wanted) { buffer, filled in
            filled = 0
            while filled < wanted, let base = buffer.baseAddress {
                let got = pread(descriptor, base + filled, wanted - filled, off_t(position) + off_t(filled))
                if got <= 0 { break }
                filled += got
            }
        }
    }
}

/// One box of an ISO base media file: its type and where its content lies.
struct Box {
    let type: String
    let content: Range<UInt64>
}

/// Walks the boxes of an ISO base media or QuickTime file.
///
/// Only headers and the boxes asked for are read. Each size is checked against
/// the enclosing box before it is used; a box that claims more than there is
/// ends the walk.
struct BoxReader {
    let file: RandomAccessFile
    /// More boxes than this in one box are not read.
    private static let maximumBoxes = 4096

    /// The boxes inside a range of the file.
    func boxes(in range: Range<UInt64>) -> [Box] {
        var result: [Box] = []
        var position = range.lowerBound
        while position + 8 <= range.upperBound, result.count < Self.maximumBoxes {
            let header = file.read(at: position, count: 16)
            guard header.count >= 8 else { break }
            var headerSize: UInt64 = 8
            var size = UInt64(header.bigEndian32(at: 0) ?? 0)
            let type = String(latin1: header[4..<8])
            if size == 1 {
                guard let large = header.bigEndian64(at: 8) else { break }
                headerSize = 16
                size = large
            } else if size == 0 {
                size = range.upperBound - position
            }
            guard size >= headerSize, size <= range.upperBound - position else { break }
            result.append(Box(type: type, content: (position + headerSize)..<(position + size)))
            position += size
        }
        return result
    }

    /// The first box at the end of a path of types.
    func box(_ path: [String], in range: Range<UInt64>) -> Box? {
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
    func bytes(of box: Box, limit: Int = 1 << 20) -> [UInt8] {
        file.read(
            at: box.content.lowerBound, count: Int(min(UInt64(limit), box.content.upperBound - box.content.lowerBound)))
    }
}

extension String {
    /// Each byte as the code point of the same number.
    init(latin1 bytes: some Sequence<UInt8>) {
        self = String(String.UnicodeScalarView(bytes.map { UnicodeScalar($0) }))
    }
}

extension [UInt8] {
    func bigEndian16(at index: Int) -> UInt16? { bigEndian(at: index) }
    func bigEndian32(at index: Int) -> UInt32? { bigEndian(at: index) }
    func bigEndian64(at index: Int) -> UInt64? { bigEndian(at: index) }

    /// The number stored at an index, `nil` if it is not all there.
    private func bigEndian<T: FixedWidthInteger>(at index: Int) -> T? {
        let size = T.bitWidth / 8
        guard index >= 0, index <= count - size else { return nil }
        return self[index..<(index + size)].reduce(0) { $0 << 8 | T(truncatingIfNeeded: $1) }
    }
}
