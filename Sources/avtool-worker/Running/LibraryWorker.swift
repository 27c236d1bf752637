internal import AVToolCommands
internal import CProcessHooks
internal import Foundation
internal import MediaCore
internal import MediaIO
internal import OpenAVFoundationExtras
internal import Synchronization

/// The worker of a program that uses the library: it makes a copy of itself for each asset, and reads nothing.
struct LibraryWorker {
    let channel: Channel
    let isolation: Isolation

    /// Makes copies, until nobody is there to want any.
    ///
    /// - Parameter version: How the program speaks.
    func serve(version: Int) -> Never {
        do {
            guard version == AssetOrder.version else {
                try channel.send(WorkReply.failed("the worker belongs to another version of the library"))
                _exit(0)
            }
            try channel.send(WorkReply.ready(isolation, objection: nil, libraries: MediaFormats.libraryVersions))
            while let order = try channel.receive(WorkOrder.self) {
                switch order.value {
                case .start: break
                case .work:
                    try channel.send(begin(order.descriptors))
                    for descriptor in order.descriptors { close(descriptor) }
                case .collect(let process):
                    var status: Int32 = 0
                    while waitpid(process, &status, 0) < 0, errno == EINTR {}
                    try channel.send(WorkReply.ended(status: status))
                }
            }
        } catch {
            // The program is gone.
        }
        _exit(0)
    }

    /// Has a copy of this process read a file.
    ///
    /// - Parameter descriptors: The channel that files are asked for on, and that on which orders come.
    private func begin(_ descriptors: [Int32]) -> WorkReply {
        guard descriptors.count == 2 else { return .failed("two channels are needed") }
        switch WorkerCopy.make(isolation) {
        case 0:
            close(3)
            // How many copies there will be is up to the program.
            WorkerCopy.limitMemory(Worker.usualMemory(sharers: 1))
            Self.work(broker: Channel(descriptor: descriptors[0]), orders: Channel(descriptor: descriptors[1]))
        case let process where process > 0: return .began(process: process)
        default: return .failed(String(cString: strerror(errno)))
        }
    }

    /// What a copy does: one file's work, each question on a thread of its own.
    private static func work(broker: Channel, orders: Channel) -> Never {
        guard let first = try? orders.receive(AssetOrder.self), case .open(let bytes) = first.value,
            let opening = try? MessageReader.value(AssetOpening.self, of: bytes)
        else { _exit(1) }
        let access = FileAccess(through: RemoteBroker(broker, inputs: [opening.path]))
        let server = AssetServer(opening, access: access)
        while let order = try? orders.receive(AssetOrder.self) {
            switch order.value {
            case .open: break
            case .cancelReading: server.cancelReading()
            case .ask(let bytes):
                guard let descriptor = order.descriptors.first else { continue }
                let answers = Channel(descriptor: descriptor)
                guard let call = try? MessageReader.value(AssetCall.self, of: bytes) else { continue }
                WorkThread.start {
                    // Whoever is gone wants to hear nothing more.
                    let watch = PulseWatch(stallTime: nil) { try? answers.send(AssetAnswer.moves) }
                    defer { watch.end() }
                    if server.answers(call, through: answers) { return }
                    _ = StillService.answers(call, of: server.source, through: answers)
                }
            }
        }
        _exit(0)
    }
}

/// The process that started the worker, asked to open files.
final class RemoteBroker: FileBroker {
    private let channel: Channel
    private let inputs: Set<String>
    private let state: Mutex<State>

    fileprivate struct State {
        /// Files that it has opened without being asked; this process may have them as often as it likes.
        var given: [String: Int32]
        /// Files that have got a new version, and are not locked any more.
        var rewritten: Set<String> = []
    }

    init(_ channel: Channel, inputs: Set<String>, given: [String: Int32] = [:]) {
        (self.channel, self.inputs) = (channel, inputs)
        state = Mutex(State(given: given))
    }

    func isInput(_ path: String) -> Bool { inputs.contains(path) }

    func answer(to call: FileCall, _ bytes: [UInt8]) -> (FileAnswer, descriptor: Int32?) {
        // What was made without all the memory that it took is not to be found under a name.
        if call.makesResult, avt_allocation_has_failed() != 0 { return (.systemError(ENOMEM), nil) }
        return state.withLock { state in
            if let known = state.answer(to: call) { return known }
            do {
                try channel.send(WorkNews.call(call), bytes: bytes)
                guard let message = try channel.receive(FileAnswer.self) else { _exit(1) }
                state.note(message, answering: call)
                return (message.value, message.descriptors.first)
            } catch {
                // Without an answer there is nobody to work for.
                _exit(1)
            }
        }
    }
}

extension RemoteBroker.State {
    /// What is known without asking; `nil` if nothing is.
    func answer(to call: FileCall) -> (FileAnswer, descriptor: Int32?)? {
        switch call {
        case .open(let path, _):
            guard let copy = given[path].map({ fcntl($0, F_DUPFD_CLOEXEC, 0) }), copy >= 0 else { return nil }
            return (.opened, copy)
        case .unlock(let path): return rewritten.contains(path) ? (.done, nil) : nil
        default: return nil
        }
    }

    mutating func note(_ message: Channel.Message<FileAnswer>, answering call: FileCall) {
        switch (call, message.value) {
        case (.lock(let path), .done):
            rewritten.remove(path)
            // What is read is what is locked.
            if let old = given.removeValue(forKey: path) { close(old) }
            if let locked = message.descriptors.first { given[path] = locked }
        case (.rewrite(let path, _, _, _), .rewritten):
            rewritten.insert(path)
            if let old = given.removeValue(forKey: path) { close(old) }
        case (.unlock(let path), _): if let old = given.removeValue(forKey: path) { close(old) }
        default: break
        }
    }
}

extension FileCall {
    /// Whether something is in its place after it.
    fileprivate var makesResult: Bool {
        switch self {
        case .complete, .rewrite: true
        default: false
        }
    }
}
