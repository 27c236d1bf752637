internal import AVToolCommands
internal import Foundation
internal import MediaIO

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// What the command line says of the worker that does what the rest of it says.
struct CommandLineOptions {
    /// How much is wanted of the kernel.
    enum Sandbox: String {
        /// What it has.
        case auto
        /// All of it, or nothing is done.
        case require
        /// Nothing.
        case off
    }

    /// A command line that makes no sense.
    struct Mistake: Error {
        let message: String
    }

    private(set) var sandbox = Sandbox.auto
    /// The file of options that says so, where the command line does not.
    var sandboxSource: String?
    /// Whether failures are all that is told besides results.
    private(set) var isQuiet = false
    /// Whether it is told how the work is done, too.
    private(set) var isVerbose = false
    /// The rest, which says what is to be done.
    private(set) var arguments: [String] = []

    init(_ all: [String]) throws(Mistake) {
        var rest = all[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--":
                arguments += [argument] + rest
                rest = []
            case "--sandbox":
                guard let value = rest.popFirst() else {
                    throw Mistake(message: "--sandbox takes auto, require or off; --help says more")
                }
                try set(sandbox: value)
            case "--no-config": break
            case "-q", "--quiet": isQuiet = true
            case "-v", "--verbose":
                isVerbose = true
                // These have more to tell.
                if ["info", "export"].contains(arguments.first) { arguments.append(argument) }
            case _ where argument.hasPrefix("--sandbox="):
                try set(sandbox: String(argument.dropFirst("--sandbox=".count)))
            case "--shard":
                arguments.append(argument)
                if let value = rest.popFirst() { arguments.append(try Self.shard(value)) }
            case _ where argument.hasPrefix("--shard="):
                arguments.append("--shard=" + (try Self.shard(String(argument.dropFirst("--shard=".count)))))
            case "auto" where arguments.first == "unit" && arguments.count > 1:
                arguments.append(try Self.taskNumber(for: "avtool unit auto"))
            default:
                arguments.append(argument)
            }
        }
    }

    /// Where a scheduler tells a task which of several it is.
    private static let taskNumbers = ["SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX", "AWS_BATCH_JOB_ARRAY_INDEX"]

    /// A share by its number: the worker does not see what the scheduler says.
    private static func shard(_ value: String) throws(Mistake) -> String {
        guard value.hasPrefix("auto/") else { return value }
        return try taskNumber(for: "--shard \(value)") + value.dropFirst("auto".count)
    }

    private static func taskNumber(for asking: String) throws(Mistake) -> String {
        let environment = ProcessInfo.processInfo.environment
        guard let number = taskNumbers.lazy.compactMap({ environment[$0] }).first else {
            throw Mistake(message: "\(asking): none of \(taskNumbers.joined(separator: ", ")) is set")
        }
        return number
    }

    private mutating func set(sandbox value: String) throws(Mistake) {
        guard let value = Sandbox(rawValue: value) else {
            throw Mistake(message: "--sandbox takes auto, require or off, not '\(value)'; --help says more")
        }
        sandbox = value
    }

    /// The arguments without the program's name, whatever bytes they are.
    static func decoded() throws(Mistake) -> [String] {
        // Swift has them from there.
        guard CommandLine.argc > 0 else { throw Mistake(message: "/proc is not there, and with it the arguments") }
        return (1..<max(1, Int(CommandLine.argc))).compactMap { index in
            CommandLine.unsafeArgv[index].map { argument in
                String(
                    pathBytes: UnsafeBufferPointer(start: argument, count: strlen(argument)).map(
                        UInt8.init(bitPattern:)))
            }
        }
    }
}

/// Options that a user wants where the command line does not say otherwise: those of a file with a section for each
/// command.
struct Defaults {
    /// The file.
    let path: String
    /// The options of each command, in the order of the file.
    private var sections: [String: [(name: String, value: String)]] = [:]

