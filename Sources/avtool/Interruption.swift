internal import Dispatch
internal import Foundation
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Turns SIGINT and SIGTERM into cancellation of the command's work.
enum Interruption {
    private static let requested = Mutex(false)

    static var isRequested: Bool { requested.withLock { $0 } }

    /// Runs work that is cancelled by a signal.
    static func cancelling(_ work: @escaping @Sendable () async throws -> Void) async throws {
        let task = Task { try await work() }
        let sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                requested.withLock { $0 = true }
                task.cancel()
            }
            source.resume()
            return source
        }
        defer { for source in sources { source.cancel() } }
        try await task.value
    }
}
