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

/// One run of a command: the worker, its copies, and how their work ended.
final class WorkRun: Sendable {
    private struct State {
        /// Copies that are at work.
        var copies: Set<Int32> = []
        var ends: [Int: [WorkEnd]] = [:]
        var next = 0
        /// Whether there is no use in going on.
        var isOver = false
        var worker: WorkerProcess
        /// Whether the worker has done a piece of work itself, so that the next needs another one.
        var isWorkerSpent = false
        /// Whether the worker is of no use any more.
        var isWorkerGone = false
        /// Why there is no other one.
        var lack: ChannelError?
        /// How many signals asked for the end.
        var requests = 0
        /// How many copies are at work side by side.
        var sharers = 1
        /// How many pieces of work have not ended.
        var remaining = 1
        /// Whether all is one piece of work.
        var isOneJob = false
        /// Whether a file system does not keep what results were made of.
        var lacksMarks = false

        init(_ worker: WorkerProcess) { self.worker = worker }
    }

    private let start: WorkerStart
    private let plan: WorkPlan
    private let files: RunFiles
    private let signals: SignalWatch
    private let teller: Teller
    /// Pieces of work that have ended.
    private let ended = WaitingLock<Set<Int>>([])
    private let state: Mutex<State>
    /// Files whose results are there, with what is said of them.
    private let kept: [Int: String]

    /// The versions of the media libraries.
    private let libraries: [String]
    /// Seconds that a copy has to end in that has said all.
    private let grace: Int
    /// Bytes for standard output about one file, which are beyond all metadata in JSON.
    private static let maximumOutput = 1 << 30
    /// Bytes of lines for standard error about one file.
    private static let maximumDiagnostics = 16 << 20

    /// - Parameter begun: A worker that was started before the command line was understood.
    init(_ options: CommandLineOptions, _ batch: WorkBatch, _ signals: SignalWatch, begun: BegunWorker?) throws {
        let plan = batch.plan
        if plan.isPrivate { umask(0o077) }
        let settings = try WorkerProcess.Settings(options, plan)
        (self.plan, self.signals) = (plan, signals)
        teller = Teller(batch.listener)
        grace = Int(min(10_000, plan.stallTime ?? 10_000) + 999) / 1000
        var surroundings = WorkSurroundings()
        surroundings.arguments = batch.arguments
        (surroundings.firstFile, surroundings.fileCount) = (batch.firstFile, batch.fileCount)
        surroundings.hasStandardInput = Console.hasStandardInput
        surroundings.standardInputIsTerminal = isatty(0) == 1
        (surroundings.allowsNetwork, surroundings.memory) = (plan.allowsNetwork, MemorySize.available())
        surroundings.wantsLibraryVersions = batch.libraries != nil
        start = WorkerStart(settings: settings, surroundings: surroundings)
        let greeting = try start.worker(begun?.taken(with: settings)) { signals.isRequested }
        state = Mutex(State(greeting.worker))
        libraries = greeting.libraries
        if let wanted = batch.libraries, wanted != libraries {
            throw Failure(
                .otherVersion,
                "the media libraries are \(libraries.joined(separator: ", ")), not \(wanted.joined(separator: ", "))")
        }
        let missing = Isolation.all.subtracting(greeting.isolation)
        guard options.sandbox != .require || missing.isEmpty else {
            throw ChannelError(
                reason: "--sandbox require: this system lacks \(missing.names.joined(separator: ", "))")
        }
        files = batch.run ?? plan.runFiles(reading: plan.files)
        kept = plan.resumes && batch.passesOverKept ? try KeptResults.lines(of: plan, batch.made) : [:]
        Console.expect(plan.files)
        warn(of: missing, options)
        if options.isVerbose {
            let lacks = missing.isEmpty ? "" : "; not isolated: \(missing.names.joined(separator: ", "))"
            Console.error(
                "avtool: \(AVTool.version)" + libraries.map { ", \($0)" }.joined()
                    + "; isolation: \(greeting.isolation.names.joined(separator: ", "))\(lacks)")
        }
    }

