internal import FFmpegKit
internal import Foundation
internal import Synchronization

/// What the threads of one pipeline have in common: whether they go on.
///
/// The first failure stops all of them, and is the one that is reported.
final class PipelineControl: Sendable {
    private struct State {
        var failure: (any Error)?
        var stops: [@Sendable () -> Void] = []
    }

    private let state = Mutex(State())

    var failure: (any Error)? { state.withLock { $0.failure } }
    var isStopped: Bool { failure != nil }

    /// Stops everything because of an error; later ones are of no interest.
    func fail(_ error: any Error) {
        if error is PipelineStopped { return }
        let stops = state.withLock { state -> [@Sendable () -> Void] in
            guard state.failure == nil else { return [] }
            state.failure = error
            defer { state.stops.removeAll() }
            return state.stops
        }
        for stop in stops { stop() }
    }

    func cancel() { fail(CancellationError()) }

    /// Calls `stop` once when all is to stop, now if it is already so.
    func onStop(_ stop: @escaping @Sendable () -> Void) {
        let isStopped = state.withLock { state in
            if state.failure == nil { state.stops.append(stop) }
            return state.failure != nil
        }
        if isStopped { stop() }
    }

    /// Forgets what to call: all threads have ended.
    func forgetStops() { state.withLock { $0.stops.removeAll() } }

    func check() throws { if let failure { throw failure } }

    /// A queue that is stopped with everything else.
    func queue<Element>(count: Int, bytes: Int) -> StageQueue<Element> {
        let queue = StageQueue<Element>(maximumCount: count, maximumBytes: bytes)
        onStop { queue.stop() }
        return queue
    }
}

/// Work that is done on a thread of its own, with everything that it alone uses.
protocol Stage: SendableMetatype {
    /// What is known in the end.
    associatedtype Outcome: Sendable

    func run() throws -> Outcome
}

/// What a stage has found out, once it has ended well.
final class StageOutcome<Value: Sendable>: Sendable {
    private let found = Mutex<Value?>(nil)

    /// `nil` before the stage has ended, and if it has failed.
    var value: Value? { found.withLock { $0 } }

    fileprivate func set(_ value: Value?) { found.withLock { $0 = value } }
}

/// The threads of one run.
final class StageThreads: Sendable {
    private let control: PipelineControl
    private let group = DispatchGroup()

    init(_ control: PipelineControl) { self.control = control }

    /// Hands a stage to a thread of its own, where it runs; what it throws stops all.
    @discardableResult
    func start<Work: Stage>(_ name: String, _ stage: sending Work) -> StageOutcome<Work.Outcome> {
        let owned = Mutex<Work?>(stage)
        let outcome = StageOutcome<Work.Outcome>()
        let (control, group) = (control, group)
        group.enter()
        let thread = Thread {
            do { outcome.set(try owned.withLock { try $0?.run() }) } catch { control.fail(error) }
            // What the stage owns is gone when the group is told.
            owned.withLock { $0 = nil }
            group.leave()
        }
        thread.name = name
        thread.stackSize = 2 << 20
        thread.start()
        return outcome
    }

    func wait() { group.wait() }
}
