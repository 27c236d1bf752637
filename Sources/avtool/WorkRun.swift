internal import Foundation
internal import MediaConcurrency
internal import MediaFile
internal import MediaIsolation
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// One run of a command: the worker, its copies, and how their work ended.
final class WorkRun: Sendable {
    private struct State {
        /// Copies that are at work.
        var copies: Set<Int32> = []
        var ends: [Int: [WorkEnd]] = [:]
        var next = 0
        /// Whether there is no use in going on.
        var isOver = false
    }

    private let worker: WorkerProcess
    private let plan: WorkPlan
    private let files: RunFiles
    private let signals: SignalWatch
    private let scratch: ScratchFolder?
    private let teller = Teller()
    private let state = Mutex(State())
    /// Held by whoever asks the worker for something.
    private let asking = Mutex(())

    /// How long a copy may say nothing: nobody copies more than some terabytes meanwhile.
    private static let patience = 3600

    init(_ options: CommandLineOptions, _ signals: SignalWatch) throws {
        let executable = try Self.worker()
        var settings = WorkerProcess.Settings(executable: executable)
        settings.isolation = options.sandbox == .off ? [] : .all
        settings.allowsNetwork = options.allowsNetwork
        settings.readable = ReadablePlaces.all(forWorker: executable, allowsNetwork: options.allowsNetwork)
        let scratch = options.mayTakePasses ? ScratchFolder() : nil
        settings.scratch = scratch?.path
        worker = try WorkerProcess(settings)
        (self.signals, self.scratch) = (signals, scratch)
        var surroundings = WorkSurroundings()
        surroundings.arguments = options.arguments
        surroundings.hasStandardInput = Console.hasStandardInput
        surroundings.standardInputIsTerminal = isatty(0) == 1
        (surroundings.isolation, surroundings.scratch) = (worker.isolation, scratch?.path)
        surroundings.allowsNetwork = options.allowsNetwork
        do {
            try worker.channel.send(WorkOrder.start(surroundings))
            guard case .plan(let plan)? = try worker.channel.receive(WorkReply.self)?.value else {
                throw ChannelError(reason: "the worker ended at its start")
            }
            self.plan = plan
        } catch {
            let reason = Self.lastWords(of: worker) ?? (error as? ChannelError)?.reason ?? "\(error)"
            throw ChannelError(reason: "the worker cannot be used: \(reason)")
        }
        let missing = Isolation.all.subtracting(plan.isolation)
        guard options.sandbox != .require || missing.isEmpty else {
            throw ChannelError(
                reason: "--sandbox require: this system lacks \(missing.names.joined(separator: ", "))")
        }
        files = RunFiles(reading: (plan.files + plan.otherInputs).map { $0 == "-" ? "/dev/stdin" : $0 })
        Console.expect(plan.files)
    }

    /// The worker's executable: beside this one, or where packages have it.
    private static func worker() throws -> String {
        guard let own = realPath("/proc/self/exe") else { throw ChannelError(reason: "/proc is not there") }
        let folder = own.parentFolder
        let places = ["\(folder)/avtool-worker", "\(folder.parentFolder)/libexec/avtool/avtool-worker"]
        guard let found = places.first(where: { access($0, X_OK) == 0 }) else {
            throw ChannelError(reason: "\(places[0]): no such file; it belongs to avtool")
        }
        return found
    }

    /// Does the work.
    ///
    /// - Returns: The exit code.
    func run() throws -> Int32 {
        signals.onRequest { [self] in cancel() }
        let groups = WorkGroups(of: plan.files)
        let jobs = plan.isOneJob || plan.files.isEmpty ? [plan.files.indices] : groups.ranges
        let others = DispatchGroup()
        for _ in 1..<max(1, min(groups.atATime, jobs.count)) {
            others.enter()
            WorkThread.start { [self] in
                work(on: jobs)
                others.leave()
            }
        }
        work(on: jobs)
        others.wait()
        files.removeEmptyFolders()
        worker.end()
        scratch?.remove()
        return code(of: jobs)
    }

    private func code(of jobs: [Range<Int>]) -> Int32 {
        let ends = state.withLock { state in jobs.indices.flatMap { state.ends[$0] ?? [] } }
        let first = ends.first { $0.code != 0 }
        // An interruption that comes when all is done has nothing to interrupt.
        let isDone = ends.reduce(0) { $0 + $1.fileCount } == plan.files.count && first == nil && !ends.isEmpty
        if signals.isRequested, !isDone {
            // One that came between two files has not been said of any.
            if !ends.contains(where: \.tellsOfInterruption) { Console.error("avtool: interrupted") }
            return 130
        }
        return first?.code ?? 0
    }

    private func cancel() {
        let copies = state.withLock { $0.copies }
        for copy in copies { kill(copy, SIGTERM) }
    }

    // MARK: Jobs

    private func work(on jobs: [Range<Int>]) {
        while true {
            let (number, isOver) = state.withLock { state in
                defer { state.next += 1 }
                return (state.next, state.isOver)
            }
            guard number < jobs.count else { return }
            if !isOver, !signals.isRequested { work(on: jobs[number], number) }
            teller.end(number)
        }
    }

