internal import ArgumentParser
internal import Foundation
internal import MediaFile
internal import MediaIsolation
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// What a command line asks for.
enum WorkCommand: Sendable {
    /// The same for each of some files.
    case perFile(any FileCommand)
    /// Something else.
    case whole(any ParsableCommand & Sendable)
    /// What cannot be done, or is only to be said.
    case said(text: String, isResult: Bool, code: Int32)

    init(_ arguments: [String]) {
        if let hint = CommandArguments.hint(arguments, isRejected: false) {
            self = .rejected(hint)
            return
        }
        do {
            switch try AVTool.parseAsRoot(arguments) {
            case let command as any FileCommand where type(of: command).isPerFile: self = .perFile(command)
            case let command as any ParsableCommand & Sendable: self = .whole(command)
            default: self = .rejected("there is no such command")
            }
        } catch {
            self = .ended(by: error, arguments)
        }
    }

    /// How a command ended that could not be begun, or ended with a failure.
    private static func ended(by error: any Error, _ arguments: [String]) -> WorkCommand {
        // A mistake on the command line is one line too, not the usage text.
        if AVTool.exitCode(for: error) == .validationFailure {
            if let hint = CommandArguments.hint(arguments, isRejected: true) { return .rejected(hint) }
            let message = AVTool.message(for: error)
            return .rejected((message.hasSuffix(".") ? String(message.dropLast()) : message) + "; --help says more")
        }
        if let failure = error as? Failure {
            return .said(text: "avtool: \(failure.message)\n", isResult: false, code: failure.code.rawValue)
        }
        let code = AVTool.exitCode(for: error)
        let text = AVTool.fullMessage(for: error)
        return .said(text: text.isEmpty ? "" : text + "\n", isResult: code.isSuccess, code: code.rawValue)
    }

    private static func rejected(_ message: String) -> WorkCommand {
        .said(text: "avtool: \(message.oneLine)\n", isResult: false, code: ExitCode.validationFailure.rawValue)
    }

    // MARK: What it will do

    /// What has to be known of it before anything is read.
    func plan() -> WorkPlan {
        var plan = WorkPlan()
        switch self {
        case .said: break
        case .whole(let command):
            var grants = FileGrants()
            for file in (command as? any ReadingCommand)?.inputs ?? [] { grants.add(input: file) }
            plan.grants = [grants]
        case .perFile(let command):
            plan.files = command.files
            plan.otherInputs = command.otherInputs.compactMap { $0 }
            // What comes once can be read by one copy only.
            plan.isOneJob = plan.otherInputs.contains { $0 == SourceFile.standardInput || OutputPlace.isStream($0) }
            plan.grants = command.files.map { command.grants(for: $0) }
        }
        return plan
    }

    // MARK: Doing it

    func work(on job: WorkOrder.Job) async -> WorkEnd {
        switch self {
        case .said(let text, let isResult, let code):
            if isResult {
                Console.say(.output, Array(text.utf8))
            } else {
                for line in text.split(separator: "\n") { Console.error(String(line)) }
            }
            return WorkEnd(code: code)
        case .whole(let command): return await Self.run(command)
        case .perFile(let command): return await command.work(on: job)
        }
    }

    private static func run(_ command: any ParsableCommand & Sendable) async -> WorkEnd {
        do {
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                var command = command
                try command.run()
            }
            return WorkEnd(code: 0)
        } catch let end as CommandEnded {
            return WorkEnd(code: end.code.rawValue, tellsOfInterruption: end.code == .interrupted)
        } catch {
            let ended = Self.ended(by: error, [])
            return await ended.work(on: WorkOrder.Job(files: 0..<0))
        }
    }
}

/// A command that reads files and is no ``FileCommand``.
protocol ReadingCommand {
    var inputs: [String] { get }
}
