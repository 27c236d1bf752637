internal import MediaCore
internal import Synchronization

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
    package init(
        _ path: String, expecting head: PieceHead, limits: MediaLimits, access: FileAccess = .direct
    ) throws(PieceError) {
        try self.init(path, limits: limits, access)
        guard let found: PieceHead = try next() else { throw damaged }
        try Self.check(found, head, path)
    }

    private init(_ path: String, limits: MediaLimits, _ access: FileAccess) throws(PieceError) {
        guard let file = RandomAccessFile(path: path, limits: limits, access: access) else {
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
        var reader = try PieceReader(path, limits: MediaLimits(), .direct)
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

/// What a piece is a share of: pieces that are joined differ in which one they are, and in nothing else.
package struct PieceHead: MessageValue, Hashable {
    package enum Kind: String, Sendable {
        case stills
        case packets
    }

    let kind: Kind
    /// The versions of what made it.
    let maker: String
    /// A digest of what was asked for.
    let settings: String
    /// A digest of what tells the film's version.
    let film: String
    /// Which one it is, from 0, and of how many.
    let index: Int
    let count: Int

    package init(_ kind: Kind, maker: String, settings: String, film: String, index: Int, count: Int) {
        (self.kind, self.maker, self.settings, self.film) = (kind, maker, settings, film)
        (self.index, self.count) = (index, count)
    }

    package func write(to message: inout MessageWriter) {
        for text in [kind.rawValue, maker, settings, film] { message.put(text) }
        message.put(index)
        message.put(count)
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        guard let kind = Kind(rawValue: try message.text()) else { throw MessageError() }
        self.kind = kind
        (maker, settings, film) = (try message.text(), try message.text(), try message.text())
        (index, count) = (try message.integer(), try message.integer())
    }
}

/// A piece that is none, or not the one that is wanted.
package struct PieceError: BridgedError {
    package let path: String
    package let reason: String

    package init(path: String, reason: String) { (self.path, self.reason) = (path, reason) }
}

/// All pieces of one result, opened one after the other.
package struct PieceSet: Sendable {
    /// Where they lie, in order.
    package let paths: [String]
    private let head: PieceHead
    private let limits: MediaLimits
    private let access: FileAccess

    /// - Parameters:
    ///   - head: What any of them is a share of.
    ///   - access: Who opens them.
    package init(_ paths: [String], of head: PieceHead, limits: MediaLimits, access: FileAccess = .direct) {
        (self.paths, self.head, self.limits, self.access) = (paths, head, limits, access)
    }

    /// Opens one.
    package func open(_ index: Int) throws(PieceError) -> PieceReader {
        let head = PieceHead(
            head.kind, maker: head.maker, settings: head.settings, film: head.film, index: index, count: paths.count)
        return try PieceReader(paths[index], expecting: head, limits: limits, access: access)
    }
}

/// Writes a piece: what it is a share of, and then records of any kind, one after the other.
///
/// Each record has its length and a digest before it, of eight bytes each, the lowest first; a length of ones is the end.
package final class PieceWriter: Sendable {
    fileprivate struct State {
        let file: PendingFile
        var position: UInt64 = 0
        var waiting: [UInt8] = []
    }

    private let state: Mutex<State>
    static let signature = Array("avpiece1".utf8)
    static let end = UInt64.max
    /// Bytes that are written at a time.
    private static let partByteCount = 1 << 20

    /// Begins a piece that appears when it is complete.
    package init(_ head: PieceHead, at place: OutputPlace, limits: MediaLimits) throws(FileWriteError) {
        state = Mutex(State(file: try PendingFile(for: place, limits: limits), waiting: Self.signature))
        try add(head)
    }

    package func add(_ record: some MessageValue) throws(FileWriteError) {
        var message = MessageWriter()
        message.put(record)
        try add([message.bytes])
    }

    /// Adds one record of several parts.
    package func add(_ parts: [[UInt8]]) throws(FileWriteError) {
        try state.withLock { state throws(FileWriteError) in
            let record = parts.count == 1 ? parts[0] : Array(parts.joined())
            state.put(UInt64(record.count))
            state.put(FowlerNollVo.digest64(ofWordsIn: record))
            state.waiting += record
            if state.waiting.count >= Self.partByteCount { try state.write() }
        }
    }

    /// Gives the piece its name.
    package func complete() throws(FileWriteError) {
        try state.withLock { state throws(FileWriteError) in
            state.put(Self.end)
            try state.write()
            try state.file.complete(isSynced: false)
        }
    }
}

extension PieceWriter.State {
    fileprivate mutating func put(_ length: UInt64) {
        withUnsafeBytes(of: length.littleEndian) { waiting += $0 }
    }

    fileprivate mutating func write() throws(FileWriteError) {
        let bytes = waiting
        // A closure of the standard library throws anything.
        let result = bytes.withUnsafeBytes { buffer in
            Result { () throws(FileWriteError) in try file.write(buffer, at: position) }
        }
        try result.get()
        position += UInt64(bytes.count)
        waiting = []
    }
}
