internal import CLinux
internal import Dispatch
internal import Foundation
internal import MediaCore
internal import Synchronization

/// The worker of a program that uses the library: one process, which reads nothing and makes a copy of itself for each
/// file.
///
/// It is started when it is first needed, and again if it is gone. All functions block.
package final class WorkerService: Sendable {
    /// Which worker, and what it may do.
    package struct Settings: Hashable, Sendable {
        /// The executable; `nil` for the one that is found beside the program, or where packages have it.
        package var executable: String?
        /// Whether it is of no use where the kernel lacks something that is wanted of it.
        package var requiresAll = false
        package var allowsNetwork = false

        package init() {}
    }

    /// A worker that runs.
    struct Running: Sendable {
        let process: WorkerProcess
        let isolation: Isolation
    }

    private static let services = Mutex<[Settings: WorkerService]>([:])

    /// How long a worker may take to start.
    private static let patience = Duration.seconds(30)

    private let settings: Settings
    /// Held while the worker is started.
    private let running = Mutex<Running?>(nil)

    /// The one worker of this program with these settings.
    package static func with(_ settings: Settings) -> WorkerService {
        services.withLock { services in
            if let known = services[settings] { return known }
            let service = WorkerService(settings)
            services[settings] = service
            return service
        }
    }

    private init(_ settings: Settings) { self.settings = settings }

    /// What the kernel does for the worker.
    package func isolation() throws(WorkerLoss) -> Isolation { try started().isolation }

    /// A copy of the worker that has some files and nothing else.
    ///
    /// - Parameter staysIdle: Whether it is kept although nobody asks for anything.
    package func link(
        granting grants: FileGrants, opening: [UInt8], staysIdle: Bool
    ) throws(WorkerLoss) -> WorkerLink {
        var last = "the worker is gone"
        // One that went meanwhile is replaced by another, once.
        for _ in 0..<2 {
            let worker = try started()
            do {
                return try WorkerLink(of: worker, granting: grants, opening: opening, staysIdle: staysIdle)
            } catch {
                last = error.reason
                // The worker is well, and others' assets are read by it.
                if error.kind == .exhausted { break }
                forget(worker.process)
                worker.process.channel.shutDown()
            }
        }
        throw WorkerLoss(.unavailable, "the worker cannot be used: \(last)")
    }

    // MARK: The process

    private func started() throws(WorkerLoss) -> Running {
        let result: Result<Running, WorkerLoss> = running.withLock { running in
            if let running { return .success(running) }
            do throws(WorkerLoss) {
                let new = try start()
                running = new
                return .success(new)
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    private func forget(_ process: WorkerProcess) {
        running.withLock { if $0?.process === process { $0 = nil } }
    }

    private func start() throws(WorkerLoss) -> Running {
        do {
            let executable = try settings.executable ?? WorkerExecutable.find(isLibrary: true)
            let process = try launch(executable)
            do {
                return Running(process: process, isolation: try greet(process))
            } catch let error as ChannelError {
                let words = process.readLastWords() ?? error.reason
                process.channel.shutDown()
                throw ChannelError(reason: "\(executable): \(words)")
            } catch {
                process.channel.shutDown()
                throw error
            }
        } catch let loss as WorkerLoss {
            throw loss
        } catch {
            let reason = (error as? ChannelError)?.reason ?? "\(error)"
            throw WorkerLoss(.unavailable, "the worker cannot be used: \(reason)")
        }
    }

    /// Starts the process on a thread that lives as long: the system ends a worker with the thread that started it.
    private func launch(_ executable: String) throws -> WorkerProcess {
        var wanted = WorkerProcess.Settings(executable: executable)
        wanted.allowsNetwork = settings.allowsNetwork
        wanted.readable = ReadablePlaces.all(allowsNetwork: settings.allowsNetwork)
        let launch = Launch(wanted)
        WorkThread.start(name: "avtool-worker") { [weak self] in
            guard let process = launch.run() else { return }
            process.wait()
            self?.forget(process)
        }
        return try launch.result()
    }

    /// Tells a worker what it is for.
    private func greet(_ process: WorkerProcess) throws -> Isolation {
        process.channel.setPatience(Self.patience)
        // A crowd of other programs may keep it waiting for long before it makes a copy; each asset waits with it.
        defer { process.channel.setPatience(Self.patience * 10) }
        var surroundings = WorkSurroundings()
        (surroundings.hasStandardInput, surroundings.isolation) = (false, process.isolation)
        surroundings.allowsNetwork = settings.allowsNetwork
        (surroundings.libraryVersion, surroundings.memory) = (AssetOrder.version, MemorySize.available())
        switch try process.ask(.start(surroundings)) {
        case .ready(let isolation, _, _):
            let missing = Isolation.all.subtracting(isolation)
            guard !settings.requiresAll || missing.isEmpty else {
                throw WorkerLoss(.incomplete, "this system lacks \(missing.names.joined(separator: ", "))")
            }
            return isolation
        case .failed(let reason): throw WorkerLoss(.unavailable, reason)
        case .began, .ended: throw ChannelError(reason: "it is no worker")
        }
    }
}

/// The start of a process on one thread, for which another one waits.
private final class Launch: Sendable {
    private let settings: WorkerProcess.Settings
    private let outcome = Mutex<Result<WorkerProcess, ChannelError>?>(nil)
    private let isDone = DispatchSemaphore(value: 0)

    init(_ settings: WorkerProcess.Settings) { self.settings = settings }

    func run() -> WorkerProcess? {
        let result: Result<WorkerProcess, ChannelError>
        do throws(ChannelError) {
            result = .success(try WorkerProcess(settings))
        } catch {
            result = .failure(error)
        }
        outcome.withLock { $0 = result }
        isDone.signal()
        return try? result.get()
    }

    func result() throws(ChannelError) -> WorkerProcess {
        isDone.wait()
        guard let result = outcome.withLock({ $0 }) else { throw ChannelError(reason: "it did not start") }
        return try result.get()
    }
}
