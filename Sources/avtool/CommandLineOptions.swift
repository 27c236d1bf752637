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
