internal import CLinux
internal import Dispatch
internal import MediaCore
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// A copy of a worker that reads one file, as the program has it that asks.
///
/// The copy goes with the link, and when nothing was asked for some seconds. All that comes from it may be anybody's
/// words: it has read a stranger's file.
package final class WorkerLink: Sendable {
    private struct State {
        /// Questions without their last answer.
        var requests = 0
        var lastUse = ContinuousClock.now
        /// Whether nothing can be asked any more.
        var isOver = false
        /// Why this process ended the copy.
        var verdict: WorkFailure?
        var loss: WorkFailure?
    }

    private let copy: Copy
    private let control: Channel
    private let state = Mutex(State())
    /// Left when the copy is gone.
    private let life = DispatchGroup()

    /// How long the work for an answer may get no further: as long as the tool waits.
    private static let patience = Duration.seconds(600)
    /// For how many seconds without a question a copy is kept.
    private static let idleTime = 10

    init(
        of worker: WorkerService.Running, granting grants: FileGrants, opening: [UInt8], staysIdle: Bool
    ) throws(ChannelError) {
        let (control, controlEnd) = try Channel.pair()
        defer { close(controlEnd) }
        let (broker, brokerEnd) = try Channel.pair(maximum: AssetAnswer.maximumByteCount)
        defer { close(brokerEnd) }
        copy = try Copy(of: worker.process, descriptors: [brokerEnd, controlEnd])
        self.control = control
        life.enter()
        do {
            try control.send(AssetOrder.open(opening))
        } catch {
            // Who gets no order ends; what serves it will see that.
        }
        let service = FileService(grants, run: RunFiles()) { false }
        WorkThread.start(name: "avtool-files") { [copy, control, life, weak self] in
            Self.serve(broker, service) { !staysIdle && self?.mayGo ?? true }
            control.shutDown()
            let status = copy.end()
            self?.isGone(status)
            life.leave()
        }
    }

    deinit {
        // Whoever held it wants nothing any more; the thread that serves the copy sees the end, and waits for it.
        control.shutDown()
        copy.kill()
    }

    /// Opens files for the copy, until it ends or nobody asks it any more.
    private static func serve(_ broker: Channel, _ service: FileService, mayGo: () -> Bool) {
        while true {
            guard broker.waits(seconds: idleTime / 2) else {
                if mayGo() { return }
                continue
            }
            guard let message = try? broker.receive(WorkNews.self) else { return }
            for descriptor in message.descriptors { close(descriptor) }
            guard case .call(let call) = message.value else { return }
            let (answer, descriptor) = service.answer(call, message.bytes)
            defer { if let descriptor { close(descriptor) } }
            // One that ends meanwhile needs no answer.
            try? broker.send(answer, descriptors: descriptor.map { [$0] } ?? [])
        }
    }

    /// Whether nobody asked for long enough; then nobody can any more.
    private var mayGo: Bool {
        state.withLock { state in
            guard state.requests == 0, state.lastUse.duration(to: .now) > .seconds(Self.idleTime) else { return false }
            state.isOver = true
            return true
        }
    }

    private func isGone(_ status: Int32?) {
        state.withLock { state in
            let own = status.map { WorkFailure(status: $0, words: copy.words) } ?? .vanished
            // Only who was ended by this process ended for its reasons.
            state.loss = status.map { $0 & 0x7f } == SIGKILL ? state.verdict ?? own : own
            state.isOver = true
        }
    }

    // MARK: Asking

    /// Asks for something.
    ///
    /// - Returns: `nil` if the copy is gone, so that another one has to be asked.
    package func ask(_ question: [UInt8]) throws(WorkerLoss) -> WorkerRequest? {
        let isOpen = state.withLock { state in
            guard !state.isOver else { return false }
            state.requests += 1
            return true
        }
        guard isOpen else { return nil }
        let channel: Channel
        let other: Int32
        do {
            (channel, other) = try Channel.pair(maximum: AssetAnswer.maximumByteCount)
        } catch {
            requestEnded()
            throw WorkerLoss(.unavailable, "the worker cannot be asked: \(error.reason)")
        }
        defer { close(other) }
        channel.setPatience(Self.patience)
        let request = WorkerRequest(channel, of: self)
        do {
            try control.send(AssetOrder.ask(question), descriptors: [other])
            return request
        } catch {
            // It went before it was asked.
            _ = loss(.vanished, isEnding: true)
            return nil
        }
    }

    /// Why nothing can be asked any more; waits for that.
    package var end: WorkerLoss {
        life.wait()
        return WorkerLoss(state.withLock { $0.loss } ?? .vanished)
    }

    /// Has all reading for properties end that is under way.
    package func cancelReading() {
        // One that is gone reads nothing.
        try? control.send(AssetOrder.cancelReading)
    }

    func requestEnded() {
        state.withLock { state in
            state.requests -= 1
            state.lastUse = .now
        }
    }

    /// Why the copy does not answer: waits for its end, and ends it if it goes on.
    ///
    /// - Parameters:
    ///   - verdict: What it is to be called if nothing else ended it.
    ///   - isEnding: Whether it looks as if it were about to end by itself.
    func loss(_ verdict: WorkFailure, isEnding: Bool = false) -> WorkerLoss {
        if !copy.ends(within: isEnding ? 1000 : 50) {
            state.withLock { state in if state.verdict == nil { state.verdict = verdict } }
            copy.kill()
        }
        life.wait()
        return WorkerLoss(state.withLock { $0.loss } ?? verdict)
    }
}

/// The process of a copy.
private final class Copy: Sendable {
    private let worker: WorkerProcess
    private let process: Int32
    /// Stands for this process whoever gets its number; below zero where the kernel has no such thing.
    private let handle: Int32

    init(of worker: WorkerProcess, descriptors: [Int32]) throws(ChannelError) {
        switch try worker.ask(.work(.init(files: 0..<0)), descriptors: descriptors) {
        case .began(let process): self.process = process
        case .failed(let reason): throw ChannelError(reason: reason, kind: .exhausted)
        case .ready, .ended: throw ChannelError(reason: "the worker makes no sense")
        }
        self.worker = worker
        // The worker waits for no process before it is told, so that the number is still this one's.
        handle = avt_open_process(process)
    }

    deinit { if handle >= 0 { close(handle) } }

    /// What was said at the end by this copy, or by another one.
    var words: String { worker.readWords() }

    func kill() {
        if handle >= 0 {
            _ = avt_kill_process(handle)
        } else {
            _ = Glibc.kill(process, SIGKILL)
        }
    }

    /// Whether it ends by itself soon.
    func ends(within milliseconds: Int32) -> Bool { handle >= 0 && avt_process_ends(handle, milliseconds) != 0 }

    /// Ends it, if it has not ended by itself.
    ///
    /// - Returns: The status, as `waitpid` has it; `nil` if nobody knows.
    func end() -> Int32? {
        // What ends closes its files a moment before.
        if !ends(within: 100) { kill() }
        guard case .ended(let status)? = try? worker.ask(.collect(process: process)) else { return nil }
        return status
    }
}
