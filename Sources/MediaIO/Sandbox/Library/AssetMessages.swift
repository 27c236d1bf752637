/// What a program that uses the library tells the copy of a worker that reads one file for it.
package enum AssetOrder: Sendable {
    /// Which file, and how; the first order.
    case open([UInt8])
    /// Something is wanted of the file; a channel for the answers goes along.
    case ask([UInt8])
    /// All reading for properties that is under way is to end.
    case cancelReading

    /// How both sides speak, from the first order on.
    ///
    /// Another number for each change of what follows: the program and the worker may come from different packages.
    package static let version = 2
}

/// What a copy of the worker answers, on the channel that came with the question.
///
/// A value's bytes go along with the message, or lie in memory that was sealed and goes along.
package enum AssetAnswer: Sendable {
    case value
    case failed([UInt8])
    /// There is nothing more; bytes may go along.
    case end
    /// The work for it has got further, whatever there is to answer yet.
    case moves

    /// The longest answer that is received, but for what lies in memory of its own.
    package static let maximumByteCount = 1 << 20
    /// Bytes from which on they lie in memory of their own.
    static let inlineByteCount = 1 << 16
}

extension AssetOrder: MessageValue {
    package func write(to message: inout MessageWriter) {
        switch self {
        case .open(let bytes):
            message.put(0)
            message.put(bytes)
        case .ask(let bytes):
            message.put(1)
            message.put(bytes)
        case .cancelReading: message.put(2)
        }
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        switch try message.integer(Int.self) {
        case 0: self = .open(try message.list())
        case 1: self = .ask(try message.list())
        case 2: self = .cancelReading
        default: throw MessageError()
        }
    }
}

extension AssetAnswer: MessageValue {
    package func write(to message: inout MessageWriter) {
        switch self {
        case .value: message.put(0)
        case .failed(let bytes):
            message.put(1)
            message.put(bytes)
        case .end: message.put(2)
        case .moves: message.put(3)
        }
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        switch try message.integer(Int.self) {
        case 0: self = .value
        case 1: self = .failed(try message.list())
        case 2: self = .end
        case 3: self = .moves
        default: throw MessageError()
        }
    }
}

extension Channel {
    /// Answers with a value's bytes.
    package func answer(_ bytes: [UInt8]) throws(ChannelError) {
        guard bytes.count > AssetAnswer.inlineByteCount else { return try send(AssetAnswer.value, bytes: bytes) }
        let memory = try SealedMemory([bytes])
        try send(AssetAnswer.value, descriptors: [memory.descriptor])
    }
}
