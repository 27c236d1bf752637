internal import AVToolCommands
internal import Dispatch
internal import Foundation
internal import MediaIO
internal import OpenAVFoundation
internal import OpenAVFoundationExtras
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// What is done with each file of a command.
typealias FileWork<Document: ResultDocument> = @Sendable (String, Work<Document>) async throws -> FileReport<Document>

/// The work of a command on each of several files: one that fails does not stop the others.
protocol FileWorking: FileCommand {
    /// What `--json` prints.
    associatedtype Document: ResultDocument

    /// Gets ready for all files, and gives what is done with each of them.
    func prepared() async throws -> FileWork<Document>

    /// What `--json` prints of a file that failed.
    func document(of failure: Failure, file: String) -> any Encodable
}

/// The work of a command that is no ``FileCommand``.
protocol WholeWorking: Sendable {
    func run() async throws
}

extension FileWorking {
    func document(of failure: Failure, file: String) -> any Encodable {
        JSONFailedSource(source: file, error: JSONError(failure))
    }

    /// How many files the command has in all, of which this process may know a part.
    var fileCount: Int { max(files.count, WorkerConsole.surroundings.fileCount) }

    /// Works on some of the files, one after the other.
    func work(on job: WorkOrder.Job) async -> WorkEnd {
        let failures = FailureLog()
        let course = Mutex((done: 0, stops: false))
        do {
            try await Interruption.cancelling {
                let end = try await loop(job, failures)
                course.withLock { $0 = end }
            }
        } catch let end as CommandEnded {
            return WorkEnd(
                code: end.code.rawValue, tellsOfInterruption: failures.tellsOfInterruption, failed: failures.counts)
        } catch {
            let failure = Failure(error)
            WorkerConsole.error("avtool: \(failure.message)")
            return WorkEnd(
                code: failure.code.rawValue, tellsOfInterruption: failure.name == .cancelled, endsAll: true)
        }
        let (done, stops) = course.withLock { $0 }
        return end(failures, done, stops: stops)
    }

    private func end(_ failures: FailureLog, _ done: Int, stops: Bool = false) -> WorkEnd {
        WorkEnd(
            code: failures.first?.code.rawValue ?? 0, tellsOfInterruption: failures.tellsOfInterruption,
            fileCount: done, failed: failures.counts, stops: stops)
    }

    /// - Returns: How many files were worked on, and whether it stopped before the last.
    private func loop(_ job: WorkOrder.Job, _ failures: FailureLog) async throws -> (done: Int, stops: Bool) {
        var done = 0
        if let reason = job.failure, let index = job.files.first {
            try tell(Failure(reason), of: files[index], failures)
            return (0, false)
        }
        let work: FileWork<Document>
        do { work = try await prepared() } catch { throw Failure(error) }
        let limits = (self as? any Bounded)?.bounds.limits ?? MediaLimits()
        let run = RunFiles(
            reading: [], playsPlaylists: true, largestResult: UInt64(limits.outputSize), access: WorkerFiles.access)
        for index in job.files where !Interruption.isRequested {
            WorkerConsole.say(.begins(index, before: end(failures, done)))
            failures.beginFile()
            let file = files[index]
            let surroundings = Work<Document>(
                files: run, index: WorkerConsole.surroundings.firstFile + index, count: fileCount,
                report: { try tell($0, of: file, failures) },
                warn: { WorkerConsole.warn(file, $0) },
                progress: { WorkerConsole.progress(file, $0, $1) },
                stream: {
                    if let failure = Failure.ofMemory { throw failure }
                    WorkerConsole.stream($0)
                })
            do {
                try tell(try await work(file, surroundings), of: file, failures)
                if !failures.hasFileFailed { done += 1 }
            } catch let error as FailureOfFile {
                try tell(error.failure.orOfMemory, of: error.file, failures)
            } catch {
                try tell(Failure(error).orOfMemory, of: file, failures)
            }
            if job.mayStop, failures.mayOutlastFile { return (done, true) }
        }
        return (done, false)
    }

    /// Says what was found or made of a file.
    private func tell(_ report: FileReport<Document>, of file: String, _ failures: FailureLog) throws {
        // FFmpeg passes over what it had no memory for, and what it found without that may be anything.
        if let failure = Failure.ofMemory { throw failure }
        if let failure = report.failure { try failures.report(failure, file: file) }
        if json, let document = report.document {
            try JSONLine.print(document.json)
        } else if let text = report.text {
            try WorkerConsole.write(text)
        }
        for warning in report.warnings { WorkerConsole.warn(file, warning) }
        for note in report.notes { WorkerConsole.note(file, note) }
        if let flaw = report.flaw { failures.note(flaw) }
    }

    /// Says that nothing can be found or made of a file.
    private func tell(_ failure: Failure, of file: String, _ failures: FailureLog) throws {
        try failures.report(failure, file: file)
        if json { try JSONLine.print(document(of: failure, file: file)) }
    }
}

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

/// Says now and then that the work gets further, as long as it does.
///
/// Whoever hears nothing for too long ends this process: a thread that is caught in a library cannot be ended otherwise.
struct PulseWatch {
    private let timer: any DispatchSourceTimer

    /// - Parameters:
    ///   - stallTime: For how many thousandths of a second the work may get no further.
    ///   - say: Says that it does.
    init(stallTime: Int64?, say: @escaping @Sendable () -> Void) {
        timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "avtool.pulse"))
        let interval = DispatchTimeInterval.milliseconds(Int(min(2000, max(20, (stallTime ?? 60_000) / 4))))
        timer.schedule(deadline: .now() + interval, repeating: interval, leeway: .milliseconds(50))
        let last = Mutex(WorkPulse.count)
        timer.setEventHandler {
            let count = WorkPulse.count
            let moved = last.withLock { last in
                defer { last = count }
                return last != count
            }
            if moved { say() }
        }
        timer.resume()
    }

    func end() { timer.cancel() }
}
