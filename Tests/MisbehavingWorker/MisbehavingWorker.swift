import Foundation
import MediaIO

/// A worker that a hostile file has taken over, for tests: it does what the command line says, and tells what came of it.
@main
enum MisbehavingWorker {
    static func main() {
        let channel = Channel(descriptor: 3)
        guard let first = try? channel.receive(WorkOrder.self), case .start(let surroundings) = first.value else {
            _exit(70)
        }
        var isolation = surroundings.isolation
        if isolation.contains(.calls),
            !WorkerCopy.refuseCalls(allowsNetwork: surroundings.allowsNetwork)
        {
            isolation.remove(.calls)
        }
        // The command's own tests have no room on the command line for what is to be done.
        let words = ProcessInfo.processInfo.environment["AVTOOL_ACTS"]?.split(separator: "\n").map(String.init)
        let acts = (words ?? surroundings.arguments).compactMap { Act($0) }
        var files = (words ?? surroundings.arguments).filter { !$0.contains("=") }
        if files.isEmpty { files = ["film.mp4"] }
        do {
            try channel.send(WorkReply.ready(isolation, objection: nil, libraries: []))
            while let order = try channel.receive(WorkOrder.self) {
                switch order.value {
                case .start: break
                case .work(let job):
                    guard let descriptor = order.descriptors.first else { continue }
                    if job.isAlone, ProcessInfo.processInfo.environment["AVTOOL_ALONE"] != nil {
                        try channel.send(WorkReply.began(process: getpid()))
                        WorkerCopy.refuseProcesses(isolation)
                        close(3)
                        let channel = Channel(descriptor: descriptor)
                        Copy(channel: channel, descriptor: descriptor, files: files).work(on: job, acts)
                    }
                    let process = WorkerCopy.make(isolation)
                    if process == 0 {
                        close(3)
                        if surroundings.libraryVersion != nil { LibraryCopy(order.descriptors).work() }
                        let channel = Channel(descriptor: descriptor)
                        Copy(channel: channel, descriptor: descriptor, files: files).work(on: job, acts)
                    }
                    try channel.send(process > 0 ? WorkReply.began(process: process) : .failed("no copy"))
                    for descriptor in order.descriptors { close(descriptor) }
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
///
/// In front of it may stand over which of several files it comes, as in `2:crash=x`; without that, the first.
struct Act {
    let file: Int
    let name: String
    let object: String

    init?(_ text: String) {
        guard let sign = text.firstIndex(of: "=") else { return nil }
        let parts = text[..<sign].split(separator: ":")
        file = parts.count > 1 ? Int(parts[0]) ?? 0 : 0
        (name, object) = (String(parts.last ?? ""), String(text[text.index(after: sign)...]))
    }
}

/// The copy of the worker that misbehaves.
struct Copy {
    let channel: Channel
    let descriptor: Int32
    let files: [String]

    func work(on job: WorkOrder.Job, _ acts: [Act]) -> Never {
        var code: Int32 = 0
        for index in job.files {
            let before = WorkEnd(code: code, fileCount: index - job.files.lowerBound)
            try? channel.send(WorkNews.begins(index, before: before))
            if let failure = job.failure {
                if acts.contains(where: { $0.name == "mute" }) { _exit(3) }
                say("\(files[index]): \(failure.rawValue)")
                end(65)
            }
            // The others are the hostile one's neighbours, and well.
            for act in acts where act.file == index {
                if act.name == "fails" {
                    code = Int32(act.object) ?? 0
                } else if act.name == "after" {
                    if index > job.files.lowerBound { stumble(act.object) }
                } else {
                    say("\(act.name): \(perform(act))")
                }
            }
            say("\(files[index]): read")
        }
        end(code)
    }

    /// Fails over a file for what one before it left behind, at a point of the work on it.
    private func stumble(_ point: String) {
        switch point {
        case "words": say("read so far")
        case "result": _ = make("film1.mp4-1.png")
        case "name":
            let name = FileCall.place(path: "film1.mp4-1.png", replaces: true, makesFolder: true, isFolder: false)
            guard case .place(let place, _)? = try? answer(to: name).value else { return }
            _ = try? answer(to: .newFile(place: place, temporaryFolder: nil))
        default: break
        }
        abort()
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
        case "result": return make(act.object)
        case "grow": return grow(act.object)
        case "rewrite": return rewrite(act.object)
        case "link-out": return linkOut(act.object)
        case "mute": return "muted"
        case "lie":
            try? channel.send(
                WorkNews.done(WorkEnd(code: Int32(act.object) ?? 0, fileCount: .max, endsAll: true)))
            _exit(0)
        case "wait":
            sleep(UInt32(act.object) ?? 1)
            return "waited"
        case "closed":
            close(descriptor)
            while true { sleep(1000) }
        case "stubborn":
            signal(SIGTERM, SIG_IGN)
            while true { sleep(1000) }
        case "kill-parent": return result(Int(kill(getppid(), SIGKILL)))
        case "flood":
            return Flood(channel: channel, descriptor: descriptor, file: files[act.file]).perform(act.object)
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
        case "boast":
            // As a timer does that tells of work which does not get further.
            while true {
                try? channel.send(WorkNews.progress(file: files[0], fraction: 0.5, details: ""))
                usleep(50_000)
            }
        case "move":
            // Slow, but it gets further.
            for _ in 0..<(Int(act.object) ?? 0) {
                usleep(200_000)
                try? channel.send(WorkNews.moves)
            }
            return "moved"
        case "allocate":
            WorkerCopy.limitMemory(Int64(act.object) ?? 0)
            let memory = UnsafeMutableRawPointer.allocate(byteCount: 1 << 32, alignment: 16)
            memset(memory, 1, 1 << 32)
            return "alive"
        default: return "unknown"
        }
    }

    /// Makes a result, as a well-behaved worker does.
    private func make(_ path: String) -> String {
        do {
            let place = FileCall.place(path: path, replaces: true, makesFolder: true, isFolder: false)
            guard case .place(let number, _) = try answer(to: place).value else { return "refused" }
            let made = try answer(to: .newFile(place: number, temporaryFolder: nil))
            guard case .made(let file) = made.value, let descriptor = made.descriptors.first else { return "refused" }
            _ = write(descriptor, "taken over", 10)
            guard case .done = try answer(to: .complete(file, isSynced: false)).value else { return "refused" }
            return "done"
        } catch { return "nobody" }
    }

    /// Makes a result of three gigabytes, which take no room.
    private func grow(_ path: String) -> String {
        do {
            let place = FileCall.place(path: path, replaces: true, makesFolder: true, isFolder: false)
            guard case .place(let number, _) = try answer(to: place).value else { return "refused" }
            let made = try answer(to: .newFile(place: number, temporaryFolder: nil))
            guard let descriptor = made.descriptors.first else { return "refused" }
            return result(Int(ftruncate(descriptor, 3 << 30)))
        } catch { return "nobody" }
    }

    /// Gives a file a new version.
    private func rewrite(_ path: String) -> String {
        do {
            var status = stat()
            guard stat(path, &status) == 0 else { return "not there" }
            var version = MessageWriter()
            version.put(UInt64(status.st_dev))
            version.put(UInt64(status.st_ino))
            version.put(UInt64(status.st_size))
            version.put(Int64(status.st_mtim.tv_sec))
            version.put(Int64(status.st_mtim.tv_nsec))
            var reader = MessageReader(version.bytes)
            let call = FileCall.rewrite(path: path, try FileVersion(from: &reader), [.bytes(10)], nil)
            try channel.send(WorkNews.call(call), bytes: Array("taken over".utf8))
            guard let answer = try channel.receive(FileAnswer.self) else { return "nobody" }
            if case .rewritten = answer.value { return "done" }
            return "refused"
        } catch { return "nobody" }
    }

    /// Has a file of a new folder named outside of it.
    private func linkOut(_ path: String) -> String {
        do {
            let place = FileCall.place(path: path, replaces: true, makesFolder: true, isFolder: true)
            guard case .place(let number, _) = try answer(to: place).value else { return "refused" }
            guard case .made(let folder) = try answer(to: .newFolder(place: number, .storyboard)).value else {
                return "refused"
            }
            for name in ["../canary", "/etc/x", "a/../../canary", "", ".", "a/b/c/d"] {
                if case .made = try answer(to: .newFileInFolder(folder: folder, name: name)).value { return "done" }
                if case .opened = try answer(to: .openInFolder(folder: folder, name: name)).value { return "done" }
            }
            return "refused"
        } catch { return "nobody" }
    }

    private func answer(to call: FileCall) throws -> Channel.Message<FileAnswer> {
        try channel.send(WorkNews.call(call))
        guard let answer = try channel.receive(FileAnswer.self) else { throw ChannelError(reason: "nobody") }
        return answer
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
