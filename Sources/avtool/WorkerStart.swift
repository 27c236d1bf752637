internal import Foundation
internal import MediaIO

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