    /// More bytes are no file of options.
    private static let maximumByteCount = 1 << 20
    /// The section of all commands, and what may stand there.
    private static let common = (section: "all", names: Set(["sandbox", "quiet", "verbose"]))
    /// Short names of options that the command line may have instead of long ones.
    private static let shortNames = ["output": "-o", "size": "-s", "verbose": "-v", "quiet": "-q"]

    /// The file that AVTOOL_CONFIG names, or else the user's own, if there is one.
    static func found() throws(CommandLineOptions.Mistake) -> Defaults? {
        let named = ProcessInfo.processInfo.environment["AVTOOL_CONFIG"]
        guard named != "", let path = named ?? UserFolders.configuration.map({ "\($0)/avtool/config" }) else {
            return nil
        }
        let bytes: [UInt8]
        do {
            bytes = try WholeFile.read(path, limit: maximumByteCount)
        } catch {
            // Another user's folder, as after su, is as good as none.
            if case .system(let code) = error, named == nil, [ENOENT, ENOTDIR, EACCES].contains(code) { return nil }
            let reason =
                if case .system(let code) = error { String(cString: strerror(code)) } else { "it is too large" }
            throw CommandLineOptions.Mistake(message: "\(path): \(reason)")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw CommandLineOptions.Mistake(message: "\(path): is not UTF-8 text")
        }
        return try Defaults(text, path)
    }

    init(_ text: String, _ path: String) throws(CommandLineOptions.Mistake) {
        self.path = path
        var section: String?
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let line = line.trimmingCharacters(in: .whitespaces)
            guard let first = line.first, first != "#", first != ";" else { continue }
            func mistake(_ reason: String) -> CommandLineOptions.Mistake {
                CommandLineOptions.Mistake(message: "\(path):\(index + 1): \(reason)")
            }
            if first == "[" {
                guard line.hasSuffix("]") else { throw mistake("a section's name ends with ]") }
                let name = line.dropFirst().dropLast().split(separator: " ").joined(separator: " ")
                guard name == Self.common.section || CommandNames.all.contains(name) else {
                    throw mistake("there is no command '\(name)'")
                }
                section = name
                continue
            }
            guard let section else { throw mistake("options come after a command's name in brackets") }
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespaces) }
            let name = parts[0].hasPrefix("--") ? String(parts[0].dropFirst(2)) : parts[0]
            guard parts.count == 2, !name.isEmpty, !name.hasPrefix("-"), !name.contains(where: \.isWhitespace) else {
                throw mistake("an option is written NAME = VALUE")
            }
            guard section != Self.common.section || Self.common.names.contains(name) else {
                throw mistake("[all] takes \(Self.common.names.sorted().joined(separator: ", "))")
            }
            sections[section, default: []].append((name, parts[1]))
        }
    }

    /// A command line with the options that it does not have itself, behind the command's name.
    func applied(to arguments: [String]) -> [String] {
        // Options of all commands may come first.
        let before = arguments.prefix { !CommandNames.all.contains($0) && $0 != "--" }
        let words = Array(arguments[before.count...])
        guard let (name, wordCount) = CommandNames.name(beginning: words) else { return arguments }
        let count = before.count + wordCount
        var rest = Array(arguments[count...])
        // A plan is that of a command which has its own.
        if name == "plan", let start = CommandNames.start(ofCommandIn: rest) {
            rest = rest[..<start] + applied(to: Array(rest[start...]))
        }
        let own = Set((before + rest).prefix { $0 != "--" }.map { String($0.prefix { $0 != "=" }) })
        let all = (sections[Self.common.section] ?? []) + (sections[name] ?? [])
        let added = all.filter { !own.contains("--" + $0.name) && !own.contains(Self.shortNames[$0.name] ?? "--") }
        return arguments[..<count] + added.compactMap { Self.argument($0.name, $0.value) } + rest
    }

    /// An option as the command line has it; `nil` for one that is not wanted.
    private static func argument(_ name: String, _ value: String) -> String? {
        switch value.lowercased() {
        case _ where name == "sandbox": "--\(name)=\(value)"
        case "yes", "true", "on": "--\(name)"
        case "no", "false", "off": nil
        default: "--\(name)=\(value)"
        }
    }
}
