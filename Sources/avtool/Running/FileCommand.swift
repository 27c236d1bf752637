internal import ArgumentParser
internal import Foundation
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

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
    /// How many files are worked on side by side; what is said of them comes in their order all the same.
    static var filesAtATime: Int { get }

    /// Gets ready for all files, and gives what is done with each of them.
    func prepared() async throws -> FileWork<Document>

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
}

extension FileCommand {
    var otherInputs: [String?] { [] }
    static var filesAtATime: Int { 1 }

    func document(of failure: Failure, file: String) -> any Encodable {
        JSONFailedSource(source: file, error: JSONError(failure))
    }

    func run() async throws {
        try await Interruption.cancelling { try await loop() }
    }

    private func loop() async throws {
        let files = files
        let work: FileWork<Document>
        do { work = try await prepared() } catch { throw Failure(error) }
        let run = RunFiles(of: files, otherInputs)
        let failures = FailureLog()
        var done = 0
        for start in stride(from: 0, to: files.count, by: Self.filesAtATime) where !Interruption.isRequested {
            let batch = start..<min(start + Self.filesAtATime, files.count)
            for (index, result) in zip(batch, await results(of: files, batch, work, in: run, failures)) {
                do {
                    try tell(try result.get(), of: files[index], failures)
                    done += 1
                } catch {
                    try tell(Failure(error), of: files[index], failures)
                }
            }
        }
        // An interruption that comes when all is done has nothing to interrupt.
        if done < files.count || !failures.isEmpty { try failures.exitIfNeeded() }
    }

    private func results(
        of files: [String], _ batch: Range<Int>, _ work: @escaping FileWork<Document>, in run: RunFiles,
        _ failures: FailureLog
    ) async -> [Result<FileReport<Document>, any Error>] {
        await withTaskGroup { group in
            for index in batch {
                let file = files[index]
                let surroundings = Work<Document>(
                    files: run, index: index, count: files.count,
                    report: { try tell($0, of: file, failures) },
                    warn: { Console.warn(file, $0) },
                    progress: { Console.progress(file, $0, $1) })
                group.addTask { (index, await Result { try await work(file, surroundings) }) }
            }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }.sorted { $0.key < $1.key }.map(\.value)
        }
    }

    /// Says what was found or made of a file.
    private func tell(_ report: FileReport<Document>, of file: String, _ failures: FailureLog) throws {
        if let failure = report.failure { try failures.report(failure, file: file) }
        if json, let document = report.document {
            try JSONLine.print(document.json)
        } else if let text = report.text {
            try Console.write(text)
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

extension Result where Failure == any Error {
    /// What an operation gives, or the error it throws.
    fileprivate init(catching body: () async throws -> Success) async {
        do {
            self = .success(try await body())
        } catch {
            self = .failure(error)
        }
    }
}
