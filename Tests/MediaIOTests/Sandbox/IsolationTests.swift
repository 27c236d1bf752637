import Foundation
import TestSupport
import Testing

@testable import MediaIO

/// A worker that does what a hostile file would make it do, and a process in place of the tool that starts it.
private struct Misbehaviour {
    let lines: [String]
    let status: Int32

    static var executable: String {
        get throws {
            let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            return try #require(
                [own, URL(fileURLWithPath: CommandLine.arguments[0])]
                    .map { $0.deletingLastPathComponent().appendingPathComponent("misbehaving-worker").path }
                    .first { FileManager.default.isExecutableFile(atPath: $0) })
        }
    }

    /// Has acts performed by a worker from which the kernel keeps some things.
    init(_ acts: [String], _ isolation: Isolation) throws {
        var settings = WorkerProcess.Settings(executable: try Self.executable)
        settings.isolation = isolation
        settings.readable = ["/usr", "/lib", "/lib64", "/etc/ld.so.cache", "/opt/swift"] + Self.libraries
        let worker = try WorkerProcess(settings)
        defer { worker.kill() }
        var surroundings = WorkSurroundings()
        (surroundings.arguments, surroundings.isolation) = (acts, worker.isolation)
        try worker.channel.send(WorkOrder.start(surroundings))
        guard case .ready(let active, _, _)? = try worker.channel.receive(WorkReply.self)?.value else {
            throw ChannelError(reason: "no plan")
        }
        #expect(active.isSuperset(of: isolation), "this kernel has less: \(active.names)")
        let (channel, other) = try Channel.pair()
        try worker.channel.send(WorkOrder.work(.init(files: 0..<1)), descriptors: [other])
        close(other)
        guard case .began(let process)? = try worker.channel.receive(WorkReply.self)?.value else {
            throw ChannelError(reason: "no copy")
        }
        var lines: [String] = []
        // A file that may be read, and names that results may have.
        var grants = FileGrants()
        grants.inputs = ["film.mp4"]
        grants.results = [ResultRule(literals: ["film.mp4-", ".png"])]
        let service = FileService(grants, run: RunFiles()) { false }
        while let message = try channel.receive(WorkNews.self) {
            switch message.value {
            case .diagnostics(let line): lines.append(line)
            case .call(let call):
                let (answer, descriptor) = service.answer(call, message.bytes)
                try channel.send(answer, descriptors: descriptor.map { [$0] } ?? [])
                if let descriptor { close(descriptor) }
            default: break
            }
        }
        try worker.channel.send(WorkOrder.collect(process: process))
        guard case .ended(let status)? = try worker.channel.receive(WorkReply.self)?.value else {
            throw ChannelError(reason: "no end")
        }
        (self.lines, self.status) = (lines, status)
    }

    /// Where this process has its own libraries from.
    private static var libraries: [String] {
        let maps = (try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8)) ?? ""
        return Set(
            maps.split(separator: "\n").compactMap { line in
                line.firstIndex(of: "/").map { (String(line[$0...]) as NSString).deletingLastPathComponent }
            }
        ).filter { $0 != "/" && !$0.hasPrefix("/tmp") }
    }
}

/// What the kernel keeps from a worker that a file has taken over.
///
/// What comes out is looked at from outside: a file's bytes, a folder's names, a port that nobody came to.
@Suite struct `A worker that was taken over` {
    private static let withoutFiles = Isolation.all.subtracting(.files)
    private static let withoutCalls = Isolation.all.subtracting(.calls)
    private static let home = FileManager.default.temporaryDirectory.path