    /// Says once that less is kept from the worker than users expect, if they have not asked for that here.
    private func warn(of missing: Isolation, _ options: CommandLineOptions) {
        let lacking = missing.intersection([.noNewPrivileges, .files, .calls])
        let line: String
        switch options.sandbox {
        case .off:
            guard let source = options.sandboxSource else { return }
            line = "\(source) says sandbox = off: what reads files is not isolated"
        case .auto:
            guard !lacking.isEmpty else { return }
            line =
                "this system lacks \(lacking.names.joined(separator: ", ")): what reads files is less isolated;"
                + " --sandbox require refuses that"
        case .require: return
        }
        let isFirst = Self.hasWarned.withLock { hasWarned in
            defer { hasWarned = true }
            return !hasWarned
        }
        if isFirst { Console.warn("avtool: \(line)") }
    }

    private static let hasWarned = Mutex(false)

    /// Does the work.
    ///
    func run() throws -> RunTally {
        signals.onRequest { [self] in cancel() }
        let groups = WorkGroups(of: plan, memory: start.surroundings.memory / 4 * 3, without: Set(kept.keys))
        let jobs = plan.isOneJob || plan.files.isEmpty ? [plan.files.indices] : groups.ranges
        let order = ResultOrder(of: jobs, plan.grants)
        let sharers = max(1, min(groups.atATime, jobs.count))
        state.withLock { ($0.sharers, $0.remaining, $0.isOneJob) = (sharers, jobs.count, jobs.count == 1) }
        let others = DispatchGroup()
        for _ in 1..<sharers {
            others.enter()
            WorkThread.start { [self] in
                work(on: jobs, order)
                others.leave()
            }
        }
        work(on: jobs, order)
        others.wait()
        files.removeEmptyFolders()
        worker.end()
        if plan.resumes, state.withLock(\.lacksMarks) {
            Console.error(
                "avtool: the file system keeps no extended attributes, so that --resume will not know these results")
        }
        return tally(of: jobs)
    }

    private var worker: WorkerProcess { state.withLock { $0.worker } }

    private func tally(of jobs: [Range<Int>]) -> RunTally {
        let ends = state.withLock { state in jobs.indices.flatMap { state.ends[$0] ?? [] } }
        var tally = RunTally()
        for end in ends {
            var next = RunTally()
            (next.done, next.failed, next.isOver) = (end.fileCount, end.failed, end.endsAll)
            tally.add(next)
        }
        tally.kept = kept.count
        (tally.code, tally.libraries) = (code(of: ends), libraries)
        return tally
    }

    private func code(of ends: [WorkEnd]) -> Int32 {
        let first = ends.first { $0.code != 0 }
        // An interruption that comes when all is done has nothing to interrupt.
        let isDone = ends.reduce(0) { $0 + $1.fileCount } == plan.files.count && first == nil && !ends.isEmpty
        if signals.isRequested, !isDone {
            // One that came between two files has not been said of any.
            if !ends.contains(where: \.tellsOfInterruption) { Console.error("avtool: interrupted") }
            return 130
        }
        // Nobody interrupted the command: another program ended its worker.
        return first.map { $0.code == 130 ? 75 : $0.code } ?? 0
    }

    /// Asks the copies to end; whoever asks twice does not wait for them.
    private func cancel() {
        let (copies, requests) = state.withLock { state in
            state.requests += 1
            return (state.copies, state.requests)
        }
        for copy in copies { kill(copy, requests > 1 ? SIGKILL : SIGTERM) }
    }

    // MARK: Jobs

