internal import Foundation
internal import MediaCore
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
    func hasExplicitSize(_ box: Box) -> Bool { file.read(at: box.start, count: 4) != [0, 0, 0, 0] }

    /// A whole box as it is, but for a size that it does not state: what comes after it would be part of it.
    func segments(of box: Box) -> [FileRewrite.Segment] {
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

extension BoxReader {
    /// Boxes of the first level that are passed over in search of the movie's.
    private static let maximumLead = 64
    /// Larger boxes are read in parts: an hour of frames has some hundred kB.
    private static let maximumKept: UInt64 = 8 << 20

    /// Holds a movie's box in memory, for all that read it one after the other.
    package func keepMovie() {
        var position: UInt64 = 0
        for _ in 0..<Self.maximumLead {
            guard let box = firstBox(in: position..<file.byteCount) else { return }
            if box.type == "moov" {
                if box.length <= Self.maximumKept { file.keep(box.range) }
                return
            }
            position = box.range.upperBound
        }
    }
}

extension Box {
    /// Bytes of the whole box.
    var length: UInt64 { range.length }
}

/// Reads headers of boxes that follow one another, many at a time where they are close together.
///
/// A file may hold millions of empty boxes, and a call of the system for each takes longer than all else.
struct BoxHeaderWindow {
    /// Bytes of the longest header that states a size.
    static let headerSize = 16

    private let file: RandomAccessFile
    private var bytes: [UInt8] = []
    private var start: UInt64 = 0
    /// Bytes read at once where boxes are small.
    private static let stride = 1 << 14

    init(file: RandomAccessFile) { self.file = file }

    /// The bytes at a position, fewer at the end of the file: as many as the longest header has, unless told otherwise.
    mutating func read(at position: UInt64, count: Int = headerSize) -> ArraySlice<UInt8> {
        let isInside = position >= start && position - start + UInt64(count) <= bytes.count
        if !isInside {
            // Where one box was small, others follow.
            let isNear = position > start && position - start < UInt64(bytes.count + Self.stride / 8)
            (bytes, start) = (file.read(at: position, count: isNear ? Self.stride : count), position)
        }
        let offset = Int(position - start)
        return bytes[offset..<min(bytes.count, offset + count)]
    }
}

/// A code of four characters: the type of a box, of a sample entry, of a handler; a brand.
///
/// The characters are one byte each; `©` is 0xA9, as in `©nam`.
package struct FourCC: RawRepresentable, Hashable, Sendable {
    /// The four bytes as a number, the first one highest.
    package let rawValue: UInt32

    /// The code of a number.
    @inlinable
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// No code: what stands where none is known.
    package static let none = FourCC(rawValue: 0)

    /// The types of boxes that are there to take up room.
    package static let freeSpace: Set<FourCC> = ["free", "skip", "wide"]

    /// The four bytes.
    package var bytes: [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: rawValue >> UInt32($0)) } }

    /// The characters without the spaces that fill them up, as people write the code.
    package var text: String {
        String(latin1: bytes.reversed().drop { $0 == UInt8(ascii: " ") || $0 == 0 }.reversed())
    }
}

extension FourCC: ExpressibleByStringLiteral {
    /// The code that a literal of four characters up to U+00FF spells.
    @inlinable
    package init(stringLiteral literal: StaticString) {
        let value = literal.withUTF8Buffer { bytes in
            // Beyond ASCII a character has two bytes, of which the first is 0xC2, or 0xC3 for those from U+00C0 on.
            var (value, carried): (UInt32, UInt32) = (0, 0)
            for byte in bytes {
                if byte == 0xC2 || byte == 0xC3 {
                    carried = UInt32(byte & 1) << 6
                } else {
                    value = value << 8 | UInt32(byte) + carried
                    carried = 0
                }
            }
            return value
        }
        self.init(rawValue: value)
    }
}

extension FourCC: CustomStringConvertible {
    /// The four characters.
    package var description: String { String(latin1: bytes) }
}

extension RandomAccessCollection<UInt8> where Index == Int {
    /// The code whose bytes begin `offset` after the first; `nil` if they are not all there.
    package func fourCC(at offset: Int) -> FourCC? { bigEndian32(at: offset).map(FourCC.init) }
}

/// Why a movie cannot be read, cut or laid out anew.
package struct MovieError: BridgedError, LocalizedError, Hashable {
    /// The kind of failure.
    package enum Kind: Sendable {
        /// The file's structure is broken.
        case damaged
        /// The file, or the target, has a feature that its boxes cannot be edited for.
        case unsupported
        /// There is more than is allowed to be read.
        case limit
        /// The range holds nothing of the movie.
        case emptyRange
    }

    /// The kind of failure.
    package let kind: Kind
    /// The cause, in one line.
    package let reason: String
    /// The track that it lies with, if it is one track's.
    let trackID: UInt32?
    /// Which limit was hit, if it is one that can be set.
    package let limit: MediaLimits.Name?

    /// Makes an error.
    package init(_ kind: Kind, _ reason: String, trackID: UInt32? = nil, limit: MediaLimits.Name? = nil) {
        (self.kind, self.trackID, self.limit) = (kind, trackID, limit)
        self.reason = trackID.map { "track \($0): \(reason)" } ?? reason
    }

    /// The same failure, told of a track.
    func of(_ trackID: UInt32) -> MovieError {
        self.trackID == nil ? MovieError(kind, reason, trackID: trackID, limit: limit) : self
    }

    /// The cause.
    package var errorDescription: String? { reason }
}

/// Something of a movie that a new one does not have.
package struct MovieLoss: Hashable, Sendable {
    /// What is lost.
    package var item: String
    /// Why, in one line.
    package var reason: String

    /// Makes a loss.
    init(item: String, reason: String) { (self.item, self.reason) = (item, reason) }
}