    /// Each of Landlock and seccomp keeps changes away by itself.
    @Test(arguments: [Isolation.all, withoutFiles, withoutCalls])
    func `A compromised worker changes no file by its path`(_ isolation: Isolation) throws {
        let folder = URL(fileURLWithPath: Self.home).appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let victim = folder.appendingPathComponent("canary").path
        try Data("sings".utf8).write(to: URL(fileURLWithPath: victim))
        let new = folder.appendingPathComponent("new").path
        let found = try Misbehaviour(
            [
                "create=\(new)", "append=\(victim)", "unlink=\(victim)", "rename=\(victim)", "mkdir=\(new)",
                "symlink=\(new)",
            ], isolation)
        for line in found.lines.dropLast() { #expect(line.hasSuffix("Permission denied"), "\(line)") }
        #expect(found.lines.count == 7)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["canary"])
        #expect(try String(contentsOfFile: victim, encoding: .utf8) == "sings")
    }

    @Test(arguments: [Isolation.all, withoutCalls])
    func `A compromised worker reads no file that it was not given`(_ isolation: Isolation) throws {
        let found = try Misbehaviour(
            [
                "open=/etc/passwd", "open=/proc/\(getpid())/environ", "open=/proc/self/environ", "ask=/etc/passwd",
                "ask=/proc/self/environ", "ask=film.mp4/../../etc/passwd",
            ], isolation)
        #expect(found.lines[0] == "open: Permission denied")
        #expect(found.lines[1] == "open: Permission denied")
        #expect(found.lines[3...5].allSatisfy { $0 == "ask: Permission denied" }, "\(found.lines)")
    }

    @Test(arguments: [Isolation.all, withoutFiles, withoutCalls, Isolation.all.subtracting(.network)])
    func `A compromised worker connects to nothing`(_ isolation: Isolation) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(listener) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                #expect(bind(listener, $0, size) == 0 && listen(listener, 4) == 0)
                getsockname(listener, $0, &size)
            }
        }
        let port = UInt16(bigEndian: address.sin_port)
        let found = try Misbehaviour(["connect=\(port)"], isolation)
        #expect(found.lines.first == "connect: Permission denied")
        var waiting = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
        #expect(poll(&waiting, 1, 100) == 0, "somebody came")
    }

    /// Landlock and seccomp each refuse what else could be executed.
    @Test(arguments: [Isolation.all, withoutFiles, withoutCalls])
    func `A compromised worker executes nothing`(_ isolation: Isolation) throws {
        let found = try Misbehaviour(["exec=/bin/true", "exec=/bin/sh"], isolation)
        #expect(found.lines.count == 3, "it became another program: \(found.lines)")
        for line in found.lines.dropLast() {
            #expect(["exec: Permission denied", "exec: Operation not permitted"].contains(line), "\(line)")
        }
    }

    @Test(arguments: [Isolation.all, withoutFiles, withoutCalls, Isolation.all.subtracting(.scopes)])
    func `A compromised worker signals no process`(_ isolation: Isolation) throws {
        let bystander = try ChildProcess("sleep", ["100"])
        defer {
            bystander.signal(SIGKILL)
            bystander.waitUntilExit()
        }
        let found = try Misbehaviour(["signal=\(bystander.processIdentifier)", "signal=parent"], isolation)
        #expect(found.lines.dropLast() == ["signal: Operation not permitted", "signal: Operation not permitted"])
        #expect(bystander.isRunning)
    }

    @Test func `A compromised worker makes no more processes`() throws {
        #expect(try Misbehaviour(["fork=x"], .all).lines.first == "fork: Operation not permitted")
    }

    @Test func `A compromised worker names no result but those of the command line`() throws {
        let names = ["/etc/cron.d/x", "../x", "film.mp4-/../../x.png", ".bashrc", "film.mp4", "film.mp4-x.jpg"]
        let found = try Misbehaviour(names.map { "place=\($0)" }, .all)
        for line in found.lines.dropLast() { #expect(line == "place: Permission denied") }
    }

    @Test func `A compromised worker that crashes reports its own signal or exit code`() throws {
        #expect(try Misbehaviour(["crash=x"], .all).status & 0x7f == SIGSEGV)
        #expect(try Misbehaviour(["abort=x"], .all).status & 0x7f == SIGABRT)
        #expect(try Misbehaviour(["exit=x"], .all).status >> 8 == 3)
    }
}

@Suite struct `Names that results may have` {
    @Test(arguments: [
        (["film-", ".png"], "film-1.png", true), (["film-", ".png"], "film-.png", true),
        (["film-", ".png"], "film-1.jpg", false), (["film-", ".png"], "film-/x.png", false),
        (["film-", ".png"], "film-../x.png", false), (["film.png"], "film.png", true),
        (["film.png"], "film.png2", false), (["out/", "-", ".png"], "out/a-b.png", true),
        (["out/", "-", ".png"], "out/../a-b.png", false), (["a", "a"], "a", false), (["a", "a"], "aa", true),
        (["", ""], "anything", true), (["", ""], "any/thing", false), (["x", "y", "z"], "xyz", true),
        (["x", "y", "z"], "xz", false), (["", ".png"], "..png", true), ([], "x", false),
    ])
    func `Names of results are text with gaps, in which no slash stands`(
        _ literals: [String], _ name: String, _ isAllowed: Bool
    ) {
        #expect(ResultRule(literals: literals).allows(name) == isAllowed)
    }
}