    private func work(on jobs: [Range<Int>], _ order: ResultOrder) {
        while true {
            let (number, isOver) = state.withLock { state in
                defer { state.next += 1 }
                return (state.next, state.isOver)
            }
            guard number < jobs.count else { return }
            if !isOver, !signals.isRequested {
                // Whoever comes first on the command line gets a name that two would have.
                ended.wait { ended in order.before[number].allSatisfy(ended.contains) ? () : nil }
                teller.awaitRoom(number)
                if let line = kept[jobs[number].lowerBound] {
                    teller.tell(.output(Array(line.utf8)), of: number)
                    add(WorkEnd(code: 0, fileCount: 1), to: number)
                } else {
                    work(on: jobs[number], number)
                }
            }
            state.withLock { $0.remaining -= 1 }
            ended.change { _ = $0.insert(number) }
            teller.end(number)
        }
    }

    /// Has files worked on, whatever becomes of the worker over one of them.
    private func work(on files: Range<Int>, _ number: Int) {
        var job: WorkOrder.Job? = newJob(files)
        job?.isAlone = state.withLock { $0.isOneJob }
        while let current = job {
            job = nil
            let course = serve(current, number)
            let reached = course.reached
            if let end = course.end {
                add(end, to: number)
                if end.stops { job = rest(of: files, after: reached) }
            }
            guard course.end == nil, let failure = course.failure else { continue }
            if let before = course.before { add(before, to: number) }
            guard !signals.isRequested else { return }
            guard !state.withLock({ $0.isWorkerGone }) else { return tellOfWorker(number) }
            guard !plan.files.isEmpty else {
                Console.error("avtool: \(failure.reason)\(words())")
                return add(WorkEnd(code: failure.code), to: number)
            }
            // What a file before it left behind is not its fault, so it has a copy of its own.
            if reached > current.files.lowerBound, course.isUntouched, canBeginAgain(reached), failure.isSudden {
                job = newJob(reached..<files.upperBound)
                continue
            }
            // A new copy says what happened, as it would be said of any failure; another goes on with the rest.
            let told = serve(WorkOrder.Job(files: reached..<(reached + 1), failure: failure), number)
            guard !state.withLock({ $0.isWorkerGone }) else { return tellOfWorker(number) }
            if let end = told.end {
                add(end, to: number)
            } else {
                // Nor is there one that could: so it is told here, for people only.
                let actual = worker.endingSignal == 0 ? failure : WorkFailure(status: worker.endingSignal)
                let name = plan.files[reached].withVisiblePathBytes.printable()
                teller.tell(.diagnostics("avtool: \(name): \(actual.reason)"), of: number)
                add(WorkEnd(code: actual.code, failed: actual.counts), to: number)
            }
            job = rest(of: files, after: reached)
        }
    }

    /// Whether a file can be read from its beginning once more.
    private func canBeginAgain(_ index: Int) -> Bool {
        let file = plan.files[index]
        return !plan.isOneJob && file != SourceFile.standardInput && !OutputPlace.isStream(file)
    }

    private func rest(of files: Range<Int>, after index: Int) -> WorkOrder.Job? {
        index + 1 < files.upperBound && !signals.isRequested ? newJob((index + 1)..<files.upperBound) : nil
    }

    /// Says, once for all files, that the worker is of no use.
    private func tellOfWorker(_ number: Int) {
        let isTold = state.withLock { state in
            defer { state.isOver = true }
            return state.isOver
        }
        let lack = state.withLock(\.lack)
        let isEnded = [SIGKILL, SIGTERM].contains(worker.endingSignal)
        let reason =
            isEnded ? "the system or another program ended the worker" : "the worker ended without a word\(words())"
        if !isTold { Console.error("avtool: \(lack?.reason ?? reason)") }
        add(WorkEnd(code: isEnded || lack?.kind == .outOfMemory ? 75 : 70, endsAll: true), to: number)
    }

    private func words() -> String { worker.readLastWords().map { ": \($0)" } ?? "" }

    private func newJob(_ files: Range<Int>) -> WorkOrder.Job {
        var job = WorkOrder.Job(files: files)
        let (sharers, remaining) = state.withLock { ($0.sharers, $0.remaining) }
        job.sharers = sharers
        job.threads = max(1, ProcessInfo.processInfo.activeProcessorCount / max(1, min(sharers, remaining)))
        // What comes once has gone by when another copy begins.
        job.mayStop = !plan.isOneJob
        return job
    }

