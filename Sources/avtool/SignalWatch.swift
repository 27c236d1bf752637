internal import MediaCore
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Waits for the signals that end the command.
///
/// They are blocked in every thread, so that none of them ends the process before the work is cancelled.
final class SignalWatch: Sendable {
    private let state = Mutex<(isRequested: Bool, cancel: (@Sendable () -> Void)?)>((false, nil))

    var isRequested: Bool { state.withLock { $0.isRequested } }

    init() {
        // Whoever started the command without this signal, as nohup does, meant it.
        let numbers = [SIGINT, SIGTERM, SIGHUP].filter { $0 == SIGTERM || !Self.isIgnored($0) }
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in numbers { sigaddset(&signals, number) }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        let waited = signals
        WorkThread.start { [self] in
            var signals = waited
            while true {
                var number: Int32 = 0
                guard sigwait(&signals, &number) == 0 else { continue }
                let cancel = state.withLock { state in
                    state.isRequested = true
                    return state.cancel
                }
                cancel?()
            }
        }
    }

    /// Says what is to be done when one comes, or came already.
    func onRequest(_ cancel: @escaping @Sendable () -> Void) {
        let isRequested = state.withLock { state in
            state.cancel = cancel
            return state.isRequested
        }
        if isRequested { cancel() }
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(number, nil, &action) == 0 else { return false }
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
