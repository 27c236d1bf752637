import Foundation
import MediaIO
import TestSupport
import Testing

@testable import FFmpegKit

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

struct RefusalCase: Sendable, CustomTestStringConvertible {
    var name: String
    var kind: FFmpegError.Kind
    var word: String

    init(_ name: String, _ kind: FFmpegError.Kind, _ word: String) {
        (self.name, self.kind, self.word) = (name, kind, word)
    }

    var testDescription: String { name }
}

@Suite(.serialized) struct `Opening files of strangers` {
    @Test(arguments: [
        RefusalCase("hls-named.mp4", .unsupported, "not allowed"),
        RefusalCase("concat-named.mp4", .unsupported, "not allowed"),
        RefusalCase("huge-header.mkv", .limit, "100000x100000"), RefusalCase("empty.mp4", .damaged, "empty"),
        RefusalCase("text.mp4", .damaged, "not a media file"),
        RefusalCase("no-such-file.mp4", .noSuchInput, "no such file"),
        RefusalCase("expected", .noSuchInput, "directory"), RefusalCase("movie.mp4/x", .noSuchInput, "no such file"),
        RefusalCase("truncated-no-moov.mp4", .damaged, "moov"),
    ])
    func `Untrusted files are refused with the reason`(_ c: RefusalCase) throws {
        let error = try #require(Fixture(c.name).openFailure())
        #expect(error.kind == c.kind)
        #expect(error.reason.contains(c.word), "\(error.reason)")
        #expect(error.operation == .open)
        #expect(!error.reason.contains("\n"))
    }

    @Test func `A path with a zero byte and a device are refused`() {
        for path in ["/tmp/a\0b.mp4", "/dev/zero", ""] {
            let error = #expect(throws: FFmpegError.self) {
                try Demuxer.open(path, policy: SafetyPolicy(), interrupt: Interrupt())
            }
            #expect(error?.kind == .noSuchInput, "\(path.debugDescription)")
        }
    }

    @Test(arguments: ["http://127.0.0.1:9/x.mp4", "concat:movie.mp4|movie.mov", "pipe:0", "data:,x", "lavfi:testsrc"])
    func `An address in place of a path opens nothing`(_ path: String) {
        let error = #expect(throws: FFmpegError.self) {
            try Demuxer.open(path, policy: SafetyPolicy(), interrupt: Interrupt())
        }
        #expect(error?.kind == (path.contains("://") ? .networkNotAllowed : .noSuchInput))
    }

    @Test func `A format that was allowed still cannot open the files that it names`() throws {
        var policy = SafetyPolicy()
        policy.additionalFormats = ["concat"]
        let error = try #require(Fixture("concat-named.mp4").openFailure(policy: policy))
        #expect(error.kind != .unsupported || !error.reason.contains("format"))
    }

    @Test func `Opening a file keeps to the limit on pixels`() throws {
        var policy = SafetyPolicy()
        policy.limits.pixels = 320 * 240 - 1
        #expect(Fixture("movie.mp4").openFailure(policy: policy)?.kind == .limit)
        policy.limits.pixels = 320 * 240
        #expect(Fixture("movie.mp4").openFailure(policy: policy) == nil)
    }

    @Test func `Opening a file keeps to the limit on streams`() throws {
        var policy = SafetyPolicy()
        policy.limits.streams = 2
        if let demuxer = try? Fixture("languages.mkv").open(policy: policy) { #expect(demuxer.streams.count <= 2) }
        policy.limits.streams = 5
        #expect(try Fixture("languages.mkv").open(policy: policy).streams.count == 5)
    }

    @Test(arguments: Fixture.allNames)
    func `Opening a file leaks no descriptor, whether it succeeds or fails`(_ name: String) throws {
        // A copy, because other tests have the fixtures themselves open meanwhile.
        let folder = try TemporaryFolder()
        let path = folder.url.resolvingSymlinksInPath().appendingPathComponent(name).path
        try FileManager.default.copyItem(atPath: Fixture(name).path, toPath: path)
        func open() throws -> Demuxer { try Demuxer.open(path, policy: SafetyPolicy(), interrupt: Interrupt()) }
        func failure() -> FFmpegError? {
            do {
                _ = try open()
                return nil
            } catch {
                return error as? FFmpegError
            }
        }
        func descriptors() throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count { entry in
                (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(entry)")) == path
            }
        }
        let first = failure()
        for _ in 0..<8 { #expect(failure()?.kind == first?.kind) }
        #expect(try descriptors() == 0)
        guard first == nil else { return }
        // One that is read a little is closed as well as one that is not.
        for _ in 0..<3 {
            let demuxer = try open()
            #expect(try descriptors() >= 1)
            _ = try demuxer.readPacket()
            if demuxer.streams.first?.kind == .video { _ = try? demuxer.makeDecoder(stream: 0) }
        }
        #expect(try descriptors() == 0)
    }

    @Test func `Memory does not grow with the number of opens`() async {
        // In a process of its own, where nothing else takes memory.
        await #expect(processExitsWith: .success) {
            func resident() throws -> Int {
                let fields = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
                return (Int(fields[1]) ?? 0) * 4096
            }
            let names = ["movie.mp4", "h264.ts", "vp9.webm", "hls-named.mp4", "text.mp4", "huge-header.mkv"]
            for _ in 0..<10 { for name in names { _ = Fixture(name).openFailure() } }
            let before = try resident()
            for _ in 0..<60 { for name in names { _ = Fixture(name).openFailure() } }
            // A leaked context of an open file is 100 kB and more: 360 of them would be 36 MB.
            if try resident() - before > 8 << 20 { exit(1) }
        }
    }
}

