internal import AVToolCommands
internal import MediaIO
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// All that there is to know for the work on one file, free of the terminal.
protocol FileRequest: Sendable {
    associatedtype Document: ResultDocument

    /// Does the work.
    ///
    /// - Parameter work: Who listens meanwhile, and the files of the run, which gives results their places.
    /// - Returns: What is to be said at the end.
    func run(in work: Work<Document>) async throws -> FileReport<Document>
}

/// What `--json` prints of a result.
protocol ResultDocument: Encodable, Sendable {
    /// What is printed, where that is not the whole value.
    var json: any Encodable { get }
}

extension ResultDocument {
    var json: any Encodable { self }
}

extension Never: ResultDocument {}

/// What is said of a file: for programs, for people, or both.
struct FileReport<Document: ResultDocument>: Sendable {
    /// What `--json` prints.
    var document: Document?
    /// What is printed for people, and with `--json` where there is nothing else.
    var text: String?
    /// What is said on standard error besides, a line each.
    var warnings: [String] = []
    /// What is said there without the tool's name.
    var notes: [String] = []
    /// What could not be had of what was asked for.
    var failure: Failure?
    /// What keeps the command from success and is said already.
    var flaw: Failure?
}

extension FileReport {
    /// Lines for people.
    init(document: Document? = nil, lines: [String], warnings: [String] = [], flaw: Failure? = nil) {
        let text = lines.isEmpty ? nil : lines.joined(separator: "\n") + "\n"
        self.init(document: document, text: text, warnings: warnings, flaw: flaw)
    }
}

/// What work on a file has around it.
struct Work<Document: ResultDocument>: Sendable {
    /// The files of the run.
    let files: RunFiles
    /// Which of the run's files it is, from 0.
    let index: Int
    /// How many files there are.
    let count: Int
    /// Takes a part of what is said, as soon as that is known.
    let report: @Sendable (FileReport<Document>) throws -> Void
    /// Takes what is to be said on standard error at once.
    let warn: @Sendable (String) -> Void
    /// Takes how much is done, and what else is to be said after that.
    let progress: @Sendable (Double, String) -> Void
    /// Takes a result for standard output, at once.
    var stream: @Sendable ([UInt8]) throws -> Void = { _ in }
}

extension Work {
    /// Says what was lost.
    func warn(of losses: [some Loss]) {
        for loss in losses { warn(loss.line) }
    }
}

extension CommandRequest {
    /// What speaks against it that only media libraries know; `nil` for nothing.
    var objection: String? {
        guard let source = (command as? any SourceReading)?.source else { return nil }
        for format in source.allowFormat {
            guard let objection = MediaFormats.objection(toAllowing: format) else { continue }
            return "--allow-format \(format): \(objection); --help says more"
        }
        return nil
    }

    /// Does it, for some of its files.
    func work(on job: WorkOrder.Job) async -> WorkEnd {
        switch self {
        case .perFile(let command as any FileWorking): await command.work(on: job)
        case .whole(let command as any FileWorking): await command.work(on: WorkOrder.Job(files: command.files.indices))
        case .whole(let command as any WholeWorking): await Self.run(command)
        case .perFile, .whole, .units, .said: WorkEnd(code: Failure.Code.software.rawValue)
        }
    }

    private static func run(_ command: any WholeWorking) async -> WorkEnd {
        do {
            try await command.run()
            return WorkEnd(code: 0)
        } catch let end as CommandEnded {
            return WorkEnd(code: end.code.rawValue, tellsOfInterruption: end.code == .interrupted)
        } catch {
            let failure = Failure(error)
            WorkerConsole.error("avtool: \(failure.message)")
            return WorkEnd(code: failure.code.rawValue)
        }
    }
}

/// What went wrong with a file beside the one that the work is named after.
struct FailureOfFile: Error {
    let file: String
    let failure: Failure

    /// Does something with a file, whose name its errors have.
    static func naming<Result>(_ file: String, _ body: () async throws -> Result) async throws -> Result {
        do { return try await body() } catch {
            throw FailureOfFile(file: file, failure: Failure(error))
        }
    }
}

/// Something that a result does not hold, or holds otherwise than its source.
protocol Loss {
    /// The loss with its reason.
    var line: String { get }
}

extension ExportLoss: Loss {
    var line: String { "\(effect.rawValue): \(item): \(reason)" }
}

extension MetadataLoss: Loss {
    var line: String { "\(isChange ? "changed" : "lost"): \(item): \(reason)" }
}
