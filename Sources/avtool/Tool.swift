internal import AVToolCommands
internal import CProcessHooks
internal import Foundation
internal import MediaIO

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// The command-line tool: it understands the command line, starts a worker that reads the files, opens what the worker
/// may have, and gives results their names.
@main
enum Tool {
    static func main() {
        avt_end_without_threads(1)
        Console.prepare()
        do {
            let decoded = try CommandLineOptions.decoded()
            let isPlain = decoded.prefix { $0 != "--" }.contains("--no-config")
            let defaults = isPlain ? nil : try Defaults.found()
            var options = try CommandLineOptions(defaults?.applied(to: decoded) ?? decoded)
            if try options.sandbox != CommandLineOptions(decoded).sandbox { options.sandboxSource = defaults?.path }
            Console.isQuiet = options.isQuiet
            StandardInput.current = StandardInput(isOpen: Console.hasStandardInput, isTerminal: isatty(0) == 1)
            let begun = BegunWorker(options)
            let request = CommandRequest(options.arguments)
            if case .said(let text, let isResult, let code) = request {
                begun?.end()
                end(text, isResult: isResult, code, defaults: options.arguments == decoded ? nil : defaults)
            }
            let signals = SignalWatch()
            if case .units(let request) = request {
                Console.exit(try run(request, options, signals, begun))
            }
            Console.exit(try CommandRun(options, request, signals).run(begun))
        } catch let failure as Failure {
            end("avtool: \(failure.message)", isResult: false, failure.code.rawValue)
        } catch let mistake as CommandLineOptions.Mistake {
            end("avtool: \(mistake.message)", isResult: false, 64)
        } catch let error as ChannelError {
            end("avtool: \(error.reason)", isResult: false, error.kind == .outOfMemory ? 75 : 70)
        } catch {
            end("avtool: \(error)", isResult: false, 70)
        }
    }

    /// - Returns: The exit code.
    private static func run(
        _ request: UnitsRequest, _ options: CommandLineOptions, _ signals: SignalWatch, _ begun: BegunWorker?
    ) throws -> Int32 {
        switch request {
        case .plan(let command):
            if case .said(let text, true, let code) = CommandRequest(command.command) {
                end(text, isResult: true, code)
            }
            return try PlanRun(options, command, signals).run(begun)
        case .unit(let command):
            return try refusing(command.plan) {
                try UnitRun(options, command, signals).run(command.units, begun)
            }
        case .merge(let command):
            begun?.end()
            guard !command.missing else {
                return try MergeRun(options, plan: command.plan, signals).listMissing()
            }
            return try refusing(command.plan) { try MergeRun(options, plan: command.plan, signals).run() }
        }
    }

    /// Does work that prints lines of JSON, of which one tells why nothing is done.
    private static func refusing(_ plan: String, _ work: () throws -> Int32) throws -> Int32 {
        do {
            return try work()
        } catch let failure as Failure where failure.code != .usage {
            Console.write(Array((try JSONLine.text(JSONRefusal(failure, plan: plan)) + "\n").utf8))
            throw failure
        }
    }

    /// Says what there is to say, and ends.
    ///
    /// - Parameter defaults: Where options come from that the command line does not have.
    private static func end(_ text: String, isResult: Bool, _ code: Int32, defaults: Defaults? = nil) -> Never {
        if isResult {
            Console.write(Array(text.utf8))
        } else {
            let note = code == 64 ? defaults.map { " (options of \($0.path) count too)" } ?? "" : ""
            for line in text.split(separator: "\n") { Console.error(line + note) }
        }
        Console.exit(code)
    }
}
