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
