internal import AVToolCommands
internal import MediaIO

/// A worker that is started before the command line is understood.
///
/// To load its libraries takes it several times as long as to understand a command line. Most get a worker like this
/// one, whatever else they say; it has been told nothing yet, and goes where another one is wanted, or none.
struct BegunWorker {
    private let process: WorkerProcess
    private let settings: WorkerProcess.Settings

    /// - Returns: `nil` where none is to be expected, or where it cannot be started, which is said when it is needed.
    init?(_ options: CommandLineOptions) {
        let words = options.arguments
        guard let first = words.first, !first.hasPrefix("-"), first != "help",
            !words.contains(where: { ["-h", "--help", "--version"].contains($0) }),
            let settings = try? WorkerProcess.Settings(options, WorkPlan()),
            let process = try? WorkerProcess(settings)
        else { return nil }
        (self.process, self.settings) = (process, settings)
    }

    /// The worker, or `nil` if it is not as it has to be; then it is ended.
    func taken(with settings: WorkerProcess.Settings) -> WorkerProcess? {
        if settings == self.settings { return process }
        process.kill()
        return nil
    }

    /// Ends it, as there is nothing for it to do.
    func end() { process.kill() }
}

extension WorkerProcess.Settings {
    /// What the worker gets for a command.
    init(_ options: CommandLineOptions, _ plan: WorkPlan) throws(ChannelError) {
        self.init(executable: try WorkerExecutable.find())
        isolation = options.sandbox == .off ? [] : .all
        allowsNetwork = plan.allowsNetwork
        fileSize = UInt64(max(0, plan.largestFile))
        readable = ReadablePlaces.all(allowsNetwork: plan.allowsNetwork)
    }
}