    private func add(_ end: WorkEnd, to number: Int) {
        state.withLock { state in
            state.ends[number, default: []].append(end)
            state.isOver = state.isOver || end.endsAll
        }
    }

    /// How far a copy of the worker came.
    private struct Course {
        /// The file that it had come to.
        var reached: Int
        /// How it ended by itself.
        var end: WorkEnd?
        /// How the work on the files before that one ended.
        var before: WorkEnd?
        /// Why it did not.
        var failure: WorkFailure?
        /// Whether it may have read a stranger's byte.
        var hasBegun = false
        /// Bytes that it has said of the file.
        var outputCount = 0
        var diagnosticsCount = 0
        /// Whether nothing was said or made of the file.
        var isUntouched = false

        init(reached: Int) { self.reached = reached }
    }

    /// Serves one copy of the worker from its beginning to its end.
    private func serve(_ job: WorkOrder.Job, _ number: Int) -> Course {
        var course = Course(reached: job.files.lowerBound)
        do {
            let service = FileService(grants(for: job), run: files, resumes: plan.resumes) { [signals] in
                signals.isRequested
            }
            beginFile(course.reached, service)
            let (channel, process, worker) = try begin(job, with: input(of: job, service))
            do {
                try listen(to: channel, service, job, number, &course)
            } catch {
                course.failure = WorkFailure(error.kind)
                kill(process, SIGKILL)
            }
            // Whoever still waits for an answer gets none any more.
            channel.shutDown()
            let wentByItself = worker.awaitEnd(ofCopy: process, seconds: grace)
            state.withLock { _ = $0.copies.remove(process) }
            let status = try collect(process, of: worker)
            if course.end == nil, course.failure == nil {
                course.failure = wentByItself ? WorkFailure(status: status, words: worker.readWords()) : .vanished
            }
            course.isUntouched =
                course.end == nil && course.outputCount + course.diagnosticsCount == 0 && service.withdraw()
        } catch {
            if course.end == nil { course.failure = WorkFailure((error as? ChannelError)?.kind ?? .system) }
        }
        return course
    }

    /// Does what a copy asks for, and passes on what it says, until it says nothing more.
    private func listen(
        to channel: Channel, _ service: FileService, _ job: WorkOrder.Job, _ number: Int, _ course: inout Course
    ) throws(ChannelError) {
        var patience = StallPatience(channel, limit: plan.stallTime)
        while let message = try patience.next() {
            defer { for descriptor in message.descriptors { close(descriptor) } }
            switch message.value {
            case .call(let call): try answer(service.answer(call, message.bytes), through: channel)
            case .output:
                course.outputCount += message.bytes.count
                teller.tell(.output(message.bytes), of: number)
            case .diagnostics(let lines):
                course.diagnosticsCount += lines.utf8.count
                teller.tell(.diagnostics(lines), of: number)
            case .warnings(let lines):
                course.diagnosticsCount += lines.utf8.count
                teller.tell(.warnings(lines), of: number)
            case .progress(let file, let fraction, let details):
                teller.tell(.progress(file: file, fraction: fraction, details: details), of: number)
            case .moves: break
            case .begins(let index, let before):
                course.hasBegun = true
                guard job.files.contains(index), index > course.reached else { break }
                let before = before.credible(of: index - job.files.lowerBound, hasBegun: true)
                if before.fileCount > course.before?.fileCount ?? 0 { endFile(service) }
                course.before = before
                (course.reached, course.outputCount, course.diagnosticsCount) = (index, 0, 0)
                beginFile(index, service)
            case .done(let value):
                let end = value.credible(of: job.files.count, hasBegun: course.hasBegun)
                if end.fileCount > course.before?.fileCount ?? 0 { endFile(service) }
                course.end = end
            }
            guard plan.streams || course.outputCount <= Self.maximumOutput,
                course.diagnosticsCount <= Self.maximumDiagnostics
            else {
                throw ChannelError(reason: "too much is said", kind: .excess)
            }
        }
    }

