package import ArgumentParser
internal import Foundation
internal import MediaCore
internal import MediaIO

/// What a command line asks for.
package enum CommandRequest: Sendable {
    /// The same for each of some files.
    case perFile(any FileCommand)
    /// Something else.
    case whole(any ReadingCommand & ParsableCommand & Sendable)
    /// Work with units, which this process does not do itself.
    case units(UnitsRequest)
    /// What cannot be done, or is only to be said.
    case said(text: String, isResult: Bool, code: Int32)

    /// Understands the arguments after the program's name.
    package init(_ arguments: [String]) {
        if let hint = CommandArguments.hint(arguments, isRejected: false) {
            self = .rejected(hint)
            return
        }
        if arguments.first == "help", let answer = HelpTopic.answer(to: Array(arguments.dropFirst())) {
            self = answer.isKnown ? .said(text: answer.text, isResult: true, code: 0) : .rejected(answer.text)
            return
        }
        if let objection = Suggestion.objection(toFileOf: arguments) {
            self = .rejected(objection + "; --help says more")
            return
        }
        do {
            switch try AVTool.parseAsRoot(arguments) {
            case let command as any AnsweringCommand:
                self = .said(text: try command.answer(), isResult: true, code: 0)
            case let command as PlanCommand: self = .units(.plan(command))
            case let command as UnitCommand: self = .units(.unit(command))
            case let command as MergeCommand: self = .units(.merge(command))
            case let command as any FileCommand where type(of: command).isPerFile: self = .perFile(command)
            case let command as any ReadingCommand & ParsableCommand & Sendable: self = .whole(command)
            case var command:
                // One that has subcommands, or is to say what there is: it ends with its help.
                try command.run()
                self = .said(text: "", isResult: true, code: 0)
            }
        } catch {
            self = .ended(by: error, arguments)
        }
    }

    /// How a command ended that could not be begun.
    private static func ended(by error: any Error, _ arguments: [String]) -> CommandRequest {
        // A mistake on the command line is one line too, not the usage text.
        if AVTool.exitCode(for: error) == .validationFailure {
            if let hint = CommandArguments.hint(arguments, isRejected: true) { return .rejected(hint) }
            if let objection = Suggestion.objection(to: arguments) {
                return .rejected(objection + "; --help says more")
            }
            let message = AVTool.message(for: error)
            return .rejected((message.hasSuffix(".") ? String(message.dropLast()) : message) + "; --help says more")
        }
        if let failure = error as? Failure {
            return .said(text: "avtool: \(failure.message)\n", isResult: false, code: failure.code.rawValue)
        }
        let code = AVTool.exitCode(for: error)
        var text = AVTool.fullMessage(for: error)
        // Up to version 3, fish does not tell the cursor's place within a word together with other things.
        if arguments.first == "--generate-completion-script" {
            text = text.replacingOccurrences(
                of: "(__avtool_tokens -tC)", with: #"(string length -- "$(commandline -ct)")"#)
        }
        return .said(text: text.isEmpty ? "" : text + "\n", isResult: code.isSuccess, code: code.rawValue)
    }

    private static func rejected(_ message: String) -> CommandRequest {
        .said(text: "avtool: \(message.oneLine)\n", isResult: false, code: Failure.Code.usage.rawValue)
    }

    /// A limit on the process that does the work; `nil` where that depends on the machine.
    package func limit(_ limit: WorkLimit) -> Int64? {
        (command as? any Bounded)?.bounds[limit] ?? limit.defaultValue
    }

    /// The command, if there is one to be done.
    package var command: (any ParsableCommand)? {
        switch self {
        case .perFile(let command): command
        case .whole(let command): command
        case .units, .said: nil
        }
    }

    /// What has to be known of it before anything is read.
    package func plan() -> WorkPlan {
        var plan = WorkPlan()
        (plan.stallTime, plan.memory) = (limit(.stallTime), limit(.memory))
        switch self {
        case .units, .said: return plan
        case .whole(let whole):
            var grants = FileGrants()
            for file in whole.inputs { grants.add(input: file) }
            plan.grants = [grants]
        case .perFile(let perFile):
            plan.files = perFile.files
            plan.otherInputs = perFile.otherInputs.compactMap { $0 }
            // What comes once can be read by one copy only.
            plan.isOneJob = plan.otherInputs.contains { $0 == SourceFile.standardInput || OutputPlace.isStream($0) }
            let several = perFile as? any SeveralFilesCommand
            (plan.jobs, plan.resumes, plan.json) = (several?.several.jobs, several?.resumes ?? false, perFile.json)
            // A film that names others may stay as it is while they change.
            if !perFile.allowsNesting, !plan.isOneJob { plan.settings = CommandSettings(of: perFile).texts }
            plan.grants = perFile.files.map { perFile.grants(for: $0) }
        }
        let limits = (command as? any Bounded)?.bounds.limits ?? MediaLimits()
        plan.largestFile = WorkPlan.largestFile(within: limits)
        plan.streams = (command as? ThumbsCommand)?.streams ?? (command as? FramesCommand)?.streams ?? false
        plan.isPrivate = (command as? ThumbnailCommand)?.desktopCache ?? false
        plan.allowsNetwork = (command as? any SourceReading)?.source.allowNetwork ?? false
        plan.mayTakePasses = (command as? ExportCommand).map { $0.choice.preset != "passthrough" } ?? false
        return plan
    }
}

/// The command line as the shell gave it.
enum CommandArguments {
    /// The argument that names a file and begins like an option, with what to write instead.
    ///
    /// - Parameter isRejected: Whether the arguments made no sense: then names
    ///   count that look like options in every other way too.
    static func hint(_ arguments: [String], isRejected: Bool) -> String? {
        let options = arguments.prefix { $0 != "--" }
        let misread = options.first { argument in
            argument.hasPrefix("-") && argument != "-" && (isRejected || argument.contains("."))
                && FileManager.default.exists(argument)
        }
        return misread.map { "\($0) is taken for an option; write -- before it, or ./\($0)" }
    }
}

/// Options that decide how a command is run, and not what its results are.
protocol RunOptions {}

extension SeveralFilesOptions: RunOptions {}
extension LimitOptions: RunOptions {}
extension ReportOptions: RunOptions {}
extension DryRunOptions: RunOptions {}

/// What a command line asks for, as texts that are the same whenever the results are to be, whatever the order of options.
package struct CommandSettings {
    /// Options of the same kind that stand alone; which files there are is not a setting either.
    private static let exceptions: Set = ["force", "resume", "verbose", "ifNewer", "named", "pieces"]

    package private(set) var texts: [String] = []

    package init(of command: some Sendable) {
        texts.append("\(type(of: command))")
        add(command, "")
    }

    private mutating func add(_ value: Any, _ path: String) {
        for child in Mirror(reflecting: value).children {
            guard let label = child.label.map({ $0.hasPrefix("_") ? String($0.dropFirst()) : $0 }),
                !Self.exceptions.contains(label)
            else { continue }
            let parsed = Self.parsed(child.value)
            guard !(parsed is any RunOptions) else { continue }
            // What is joined is the same as what one process makes.
            if label == "piece", (parsed as? WorkPiece)?.index == nil { continue }
            let name = path.isEmpty ? label : "\(path).\(label)"
            if parsed is any ParsableArguments {
                add(parsed, name)
            } else {
                texts.append("\(name)=\(Self.text(of: parsed))")
            }
        }
    }

    /// A value without the names of types, which change when these move.
    private static func text(of value: Any) -> String {
        let mirror = Mirror(reflecting: value)
        let parts = mirror.children.map { child in
            (child.label.map { "\($0): " } ?? "") + text(of: child.value)
        }
        switch mirror.displayStyle {
        case .optional: return mirror.children.first.map { text(of: $0.value) } ?? "nil"
        case .collection, .set, .dictionary: return "[" + parts.joined(separator: ", ") + "]"
        case .struct, .tuple, .enum:
            return parts.isEmpty || value is any CustomStringConvertible
                ? "\(value)" : "(" + parts.joined(separator: ", ") + ")"
        default: return "\(value)"
        }
    }

    /// What a property holds whose wrapper the command line has filled.
    private static func parsed(_ wrapper: Any) -> Any {
        guard let parsed = Mirror(reflecting: wrapper).descendant("_parsedValue") else { return wrapper }
        return Mirror(reflecting: parsed).descendant("value") ?? wrapper
    }

    /// What pieces have in common that are joined.
    package var digestOfPieces: String {
        FowlerNollVo.digest128(of: texts.filter { !$0.hasPrefix("sharing.piece=") }).zeroPadded(to: 32, radix: 16)
    }
}
