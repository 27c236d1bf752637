internal import ArgumentParser
internal import Foundation
internal import MediaFile
internal import MediaIsolation
internal import OpenAVFoundation
internal import OpenAVFoundationExtras
internal import Synchronization

/// What is done with each file of a command.
typealias FileWork<Document: ResultDocument> = @Sendable (String, Work<Document>) async throws -> FileReport<Document>

/// A command that does the same with each of several files: one that fails does not stop the others.
protocol FileCommand: AsyncParsableCommand, Sendable {
    /// What `--json` prints.
    associatedtype Document: ResultDocument

    var files: [String] { get }
    var json: Bool { get }
    /// What is read beside the files, for all of them.
    var otherInputs: [String?] { get }
    /// Whether each file's work stands for itself; else all is done in one go.
    static var isPerFile: Bool { get }

    /// Gets ready for all files, and gives what is done with each of them.
    func prepared() async throws -> FileWork<Document>

    /// What the work on a file may do.
    func grants(for file: String) -> FileGrants

    /// Lets the work on a file do what the command line asks for, beyond reading it.
    func addGrants(to grants: inout FileGrants, for file: String)

    /// What `--json` prints of a file that failed.
    func document(of failure: Failure, file: String) -> any Encodable
}

/// A command that reads media files and can say as JSON what it found or made.
protocol MediaCommand: FileCommand, Reporting {
    var source: SourceOptions { get }
    var report: ReportOptions<Self> { get }
}

extension MediaCommand {
    var files: [String] { source.files }
    var json: Bool { report.json }

    func grants(for file: String) -> FileGrants {
        var grants = FileGrants()
        for other in otherInputs { if let other { grants.add(input: other) } }
        grants.add(input: file, allowsNesting: !source.allowFormat.isEmpty)
        addGrants(to: &grants, for: file)
        return grants
    }
}

extension FileCommand {
    var otherInputs: [String?] { [] }
    static var isPerFile: Bool { true }

    func document(of failure: Failure, file: String) -> any Encodable {
        JSONFailedSource(source: file, error: JSONError(failure))
    }

    /// What the work on a file may do.
    func grants(for file: String) -> FileGrants {
        var grants = FileGrants()
        for other in otherInputs { if let other { grants.add(input: other) } }
        grants.add(input: file)
        addGrants(to: &grants, for: file)
        return grants
    }

    func addGrants(to grants: inout FileGrants, for file: String) {}

    /// For commands whose files are no strangers': all of them, in one go.
    func run() async throws {
        let end = await work(on: WorkOrder.Job(files: files.indices))
        if end.code != 0 { throw CommandEnded(code: Failure.Code(rawValue: end.code) ?? .software) }
    }

    /// Works on some of the files, one after the other.
    func work(on job: WorkOrder.Job) async -> WorkEnd {
        let failures = FailureLog()
        let done = Mutex(0)
        do {
            try await Interruption.cancelling {
                let count = try await loop(job, failures)
                done.withLock { $0 = count }
            }
        } catch let end as CommandEnded {
            return WorkEnd(code: end.code.rawValue, tellsOfInterruption: failures.tellsOfInterruption)
        } catch {
            let failure = Failure(error)
            Console.error("avtool: \(failure.message)")
            return WorkEnd(
                code: failure.code.rawValue, tellsOfInterruption: failure.name == .cancelled, endsAll: true)
        }
        return WorkEnd(
            code: failures.first?.code.rawValue ?? 0, tellsOfInterruption: failures.tellsOfInterruption,
            fileCount: done.withLock { $0 })
    }

    /// - Returns: How many files were worked on.
    private func loop(_ job: WorkOrder.Job, _ failures: FailureLog) async throws -> Int {
        var done = 0
        if let reason = job.failure, let index = job.files.first {
            try tell(Failure(reason), of: files[index], failures)
            return 0
        }
        let work: FileWork<Document>
        do { work = try await prepared() } catch { throw Failure(error) }
        let run = RunFiles()
        for index in job.files where !Interruption.isRequested {
            Console.say(.begins(index))
            let file = files[index]
            let surroundings = Work<Document>(
                files: run, index: index, count: files.count,
                report: { try tell($0, of: file, failures) },
                warn: { Console.warn(file, $0) },
                progress: { Console.progress(file, $0, $1) })
            do {
                try tell(try await work(file, surroundings), of: file, failures)
                done += 1
            } catch {
                try tell(Failure(error), of: file, failures)
            }
        }
        return done
    }

    /// Says what was found or made of a file.
    private func tell(_ report: FileReport<Document>, of file: String, _ failures: FailureLog) throws {
        if let failure = report.failure { try failures.report(failure, file: file) }
        if json, let document = report.document {
            try JSONLine.print(document.json)
        } else if let text = report.text {
            try Console.write(Data(text.utf8))
        }
        for warning in report.warnings { Console.warn(file, warning) }
        for note in report.notes { Console.error("\(file.oneLine): \(note.oneLine)") }
        if let flaw = report.flaw { failures.note(flaw) }
    }

    /// Says that nothing can be found or made of a file.
    private func tell(_ failure: Failure, of file: String, _ failures: FailureLog) throws {
        try failures.report(failure, file: file)
        if json { try JSONLine.print(document(of: failure, file: file)) }
    }
}
