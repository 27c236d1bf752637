internal import AVToolCommands
internal import Foundation

/// One run of a command on the films that its arguments name, for a unit.
struct InnerRun {
    private let options: CommandLineOptions
    private let signals: SignalWatch
    private let listener: RunListener

    init(_ options: CommandLineOptions, _ signals: SignalWatch, _ listener: RunListener) {
        (self.options, self.signals, self.listener) = (options, signals, listener)
    }

    /// - Parameters:
    ///   - firstFile: Which of all films its first one is, from 0.
    ///   - count: How many films there are in all.
    ///   - libraries: The versions of media libraries that are to do it; `nil` for any.
    func run(
        _ arguments: [String], firstFile: Int = 0, of count: Int = 0, libraries: [String]? = nil,
        _ begun: BegunWorker? = nil
    ) throws -> RunTally {
        let request = CommandRequest(arguments)
        if case .said(let text, _, let code) = request {
            begun?.end()
            throw Failure(
                code == 64 ? .usage : .invalidPlan,
                String(text.dropFirst("avtool: ".count)).trimmingCharacters(in: .newlines))
        }
        var batch = WorkBatch(arguments, request.plan())
        (batch.firstFile, batch.fileCount, batch.listener) = (firstFile, count, listener)
        (batch.libraries, batch.passesOverKept) = (libraries, false)
        var tally = try WorkRun(options, batch, signals, begun: begun).run()
        tally.files = batch.plan.files.count
        return tally
    }
}
