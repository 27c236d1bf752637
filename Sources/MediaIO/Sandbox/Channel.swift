internal import CLinux
internal import Foundation
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// What went wrong between a worker and who started it.
package struct ChannelError: Error, Sendable {
    package enum Kind: Sendable {
        /// The system's fault, or the other process is gone.
        case system
        /// Nothing came, or nothing was taken, for too long.
        case timeout
        /// What came is nothing that a well-behaved process sends.
        case nonsense
        /// It is more than any well-behaved process sends.
        case excess
        /// The machine has no memory for it now.
        case outOfMemory
        /// This process can open nothing more, or the system makes no more processes; the worker is well.
        case exhausted
    }

    package let reason: String
    package let kind: Kind

    package init(reason: String, kind: Kind = .system) { (self.reason, self.kind) = (reason, kind) }

    /// What the system says of the call that failed last.
    fileprivate static var last: ChannelError {
        let code = errno
        return ChannelError(reason: String(cString: strerror(code)), kind: code == EAGAIN ? .timeout : .system)
    }
}

/// A socket to another process: values, bytes and open files go through it.
///
/// Any thread may send; one thread receives.
package final class Channel: Sendable {
    /// What came: a value, and what went along with it.
    package struct Message<Value> {
        package let value: Value
        package let bytes: [UInt8]
        /// Open files, which are the receiver's.
        package let descriptors: [Int32]
    }

    private let descriptor: Int32
    private let sending = Mutex(())
    /// The longest value, and the longest bytes besides, that are received.
    private let (maximumValue, maximumBytes): (Int, Int)
    /// More than any message of a well-behaved worker has.
    package static let (usualMaximumValue, usualMaximumBytes) = (64 << 20, 1 << 30)
    /// Open files that come with one message; whoever gets more might soon be unable to open its own.
    private static let maximumDescriptors = 8

    /// Takes over a connected socket.
    ///
    /// - Parameter maximum: The longest value, and the longest bytes besides, that are received.
    package init(descriptor: Int32, maximum: Int? = nil) {
        self.descriptor = descriptor
        (maximumValue, maximumBytes) = (maximum ?? Self.usualMaximumValue, maximum ?? Self.usualMaximumBytes)
    }

    deinit { close(descriptor) }

    /// A channel, and the other end for another process, which the caller closes when that has it.
    package static func pair(maximum: Int? = nil) throws(ChannelError) -> (Channel, other: Int32) {
        var (one, other) = (Int32(-1), Int32(-1))
        let code = avt_socket_pair(&one, &other)
        guard code == 0 else { throw ChannelError(reason: String(cString: strerror(code)), kind: .exhausted) }
        return (Channel(descriptor: one, maximum: maximum), other)
    }

    /// Whether a descriptor is a socket.
    package static func isSocket(_ descriptor: Int32) -> Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
    }

    /// Sets how long to wait for what comes next, and for room for what is sent.
    package func setPatience(_ patience: Duration) {
        let (seconds, attoseconds) = patience.components
        // None at all would be no limit.
        let microseconds = max(seconds > 0 ? 0 : 1000, attoseconds / 1_000_000_000_000)
        var time = timeval(tv_sec: max(0, Int(seconds)), tv_usec: suseconds_t(microseconds))
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &time, socklen_t(MemoryLayout<timeval>.size))
        }
    }

    /// Waits until there is something to receive, or the end of it.
    func waits(seconds: Int) -> Bool { avt_wait(descriptor, Int32(clamping: seconds * 1000)) != 0 }
    /// Says that nothing more will be sent; what comes can still be received.
    package func endSending() { _ = shutdown(descriptor, Int32(SHUT_WR)) }

    /// Ends it for both sides, whoever holds the other end.
    package func shutDown() { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// Sends a value.
    ///
    /// - Throws: `ChannelError` if the other process is gone.
    package func send(
        _ value: some MessageValue, bytes: [UInt8] = [], descriptors: [Int32] = []
    ) throws(ChannelError) {
        var written = MessageWriter()
        written.put(value)
        var head = MessageWriter()
        head.put(written.bytes.count)
        head.put(bytes.count)
        let message = head.bytes + written.bytes + bytes
        let failure: ChannelError? = sending.withLock { _ in
            var sent = 0
            while sent < message.count {
                let count = message.withUnsafeBytes { buffer in
                    avt_send(
                        descriptor, buffer.baseAddress.map { $0 + sent }, message.count - sent, descriptors,
                        sent == 0 ? descriptors.count : 0)
                }
                guard count > 0 else { return ChannelError.last }
                sent += count
            }
            return nil
        }
        if let failure { throw failure }
    }

    /// Waits for a value.
    ///
    /// - Returns: `nil` when the other process has ended it.
    /// - Throws: `ChannelError` for what is no such value.
    package func receive<Value: MessageValue>(_ type: Value.Type) throws(ChannelError) -> Message<Value>? {
        var descriptors: [Int32] = []
        do {
            guard let head = try read(16, &descriptors, mayEnd: true) else { return nil }
            var counts = MessageReader(head)
            let (valueCount, byteCount) = (try counts.integer(Int.self), try counts.integer(Int.self))
            guard (0...maximumValue).contains(valueCount), (0...maximumBytes).contains(byteCount) else {
                throw ChannelError(reason: "a message is too long", kind: .nonsense)
            }
            var value = MessageReader(try read(valueCount, &descriptors) ?? [])
            let bytes = try read(byteCount, &descriptors) ?? []
            let message = Message(value: try value.value(type), bytes: bytes, descriptors: descriptors)
            guard value.isAtEnd else { throw MessageError() }
            return message
        } catch {
            for descriptor in descriptors { close(descriptor) }
            throw error as? ChannelError ?? ChannelError(reason: "a message makes no sense: \(error)", kind: .nonsense)
        }
    }

    private func read(_ count: Int, _ descriptors: inout [Int32], mayEnd: Bool = false) throws -> [UInt8]? {
        var failure: ChannelError?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = 0
            while filled < count, let base = buffer.baseAddress {
                var came = [Int32](repeating: -1, count: 8)
                var cameCount = 0
                let got = avt_receive(descriptor, base + filled, count - filled, &came, &cameCount)
                descriptors += came.prefix(cameCount)
                guard got > 0 else {
                    if got < 0 && errno != ECONNRESET { failure = ChannelError.last }
                    return
                }
                guard descriptors.count <= Self.maximumDescriptors else {
                    failure = ChannelError(reason: "a message has too many open files", kind: .nonsense)
                    return
                }
                filled += got
            }
        }
        if let failure { throw failure }
        if bytes.isEmpty, count > 0, mayEnd { return nil }
        guard bytes.count == count else {
            throw ChannelError(reason: "a message ends in its middle", kind: .nonsense)
        }
        return bytes
    }
}

/// Counts the steps by which the work of this process gets further, whatever it works on.
///
/// A step is one that a file cannot have done without end: a packet that lies further on than all before it, a
/// picture that is encoded, bytes that are written. Waiting for a pipe is a step too, as other limits bound that. So
/// a process whose count stands still is stuck, however busy it is.
package enum WorkPulse {
    private static let steps = Atomic<UInt64>(0)

    /// How many steps there have been.
    package static var count: UInt64 { steps.load(ordering: .relaxed) }

    /// Counts a step; from any thread.
    package static func beat() { steps.wrappingAdd(1, ordering: .relaxed) }
}
