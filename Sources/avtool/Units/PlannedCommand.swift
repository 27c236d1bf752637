internal import AVToolCommands
internal import Foundation
internal import MediaIO

/// A command whose work is to be divided: what it says, apart from the films that it names.
struct PlannedCommand {
    /// Without films, and without what a unit says itself.
    let arguments: [String]
    let command: any SeveralFilesCommand
    let films: [String]
    /// What the work on each film may do.
    let grants: [FileGrants]
    /// What is read beside the films.
    let inputs: [String]

    /// Options that say where names come from, or that make no difference to what is made, with whether a value follows.
    private static let dropped = [
        "--files-from": true, "--shard": true, "--null": false, "-0": false, "--summary": false, "--json": false,
        "--resume": false,
    ]

    /// - Throws: A failure for a command that cannot be divided.
    init(_ arguments: [String]) throws {
        let request = CommandRequest(arguments)
        if case .said(let text, _, let code) = request {
            guard code == 64 else {
                throw Failure(.usage, "'\(arguments.first ?? "")' is no command whose work can be divided")
            }
            throw Failure(.usage, Self.words(text))
        }
        guard case .perFile(let command as any SeveralFilesCommand) = request else {
            throw Failure(.usage, "'\(arguments.first ?? "")' is no command whose work can be divided")
        }
        films = try Self.films(of: command)
        let plan = request.plan()
        grants = command.several.filesFrom == nil ? plan.grants : films.map { command.grants(for: $0) }
        (self.command, inputs) = (command, plan.otherInputs)
        self.arguments = try Self.withoutFilms(arguments, command)
        try check(plan)
    }

    private static func films(of command: any SeveralFilesCommand) throws -> [String] {
        guard let list = command.several.filesFrom else { return command.files }
        guard command.named.isEmpty else {
            throw Failure(.usage, "Give the files by --files-from or as arguments, not both; --help says more")
        }
        let end = command.several.endsWithNull ? 0 : UInt8(ascii: "\n")
        return command.several.selected(try FileList.names(in: list, endedBy: end))
    }

    private func check(_ plan: WorkPlan) throws {
        let name = arguments.first ?? ""
        guard !films.isEmpty else { throw Failure(.usage, "there is no film") }
        guard !grants.contains(where: { !$0.changeable.isEmpty }) else {
            throw Failure(.usage, "'\(name)' changes files in place, which is not done twice; make new ones with -o")
        }
        guard plan.settings != nil,
            !films.contains(where: { $0 == SourceFile.standardInput || $0.contains("://") || OutputPlace.isStream($0) })
        else { throw Failure(.usage, "a plan takes films that are files, and name no others") }
        for option in ["--force", "--dry-run", "--if-newer", "--piece"] where has(option) {
            throw Failure(.usage, "\(option) does not go with a plan, whose results stay where they are complete")
        }
        guard
            !grants.contains(where: { $0.results.contains { $0.literals == ["-"] || $0.literals == ["/dev/stdout"] } })
        else { throw Failure(.usage, "-o - does not go with a plan, whose results are files") }
        // What is a folder has a second rule, for names in it.
        let names = Set(grants.map(\.results))
        if films.count > 1, let rules = names.first, names.count == 1, rules.count == 1, rules[0].literals.count == 1 {
            throw Failure(.usage, "several files need {name} in the name, or a folder that is there")
        }
        if case .said(let text, _, _) = CommandRequest(unitArguments + ["--", films[0]]) {
            throw Failure(.usage, "a unit would not be understood: " + Self.words(text))
        }
    }

    /// What is said of a mistake.
    private static func words(_ text: String) -> String {
        String(text.drop { $0 != ":" }.dropFirst(2)).trimmingCharacters(in: .newlines)
    }

    private func has(_ option: String) -> Bool {
        arguments.prefix { $0 != "--" }.contains { $0 == option || $0.hasPrefix(option + "=") }
    }

    /// The command that does a unit, without its films: with results in lines of JSON, and left alone where they are there.
    var unitArguments: [String] {
        let makesFiles =
            grants.contains { !$0.results.isEmpty }
            && CommandRequest(arguments + ["--resume", "--", "x"]).command != nil
        return arguments + ["--json"] + (makesFiles ? ["--resume"] : [])
    }

    /// Takes away the films, and the options of a unit's own; makes sure that the rest says the same.
    private static func withoutFilms(_ all: [String], _ command: any SeveralFilesCommand) throws -> [String] {
        var rest = all
        // Names come last as a rule; a value of an option that looks like one stands before them.
        for name in command.named.reversed() {
            guard let place = rest.lastIndex(of: name) else { continue }
            rest.remove(at: place)
        }
        if rest.last == "--" { rest.removeLast() }
        var kept: [String] = []
        var index = 0
        while index < rest.count {
            let argument = rest[index]
            let option = argument.split(separator: "=", maxSplits: 1).first.map(String.init) ?? argument
            if let takesValue = dropped[option] {
                index += takesValue && option == argument ? 2 : 1
            } else {
                kept.append(argument)
                index += 1
            }
        }
        let again = CommandRequest(kept + ["--"] + (command.named.isEmpty ? ["x"] : command.named))
        guard case .perFile(let other as any SeveralFilesCommand) = again, other.several.filesFrom == nil,
            command.named.isEmpty || other.named == command.named,
            CommandSettings(of: other).texts == CommandSettings(of: command).texts
        else { throw Failure(.usage, "write -- before the films, so that they cannot be taken for anything else") }
        return kept
    }
}
