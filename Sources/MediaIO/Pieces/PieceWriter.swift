internal import MediaCore
internal import Synchronization

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
