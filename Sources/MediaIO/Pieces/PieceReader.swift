internal import MediaCore

/// Reads a piece; whoever made it may be anybody.
package struct PieceReader {
    private let file: RandomAccessFile
    private let path: String
    private var position: UInt64
    private var hasEnded = false

    /// Opens a piece.
    ///
    /// - Parameter head: What it has to be a share of.
    /// - Throws: ``PieceError`` if it is not there, or is another one.
    package init(_ path: String, expecting head: PieceHead, limits: MediaLimits) throws(PieceError) {
        try self.init(path, limits: limits)
        guard let found: PieceHead = try next() else { throw damaged }
        try Self.check(found, head, path)
    }

    private init(_ path: String, limits: MediaLimits) throws(PieceError) {
        guard let file = RandomAccessFile(path: path, limits: limits) else {
            throw PieceError(path: path, reason: "there is no such piece")
        }
        guard file.read(at: 0, count: PieceWriter.signature.count) == PieceWriter.signature else {
            throw PieceError(path: path, reason: "it is no piece")
        }
        (self.file, self.path) = (file, path)
        position = UInt64(PieceWriter.signature.count)
    }

    private static func check(_ found: PieceHead, _ wanted: PieceHead, _ path: String) throws(PieceError) {
        func fail(_ reason: String) -> PieceError { PieceError(path: path, reason: reason) }
        if found.maker != wanted.maker { throw fail("it was made by \(found.maker), not \(wanted.maker)") }
        if found.film != wanted.film { throw fail("it is of another film, or the film changed") }
        if found.kind != wanted.kind || found.settings != wanted.settings {
            throw fail("it was made with other settings")
        }
        if (found.index, found.count) != (wanted.index, wanted.count) {
            throw fail("it is piece \(found.index) of \(found.count), not \(wanted.index) of \(wanted.count)")
        }
    }

    /// Reads a piece to its end.
    ///
    /// - Throws: ``PieceError`` if it is not whole.
    package static func check(_ path: String) throws(PieceError) {
        var reader = try PieceReader(path, limits: MediaLimits())
        while try reader.next() != nil {}
    }

    /// The next record's bytes; `nil` after the last one.
    package mutating func next() throws(PieceError) -> [UInt8]? {
        guard !hasEnded else { return nil }
        let length = number(at: position)
        guard length != PieceWriter.end else {
            hasEnded = true
            guard position + 8 == file.byteCount else { throw damaged }
            return nil
        }
        let start = position + Self.headByteCount
        guard start <= file.byteCount, length <= file.byteCount - start,
            let bytes = file.read(start..<(start + length), limit: Int(clamping: length))
        else { throw PieceError(path: path, reason: "it is cut short") }
        guard FowlerNollVo.digest64(ofWordsIn: bytes) == number(at: position + 8) else { throw damaged }
        position = start + length
        return bytes
    }

    /// Bytes before a record.
    private static let headByteCount: UInt64 = 16

    private func number(at position: UInt64) -> UInt64 {
        let bytes = file.read(at: position, count: 8)
        // What is cut short is longer than anything, and not the end.
        return bytes.count == 8 ? bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) } : .max - 1
    }

    /// The next record as a value; `nil` after the last one.
    package mutating func next<Value: MessageValue>(_ type: Value.Type = Value.self) throws(PieceError) -> Value? {
        guard let bytes = try next() else { return nil }
        var message = MessageReader(bytes)
        do { return try Value(from: &message) } catch { throw damaged }
    }

    /// The error for a record that makes no sense.
    package var damaged: PieceError { PieceError(path: path, reason: "it is damaged") }
}