    /// Has files worked on, whatever becomes of the worker over one of them.
    private func work(on files: Range<Int>, _ number: Int) {
        var job: WorkOrder.Job? = WorkOrder.Job(files: files)
        while let current = job {
            job = nil
            let (reached, end, failure) = serve(current, number)
            if let end { add(end, to: number) }
            guard let failure else { continue }
            guard !signals.isRequested else { return }
            guard current.failure == nil, !plan.files.isEmpty else {
                let words = Self.lastWords(of: worker).map { ": \($0)" } ?? ""
                Console.error("avtool: the worker ended without a word\(words)")
                return add(WorkEnd(code: 70), to: number)
            }
            // A new copy says what happened, as it would be said of any failure; another goes on with the rest.
            let told = serve(WorkOrder.Job(files: reached..<(reached + 1), failure: failure), number)
            add(told.end ?? WorkEnd(code: failure.code), to: number)
            if reached + 1 < files.upperBound, !signals.isRequested {
                job = WorkOrder.Job(files: (reached + 1)..<files.upperBound)
            }
        }
    }

    private func add(_ end: WorkEnd, to number: Int) {
        state.withLock { state in
            state.ends[number, default: []].append(end)
            state.isOver = state.isOver || end.endsAll
        }
    }

    /// Serves one copy of the worker from its beginning to its end.
    ///
    /// - Returns: The file it had come to; how it ended by itself; why it did not.
    private func serve(
        _ job: WorkOrder.Job, _ number: Int
    ) -> (reached: Int, end: WorkEnd?, failure: WorkFailure?) {
        var reached = job.files.lowerBound
        do {
            let (channel, process) = try begin(job)
            var end: WorkEnd?
            var failure: WorkFailure?
            do {
                channel.setPatience(seconds: Self.patience)
                let service = FileService(grants(for: job), run: files) { [signals] in signals.isRequested }
                while let message = try channel.receive(WorkNews.self) {
                    defer { for descriptor in message.descriptors { close(descriptor) } }
                    switch message.value {
                    case .call(let call):
                        let (answer, descriptor) = service.answer(call, message.bytes)
                        defer { if let descriptor { close(descriptor) } }
                        // One that ends meanwhile has said before what there is to say.
                        try? channel.send(answer, descriptors: descriptor.map { [$0] } ?? [])
                    case .output: teller.tell(.output(message.bytes), of: number)
                    case .diagnostics(let lines): teller.tell(.diagnostics(lines), of: number)
                    case .progress(let file, let fraction, let details):
                        teller.tell(.progress(file: file, fraction: fraction, details: details), of: number)
                    case .begins(let index): if job.files.contains(index) { reached = index }
                    case .done(let value): end = value
                    }
                }
            } catch {
                // It makes no sense any more, or says nothing.
                failure = error.isTimeout ? .stuck : .crashed
                kill(process, SIGKILL)
            }
            state.withLock { _ = $0.copies.remove(process) }
            let status = try collect(process)
            return (reached, end, end == nil ? failure ?? WorkFailure(status: status) : nil)
        } catch {
            return (reached, nil, .vanished)
        }
    }

    private func grants(for job: WorkOrder.Job) -> FileGrants {
        guard !job.files.isEmpty else { return plan.grants.first ?? FileGrants() }
        return plan.grants[job.files].reduce(into: FileGrants()) { all, next in
            all.inputs.formUnion(next.inputs)
            all.nestedFolders += next.nestedFolders
            all.results += next.results
            all.changeable.formUnion(next.changeable)
            all.temporaryFolder = next.temporaryFolder
        }
    }

    /// Has the worker make a copy of itself.
    private func begin(_ job: WorkOrder.Job) throws(ChannelError) -> (Channel, process: Int32) {
        let (channel, other) = try Channel.pair()
        defer { close(other) }
        switch try ask(.work(job), descriptors: [other]) {
        case .began(let process):
            state.withLock { _ = $0.copies.insert(process) }
            if signals.isRequested { kill(process, SIGTERM) }
            return (channel, process)
        case .failed(let reason): throw ChannelError(reason: reason)
        default: throw ChannelError(reason: "the worker makes no sense")
        }
    }

    private func collect(_ process: Int32) throws(ChannelError) -> Int32 {
        guard case .ended(let status) = try ask(.collect(process: process)) else {
            throw ChannelError(reason: "the worker makes no sense")
        }
        return status
    }

    private func ask(_ order: WorkOrder, descriptors: [Int32] = []) throws(ChannelError) -> WorkReply {
        let result: Result<WorkReply, ChannelError> = asking.withLock { _ in
            do throws(ChannelError) {
                try worker.channel.send(order, descriptors: descriptors)
                guard let reply = try worker.channel.receive(WorkReply.self) else {
                    throw ChannelError(reason: "the worker is gone")
                }
                return .success(reply.value)
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// What the worker or one of its libraries said for itself at the end, in one line.
    private static func lastWords(of worker: WorkerProcess) -> String? {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(worker.lastWords, &bytes, bytes.count)
        guard count > 0 else { return nil }
        let lines = String(decoding: bytes.prefix(count), as: UTF8.self).split(separator: "\n")
        return lines.first { !$0.allSatisfy(\.isWhitespace) }.map { String($0.prefix(300)) }
    }
}

extension WorkFailure {
    /// Why a process ended that did not say so itself.
    fileprivate init(status: Int32) {
        switch status & 0x7f {
        case 0: self = .vanished
        // Nobody here sends this one to a worker that speaks; the system does where memory is short.
        case SIGKILL: self = .outOfMemory
        default: self = .crashed
        }
    }

    /// The exit code where not even a copy of the worker can be made to tell it.
    fileprivate var code: Int32 {
        switch self {
        case .crashed: 65
        case .outOfMemory, .stuck: 75
        case .vanished: 70
        }
    }
}
