internal import AVToolCommands
internal import CProcessHooks
internal import Foundation
internal import MediaCore
internal import MediaIO
internal import OpenAVFoundation
internal import OpenAVFoundationExtras
internal import Synchronization

/// How the worker's own code opens files: by the process that started it, once there is work.
///
/// The library knows nothing of it; whatever opens a file there is handed the value.
enum WorkerFiles {
    private static let held = Mutex(FileAccess.direct)

    static var access: FileAccess {
        get { held.withLock { $0 } }
        set { held.withLock { $0 = newValue } }
    }

    /// Opens a regular file by its path.
    static func open(_ path: String) -> RandomAccessFile? { RandomAccessFile(path: path, access: access) }
}

/// The process that reads strangers' files, for `avtool`, which links no media library, and for programs that use the
/// library and do not want to read them themselves.
///
/// It understands the command line as `avtool` does, before it reads anything; the work is done by copies of it, one
/// after the other or side by side, or by itself where there is only one piece of it.
@main
struct Worker {
    private let channel: Channel
    private let command: CommandRequest
    private let isolation: Isolation

    static func main() {
        guard Channel.isSocket(3) else {
            FileHandle.standardError.write(Data("avtool-worker: avtool starts it; there is no other use of it\n".utf8))
            exit(Failure.Code.usage.rawValue)
        }
        avt_end_without_threads(0)
        let channel = Channel(descriptor: 3)
        guard let first = try? channel.receive(WorkOrder.self), case .start(let surroundings) = first.value else {
            _exit(Failure.Code.software.rawValue)
        }
        var isolation = surroundings.isolation
        if isolation.contains(.calls),
            !WorkerCopy.refuseCalls(allowsNetwork: surroundings.allowsNetwork)
        {
            isolation.remove(.calls)
        }
        WorkerConsole.surroundings = surroundings
        WorkerConsole.surroundings.isolation = isolation
        MediaLibraryLog.silence()
        if let version = surroundings.libraryVersion {
            LibraryWorker(channel: channel, isolation: isolation).serve(version: version)
        }
        StandardInput.current = StandardInput(
            isOpen: surroundings.hasStandardInput, isTerminal: surroundings.standardInputIsTerminal)
        Worker(channel: channel, command: CommandRequest(surroundings.arguments), isolation: isolation).serve()
    }

    /// Does what it is told, until nobody is there to tell it anything.
    private func serve() -> Never {
        let plan = command.plan()
        do {
            // Copies would each load them anew.
            let loads = !(command.command is any DecoderFreeCommand) || WorkerConsole.surroundings.wantsLibraryVersions
            try channel.send(
                WorkReply.ready(
                    isolation, objection: command.objection, libraries: loads ? MediaFormats.libraryVersions : []))
            while let order = try channel.receive(WorkOrder.self) {
                switch order.value {
                case .start: break
                case .work(let job):
                    guard order.descriptors.count == (job.hasInput ? 2 : 1) else {
                        _exit(Failure.Code.software.rawValue)
                    }
                    if job.isAlone {
                        try channel.send(WorkReply.began(process: getpid()))
                        WorkerCopy.refuseProcesses(isolation)
                        work(on: job, plan, order.descriptors)
                    }
                    try channel.send(begin(job, plan, order.descriptors))
                    for descriptor in order.descriptors { close(descriptor) }
                case .collect(let process):
                    var status: Int32 = 0
                    while waitpid(process, &status, 0) < 0, errno == EINTR {}
                    try channel.send(WorkReply.ended(status: status))
                }
            }
        } catch {
            // Whoever started it is gone.
        }
        _exit(0)
    }

    /// Has a copy of this process do some work.
    private func begin(_ job: WorkOrder.Job, _ plan: WorkPlan, _ descriptors: [Int32]) -> WorkReply {
        switch WorkerCopy.make(isolation) {
        case 0: work(on: job, plan, descriptors)
        case let process where process > 0: return .began(process: process)
        default: return .failed(String(cString: strerror(errno)))
        }
    }

    /// Does some work, and ends this process.
    ///
    /// - Parameter descriptors: A channel, and the first file if that goes along.
    private func work(on job: WorkOrder.Job, _ plan: WorkPlan, _ descriptors: [Int32]) -> Never {
        // Orders are none of its business any more.
        close(3)
        let channel = Channel(descriptor: descriptors[0])
        var given: [String: Int32] = [:]
        if job.hasInput, let index = job.files.first, plan.files.indices.contains(index) {
            given[SourceFile.url(plan.files[index]).path] = descriptors[1]
        }
        limitMemory(sharers: job.sharers)
        ProcessorShare.limit(to: job.threads)
        if plan.mayTakePasses { avt_clear_allocations() }
        WorkerConsole.speak(through: channel)
        let grants = plan.grants[(job.files.isEmpty ? 0..<1 : job.files).clamped(to: plan.grants.indices)]
        let inputs = grants.reduce(into: Set<String>()) { $0.formUnion($1.inputs) }
        // Encoders' logs between two passes have no name in any file system: nothing here may make one.
        WorkerFiles.access = FileAccess(
            through: RemoteBroker(channel, inputs: inputs, given: given), passFolder: AVT_PASS_FOLDER)
        avt_keep_pass_files { WorkerFiles.access.temporaryFile() }
        let watch = PulseWatch(stallTime: plan.stallTime) { WorkerConsole.say(.moves) }
        Task {
            defer { watch.end() }
            WorkerConsole.say(.done(await command.work(on: job)))
            _exit(0)
        }
        dispatchMain()
    }

    /// Bounds the memory of a copy before it reads anything.
    private func limitMemory(sharers: Int) {
        WorkerCopy.limitMemory(command.limit(.memory) ?? Self.usualMemory(sharers: sharers))
    }

    /// Bytes that a copy may have: three quarters of what there is, shared; 0 if that is not known.
    static func usualMemory(sharers: Int) -> Int64 {
        let machine = WorkerConsole.surroundings.memory
        guard machine > 0 else { return 0 }
        return max(machine / 4 * 3 / Int64(max(1, sharers)), WorkLimit.memory.range.lowerBound)
    }
}
