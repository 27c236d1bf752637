internal import AVToolCommands
internal import Foundation
internal import MediaCore
internal import MediaIO
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// How the workers of one run are started.
struct WorkerStart: Sendable {
    let settings: WorkerProcess.Settings
    let surroundings: WorkSurroundings

    /// A worker that has understood the command line.
    struct Greeting {
        let worker: WorkerProcess
        /// What the kernel keeps from it.
        let isolation: Isolation
        /// The versions of its media libraries.
        let libraries: [String]
    }

    /// Seconds between two attempts to start a worker: with those before, a quarter of a minute.
    private static let maximumPause = 10.0

    /// Has a worker understand the command line.
    ///
    /// It has read nothing of a stranger's by then. Where it is ended for want of memory, others are at work that need it
    /// now, and will be done: it is tried again, for a quarter of a minute.
    ///
    /// - Parameter begun: One that was started with these settings.
    func worker(_ begun: WorkerProcess? = nil, unless isEnded: () -> Bool) throws -> Greeting {
        var (pause, begun) = (0.1, begun)
        while true {
            // A process that cannot be made now cannot be made a moment later either.
            let worker = try begun ?? WorkerProcess(settings)
            do {
                return try greet(worker)
            } catch let killed as Killed {
                guard pause < Self.maximumPause, !isEnded() else { throw killed.error }
                Thread.sleep(forTimeInterval: Double.random(in: pause / 2...pause))
                (pause, begun) = (pause * 2, nil)
            }
        }
    }

    /// The system has ended a worker for want of memory.
    private struct Killed: Error {
        let error: ChannelError
    }

    private func greet(_ worker: WorkerProcess) throws -> Greeting {
        var surroundings = surroundings
        surroundings.isolation = worker.isolation
        do {
            try worker.channel.send(WorkOrder.start(surroundings))
            guard
                case .ready(let isolation, let objection, let libraries)? = try worker.channel.receive(WorkReply.self)?
                    .value
            else { throw ChannelError(reason: "the worker ended at its start") }
            if let objection { throw CommandLineOptions.Mistake(message: objection) }
            return Greeting(worker: worker, isolation: isolation, libraries: libraries)
        } catch let error as ChannelError {
            // Only the system ends a process by this signal that has not begun yet.
            let status = worker.end()
            let words = worker.readWords()
            let isKilled = status & 0x7f == SIGKILL
            let reason = isKilled ? "there is not enough memory now" : worker.firstWords(of: words) ?? error.reason
            let told = ChannelError(
                reason: "the worker cannot be used: \(reason)",
                kind: WorkFailure(status: status, words: words) == .outOfMemory ? .outOfMemory : error.kind)
            if isKilled { throw Killed(error: told) }
            throw told
        }
    }
}

/// A worker that is started before the command line is understood.
///
/// To load its libraries takes it several times as long as to understand a command line. Most get a worker like this
/// one, whatever else they say; it has been told nothing yet, and goes where another one is wanted, or none.
struct BegunWorker {
    private let process: WorkerProcess
    private let settings: WorkerProcess.Settings

    /// - Returns: `nil` where none is to be expected, or where it cannot be started, which is said when it is needed.
    init?(_ options: CommandLineOptions) {
        let words = options.arguments
        guard let first = words.first, !first.hasPrefix("-"), first != "help",
            !words.contains(where: { ["-h", "--help", "--version"].contains($0) }),
            let settings = try? WorkerProcess.Settings(options, WorkPlan()),
            let process = try? WorkerProcess(settings)
        else { return nil }
        (self.process, self.settings) = (process, settings)
    }

    /// The worker, or `nil` if it is not as it has to be; then it is ended.
    func taken(with settings: WorkerProcess.Settings) -> WorkerProcess? {
        if settings == self.settings { return process }
        process.kill()
        return nil
    }

    /// Ends it, as there is nothing for it to do.
    func end() { process.kill() }
}

extension WorkerProcess.Settings {
    /// What the worker gets for a command.
    init(_ options: CommandLineOptions, _ plan: WorkPlan) throws(ChannelError) {
        self.init(executable: try WorkerExecutable.find())
        isolation = options.sandbox == .off ? [] : .all
        allowsNetwork = plan.allowsNetwork
        fileSize = UInt64(max(0, plan.largestFile))
        readable = ReadablePlaces.all(allowsNetwork: plan.allowsNetwork)
    }
}

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

/// Waits for what a copy of the worker says, for as long as its work gets further.
///
/// Only time in which nothing comes counts: what a slow terminal or a slow disk takes here is no fault of the copy's.
struct StallPatience {
    private let channel: Channel
    private let limit: Duration?
    /// How long was waited since the work got further.
    private var waited = Duration.zero
    /// What the channel has been told.
    private var told: Duration?

    /// - Parameter limit: In thousandths of a second; `nil` for none.
    init(_ channel: Channel, limit: Int64?) {
        (self.channel, self.limit) = (channel, limit.map { .milliseconds($0) })
    }

    /// Waits for what comes next.
    ///
    /// - Throws: `ChannelError`, of its kind for timeouts if the work gets no further.
    mutating func next() throws(ChannelError) -> Channel.Message<WorkNews>? {
        guard let limit else { return try channel.receive(WorkNews.self) }
        let left = limit - waited
        guard left > .zero else { throw ChannelError(reason: "it gets no further", kind: .timeout) }
        if left != told {
            channel.setPatience(left)
            told = left
        }
        let began = ContinuousClock.now
        let message = try channel.receive(WorkNews.self)
        if case .progress = message?.value {
            waited += ContinuousClock.now - began
        } else {
            waited = .zero
        }
        return message
    }
}
