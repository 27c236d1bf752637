internal import Dispatch
internal import Foundation
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Turns SIGINT, SIGTERM and SIGHUP into cancellation of the command's work.
enum Interruption {
    private static let requested = Mutex(false)

    static var isRequested: Bool { requested.withLock { $0 } }

    /// Runs work that is cancelled by a signal.
    static func cancelling(_ work: @escaping @Sendable () async throws -> Void) async throws {
        let task = Task { try await work() }
        let sources = [SIGINT, SIGTERM, SIGHUP].compactMap { number -> (any DispatchSourceSignal)? in
            // Whoever started the command without this signal, as nohup does, meant it.
            guard !isIgnored(signal(number, SIG_IGN)) || number == SIGTERM else { return nil }
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

    private static func isIgnored(_ handler: (@convention(c) (Int32) -> Void)?) -> Bool {
        unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
