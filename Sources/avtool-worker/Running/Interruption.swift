internal import AVToolCommands
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
        let task = Mutex<Task<Void, any Error>?>(nil)
        // Whoever started the command without this signal, as nohup does, meant it.
        let numbers = [SIGINT, SIGTERM, SIGHUP].filter { $0 == SIGTERM || !isIgnored($0) }
        var sources: [any DispatchSourceSignal] = []
        for number in numbers {
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                requested.withLock { $0 = true }
                task.withLock { $0 }?.cancel()
            }
            // A signal that comes until then ends the process; ignored meanwhile, it would get lost.
            await registered(source)
            sources.append(source)
        }
        defer { for source in sources { source.cancel() } }
        let running = task.withLock { task in
            let new = Task { try await work() }
            task = new
            return new
        }
        if isRequested { running.cancel() }
        try await running.value
    }

    /// Returns when the source listens, which on a busy machine may take a while.
    private static func registered(_ source: any DispatchSourceSignal) async {
        await withCheckedContinuation { continuation in
            source.setRegistrationHandler { continuation.resume() }
            source.resume()
        }
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(number, nil, &action) == 0 else { return false }
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
