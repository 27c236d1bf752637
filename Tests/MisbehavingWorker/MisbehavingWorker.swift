import Foundation
import MediaFile
import MediaIsolation

/// A worker that a hostile file has taken over, for tests: it does what the command line says, and tells what came of it.
@main
enum MisbehavingWorker {
    static func main() {
        let channel = Channel(descriptor: 3)
        guard let first = try? channel.receive(WorkOrder.self), case .start(let surroundings) = first.value else {
            _exit(70)
        }
        var plan = WorkPlan()
        plan.isolation = surroundings.isolation
        if surroundings.isolation.contains(.calls),
            !WorkerCopy.refuseCalls(
                allowsNetwork: surroundings.allowsNetwork, hasScratch: surroundings.scratch != nil)
        {
            plan.isolation.remove(.calls)
        }
        // What a well-behaved worker would ask for: files that may be read, and names that results may have.
        plan.files = surroundings.arguments.filter { !$0.contains("=") }
        if plan.files.isEmpty { plan.files = ["film.mp4"] }
        plan.isOneJob = surroundings.arguments.contains("batch=all")
        plan.grants = plan.files.map { file in
            var grants = FileGrants()
            grants.inputs = [file]
            grants.results = [ResultRule(literals: ["\(file)-", ".png"])]
            return grants
        }
        do {
            try channel.send(WorkReply.plan(plan))
            while let order = try channel.receive(WorkOrder.self) {
                switch order.value {
                case .start: break
                case .work(let job):
                    guard let descriptor = order.descriptors.first else { continue }
                    let process = WorkerCopy.make(plan.isolation)
                    if process == 0 {
                        close(3)
                        let acts = surroundings.arguments.compactMap { Act($0) }
                        Copy(channel: Channel(descriptor: descriptor), plan: plan).work(on: job, acts)
                    }
                    try channel.send(process > 0 ? WorkReply.began(process: process) : .failed("no copy"))
                    close(descriptor)
                case .collect(let process):
                    var status: Int32 = 0
                    while waitpid(process, &status, 0) < 0, errno == EINTR {}
                    try channel.send(WorkReply.ended(status: status))
                }
            }
        } catch {}
        _exit(0)
    }
}

/// Something that a worker must not do: a word, and what it is about, as in `open=/etc/passwd`.
struct Act {
    let name: String
    let object: String

    init?(_ text: String) {
        guard let sign = text.firstIndex(of: "=") else { return nil }
        (name, object) = (String(text[..<sign]), String(text[text.index(after: sign)...]))
    }
}

/// The copy of the worker that misbehaves.
struct Copy {
    let channel: Channel
    let plan: WorkPlan

    func work(on job: WorkOrder.Job, _ acts: [Act]) -> Never {
        for index in job.files {
            try? channel.send(WorkNews.begins(index))
            if let failure = job.failure {
                say("\(plan.files[index]): \(failure.rawValue)")
                end(65)
            }
            // The last file of several is the hostile one's neighbour, and well.
            if plan.files.count == 1 || index == 0 { for act in acts { say("\(act.name): \(perform(act))") } }
            say("\(plan.files[index]): read")
        }
        end(0)
    }

    private func end(_ code: Int32) -> Never {
        try? channel.send(WorkNews.done(WorkEnd(code: code, fileCount: code == 0 ? 1 : 0)))
        _exit(0)
    }

    private func say(_ text: String) { try? channel.send(WorkNews.diagnostics(text)) }

    private func result(_ value: Int) -> String { value < 0 ? String(cString: strerror(errno)) : "done" }

    private func perform(_ act: Act) -> String {
        switch act.name {
        case "open": return result(Int(Glibc.open(act.object, O_RDONLY)))
        case "create": return result(Int(Glibc.open(act.object, O_WRONLY | O_CREAT, 0o600)))
        case "append": return result(Int(Glibc.open(act.object, O_RDWR)))
        case "unlink": return result(Int(Glibc.unlink(act.object)))
        case "rename": return result(Int(Glibc.rename(act.object, act.object + ".moved")))
        case "chmod": return result(Int(Glibc.chmod(act.object, 0o777)))
        case "mkdir": return result(Int(Glibc.mkdir(act.object, 0o777)))
        case "symlink": return result(Int(Glibc.symlink("/etc/passwd", act.object)))
        case "connect": return connect(UInt16(act.object) ?? 0)
        case "exec": return execute(act.object)
        case "fork":
            let process = WorkerCopy.make([])
            if process == 0 { _exit(0) }
            return result(Int(process))
        case "signal": return result(Int(kill(act.object == "parent" ? getppid() : Int32(act.object) ?? 0, SIGUSR1)))
        case "ask": return ask(.open(path: act.object, flags: O_RDWR | O_CREAT))
        case "place": return ask(.place(path: act.object, replaces: true, makesFolder: true, isFolder: false))
        case "change": return ask(.discard(-1))
        case "say":
            try? channel.send(WorkNews.output, bytes: Array(act.object.utf8))
            return "said"
        case "garbage":
            try? channel.send(WorkOrder.collect(process: -1))
            return "sent"
        case "crash":
            signal(SIGSEGV, SIG_DFL)
            UnsafeMutablePointer<Int>(bitPattern: 8)?.pointee = 1
            return "alive"
        case "abort": abort()
        case "killed": return result(Int(syscall62(getpid(), SIGKILL)))
        case "exit": _exit(3)
        case "hang":
            while true { sleep(1000) }
        default: return "unknown"
        }
    }

    /// `kill`, which is refused; what ends a process by itself is `SIGKILL` from outside.
    private func syscall62(_ process: Int32, _ number: Int32) -> Int32 { kill(process, number) }

    private func ask(_ call: FileCall) -> String {
        do {
            try channel.send(WorkNews.call(call))
            guard let answer = try channel.receive(FileAnswer.self) else { return "nobody" }
            switch answer.value {
            case .opened: return "done"
            case .place: return "done"
            case .systemError(let code): return String(cString: strerror(code))
            case .failed: return "refused"
            default: return "answered"
            }
        } catch { return "nobody" }
    }

    private func connect(_ port: UInt16) -> String {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard socket >= 0 else { return String(cString: strerror(errno)) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let code = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        return result(Int(code))
    }

    private func execute(_ path: String) -> String {
        var arguments: [UnsafeMutablePointer<CChar>?] = [strdup(path), nil]
        execv(path, &arguments)
        return String(cString: strerror(errno))
    }
}