@Suite(.serialized, .timeLimit(.minutes(5))) struct `Interrupting` {
    @Test func `The state of an interrupt follows cancel, deadline and reset`() async throws {
        let interrupt = Interrupt()
        #expect(interrupt.state == .none)
        try interrupt.check(.read)
        interrupt.setDeadline(after: .seconds(3600))
        #expect(interrupt.state == .none)
        interrupt.setDeadline(after: .nanoseconds(1))
        try await Task.sleep(for: .milliseconds(2))
        #expect(interrupt.state == .deadline)
        #expect(#expect(throws: FFmpegError.self) { try interrupt.check(.read) }?.kind == .limit)
        interrupt.cancel()
        #expect(interrupt.state == .cancelled)
        #expect(#expect(throws: FFmpegError.self) { try interrupt.check(.read) }?.kind == .cancelled)
        interrupt.setDeadline(after: nil)
        #expect(interrupt.state == .cancelled)
    }

    @Test func `A cancelled open fails as cancelled`() throws {
        let interrupt = Interrupt()
        interrupt.cancel()
        let error = #expect(throws: FFmpegError.self) { try Fixture("h264.ts").open(interrupt: interrupt) }
        #expect(error?.kind == .cancelled)
    }

    @Test func `An open that takes too long fails with the limit on time`() throws {
        var policy = SafetyPolicy()
        policy.limits.openTime = .milliseconds(50)
        let path = NSTemporaryDirectory() + "silent-\(UUID().uuidString)"
        try #require(mkfifo(path, 0o600) == 0)
        defer { unlink(path) }
        // A writer that writes nothing.
        let writer = open(path, O_RDWR)
        defer { close(writer) }
        let error = #expect(throws: FFmpegError.self) {
            try Demuxer.open(path, policy: policy, interrupt: Interrupt())
        }
        #expect(error?.kind == .limit && error?.limit == .openTime)
    }

    @Test func `The deadline of an open does not outlive it`() async throws {
        var policy = SafetyPolicy()
        policy.limits.openTime = .seconds(20)
        let demuxer = try Fixture("movie.mp4").open(policy: policy)
        demuxer.interrupt.setDeadline(after: nil)
        #expect(try demuxer.readPacket() != nil)
    }

    @Test(arguments: [FFmpegError.Kind.cancelled, .limit])
    func `A read stops when it is interrupted`(_ kind: FFmpegError.Kind) async throws {
        let demuxer = try Fixture("mpeg2.ps").open()
        _ = try demuxer.readPacket()
        if kind == .cancelled {
            demuxer.interrupt.cancel()
        } else {
            demuxer.interrupt.setDeadline(after: .nanoseconds(1))
            try await Task.sleep(for: .milliseconds(2))
        }
        // Packets that are in memory already may still come; the end of the file must not be reported.
        let error = #expect(throws: FFmpegError.self) { while try demuxer.readPacket() != nil {} }
        #expect(error?.kind == kind)
    }

    @Test func `A seek of a cancelled reader fails`() throws {
        let demuxer = try Fixture("movie.mp4").open()
        demuxer.interrupt.cancel()
        #expect(throws: FFmpegError.self) { try demuxer.seek(stream: 0, toTicks: 0) }
    }

    @Test func `A pipe without data does not outlast the deadline`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("pipe")
        try #require(mkfifo(path, 0o600) == 0)
        // Held open for writing, so that opening succeeds and reading waits.
        let writer = Glibc.open(path, O_RDWR)
        try #require(writer >= 0)
        let (results, continuation) = AsyncStream.makeStream(of: FFmpegError.Kind?.self)
        Thread.detachNewThread {
            var policy = SafetyPolicy()
            policy.limits.openTime = .milliseconds(300)
            do {
                _ = try Demuxer.open(path, policy: policy, interrupt: Interrupt())
                continuation.yield(nil)
            } catch {
                continuation.yield((error as? FFmpegError)?.kind)
            }
            continuation.finish()
        }
        let start = ContinuousClock.now
        Thread.detachNewThread {
            // Releases a reader that is stuck, so that the test ends in any case.
            Thread.sleep(forTimeInterval: 40)
            close(writer)
        }
        var iterator = results.makeAsyncIterator()
        let kind = await iterator.next() ?? nil
        #expect(kind == .limit)
        #expect(ContinuousClock.now - start < .seconds(30))
    }
}