    private func beginFile(_ index: Int, _ service: FileService) {
        service.beginFile(plan.resultKey(of: index) { service.input($0) ?? RandomAccessFile(path: $0) })
    }

    /// The only file of a job, opened for the worker.
    private func input(of job: WorkOrder.Job, _ service: FileService) -> RandomAccessFile? {
        guard job.isAlone, job.failure == nil, let index = job.files.first, plan.files.indices.contains(index),
            plan.files[index] != SourceFile.standardInput
        else { return nil }
        return service.input(SourceFile.url(plan.files[index]).path)
    }

    /// All work on a file is done.
    private func endFile(_ service: FileService) {
        if !service.endFile() { state.withLock { $0.lacksMarks = true } }
    }

    private func answer(
        _ answer: (FileAnswer, descriptor: Int32?), through channel: Channel
    ) throws(ChannelError) {
        defer { if let descriptor = answer.descriptor { close(descriptor) } }
        do {
            try channel.send(answer.0, descriptors: answer.descriptor.map { [$0] } ?? [])
        } catch {
            if error.kind == .timeout { throw error }
            // It waits for nothing more; what it has said before is still to be heard.
            channel.endSending()
        }
    }

    private func grants(for job: WorkOrder.Job) -> FileGrants {
        guard !job.files.isEmpty else { return plan.grants.first ?? FileGrants() }
        return plan.grants[job.files].reduce(into: FileGrants()) { all, next in
            all.inputs.formUnion(next.inputs)
            all.nestedFolders += next.nestedFolders
            all.results += next.results
            all.kept.formUnion(next.kept)
            all.changeable.formUnion(next.changeable)
            all.temporaryFolder = next.temporaryFolder
            all.fillsEmptyFiles = next.fillsEmptyFiles
        }
    }

    /// Has the worker make a copy of itself, or do the work without one.
    ///
    /// - Parameter input: The first of its files, if it goes along.
    private func begin(
        _ job: WorkOrder.Job, with input: RandomAccessFile?
    ) throws -> (Channel, process: Int32, of: WorkerProcess) {
        let (channel, other) = try Channel.pair()
        let descriptor = input?.duplicate()
        defer { for open in [other, descriptor].compactMap(\.self) { close(open) } }
        var job = job
        job.hasInput = descriptor != nil
        if state.withLock(\.isWorkerSpent) {
            do {
                let another = try start.worker { [signals] in signals.isRequested }.worker
                state.withLock { ($0.worker, $0.isWorkerSpent) = (another, false) }
            } catch {
                state.withLock { ($0.isWorkerGone, $0.lack) = (true, error as? ChannelError) }
                throw error
            }
        }
        let worker = worker
        switch try ask(.work(job), descriptors: [other] + (descriptor.map { [$0] } ?? [])) {
        case .began(let process) where process > 0:
            state.withLock { state in
                state.copies.insert(process)
                state.isWorkerSpent = process == worker.process
            }
            if signals.isRequested { kill(process, SIGTERM) }
            return (channel, process, worker)
        case .failed(let reason): throw ChannelError(reason: reason, kind: .outOfMemory)
        default: throw ChannelError(reason: "the worker makes no sense")
        }
    }

    private func collect(_ process: Int32, of worker: WorkerProcess) throws(ChannelError) -> Int32 {
        if process == worker.process { return worker.wait() }
        guard case .ended(let status) = try ask(.collect(process: process)) else {
            throw ChannelError(reason: "the worker makes no sense")
        }
        return status
    }

    private func ask(_ order: WorkOrder, descriptors: [Int32] = []) throws(ChannelError) -> WorkReply {
        do {
            return try worker.ask(order, descriptors: descriptors)
        } catch {
            // What it answers from now on might be an answer to something else.
            worker.channel.shutDown()
            state.withLock { $0.isWorkerGone = true }
            throw error
        }
    }
}
