internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// A question to a copy of the worker, and its answers.
package final class WorkerRequest: Sendable {
    /// An answer; what it says is to be looked at with suspicion.
    package enum Answer: Sendable {
        /// Bytes that came with the message, and memory that did.
        case value([UInt8], memory: SealedMemory?)
        case failed([UInt8])
        case end([UInt8])
    }

    private let channel: Channel
    private let link: WorkerLink
    private let isCancelled = Mutex(false)

    init(_ channel: Channel, of link: WorkerLink) { (self.channel, self.link) = (channel, link) }

    deinit {
        channel.shutDown()
        link.requestEnded()
    }

    /// Wants no more answers: the work for them stops.
    package func cancel() {
        isCancelled.withLock { $0 = true }
        channel.shutDown()
    }

    /// Says something that belongs to the question.
    package func say(_ value: some MessageValue) {
        // Who is gone is found out when an answer is waited for.
        try? channel.send(value)
    }

    /// Waits for the next answer; one thread at a time.
    ///
    /// - Parameter maximum: The most bytes in memory that are taken.
    /// - Returns: `nil` if the request was cancelled.
    package func next(maximum: Int) throws(WorkerLoss) -> Answer? {
        do {
            while true {
                guard let message = try channel.receive(AssetAnswer.self) else {
                    if isCancelled.withLock({ $0 }) { return nil }
                    throw link.loss(.vanished, isEnding: true)
                }
                for descriptor in message.descriptors.dropFirst() { close(descriptor) }
                let memory: SealedMemory? =
                    if let first = message.descriptors.first {
                        try SealedMemory(received: first, maximum: maximum)
                    } else { nil }
                switch message.value {
                case .value: return .value(message.bytes, memory: memory)
                case .failed(let bytes): return .failed(bytes)
                case .end: return .end(message.bytes)
                case .moves: continue
                }
            }
        } catch let loss as WorkerLoss {
            throw loss
        } catch {
            if isCancelled.withLock({ $0 }) { return nil }
            throw link.loss((error as? ChannelError)?.kind == .timeout ? .stuck : .crashed)
        }
    }

    /// What came makes no sense: the copy is ended.
    package func reject() -> WorkerLoss { link.loss(.crashed) }
}

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
    package static let version = 3
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
    static let maximumByteCount = 1 << 20
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

/// Why a worker does not do what a program asked it for.
package struct WorkerLoss: Error, Sendable {
    package enum Kind: Sendable, Hashable {
        /// It could not be started, or belongs to another version.
        case unavailable
        /// The kernel does not keep all from it that it has to.
        case incomplete
        /// It began, and did not end well.
        case failed(WorkFailure)
    }

    package let kind: Kind
    /// In one line.
    package let reason: String

    init(_ kind: Kind, _ reason: String) { (self.kind, self.reason) = (kind, reason) }

    package init(_ failure: WorkFailure) {
        kind = .failed(failure)
        reason =
            switch failure {
            case .crashed: "the file makes a media library crash"
            case .outOfMemory: "the system ended the worker that read the file, for want of memory"
            case .stuck: "the worker that reads the file does nothing any more"
            case .vanished: "the worker that read the file ended without a word"
            case .ended: "another program ended the worker that read the file"
            case .excessive: "the worker that reads the file says more than there is to say"
            }
    }
}
