import Foundation
import MediaFile
import MediaTestSupport
import Testing

@Suite(.serialized) struct `Rewrites of files` {
    /// A file of 20,000 bytes, each telling its position.
    private func makeFile(_ folder: TemporaryFolder) throws -> (path: String, bytes: [UInt8]) {
        let bytes = (0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) }
        let path = folder.path("a.bin")
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return (path, bytes)
    }

    private func inode(_ path: String) throws -> UInt64 {
        try #require(FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? UInt64)
    }

    private func bytes(_ path: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))) }

    @Test func `within one page change the file itself`() throws {
        let folder = try TemporaryFolder()
        let (path, old) = try makeFile(folder)
        let file = try #require(RandomAccessFile(path: path))
        let before = try inode(path)
        let new = Array(old[0..<5000]) + Array("changed".utf8) + Array(old[5007...])
        let rewrite = FileRewrite(segments: [
            .source(0..<4000), .bytes(Array(new[4000..<6000])), .source(6000..<20_000),
        ])
        #expect(rewrite.method(for: file) == .inPlace)
        #expect(try rewrite.apply(to: path, of: file) == .inPlace)
        #expect(try bytes(path) == new)
        #expect(try inode(path) == before)
    }

    @Test func `over two pages replace the file at once`() throws {
        let folder = try TemporaryFolder()
        let (path, old) = try makeFile(folder)
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
        let file = try #require(RandomAccessFile(path: path))
        let before = try inode(path)
        let rewrite = FileRewrite(segments: [
            .source(0..<4090), .bytes([UInt8](repeating: 1, count: 20)), .source(4110..<20_000),
        ])
        #expect(try rewrite.apply(to: path, of: file) == .copy)
        #expect(try bytes(path) == Array(old[..<4090]) + [UInt8](repeating: 1, count: 20) + Array(old[4110...]))
        #expect(try inode(path) != before)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o640)
        #expect(try folder.contents() == ["a.bin"])
    }

    @Test func `that change nothing touch nothing`() throws {
        let folder = try TemporaryFolder()
        let (path, old) = try makeFile(folder)
        let file = try #require(RandomAccessFile(path: path))
        let rewrite = FileRewrite(segments: [.bytes(Array(old[..<9000])), .source(9000..<20_000)])
        #expect(try rewrite.apply(to: path, of: file) == .unchanged)
        #expect(RandomAccessFile(path: path)?.version == file.version)
    }

    @Test func `move parts and change the length`() throws {
        let folder = try TemporaryFolder()
        let (path, old) = try makeFile(folder)
        let file = try #require(RandomAccessFile(path: path))
        let rewrite = FileRewrite(segments: [.source(10_000..<20_000), .bytes([1, 2, 3]), .source(0..<10)])
        #expect(rewrite.byteCount == 10_013)
        #expect(try rewrite.apply(to: path, of: file) == .copy)
        #expect(try bytes(path) == Array(old[10_000...]) + [1, 2, 3] + Array(old[..<10]))
    }

    @Test func `follow steps where a format has some`() throws {
        let folder = try TemporaryFolder()
        let (path, old) = try makeFile(folder)
        let file = try #require(RandomAccessFile(path: path))
        let long = [UInt8](repeating: 9, count: 9000)
        let rewrite = FileRewrite(
            segments: [.bytes(long), .source(0..<20_000)],
            steps: [
                .prepare(long, at: 20_000), .commit([1, 2, 3, 4], at: 0), .prepare(long, at: 4), .truncate(to: 20_000),
            ])
        #expect(try rewrite.apply(to: path, of: file) == .inPlace)
        #expect(try bytes(path) == [1, 2, 3, 4] + long + Array(old[9004...]))
    }

    /// A disk that becomes full in the middle of a change, at each of its steps.
    @Test(arguments: [60, 64, 68, 72, 76, 80])
    func `that find no room leave the old bytes and the old length`(_ kilobytes: Int) async throws {
        let folder = try TemporaryFolder()
        let mount = try await CommandRun.run(
            "mount", ["-t", "tmpfs", "-o", "size=\(kilobytes)k", "none", folder.path])
        guard mount.exitCode == 0 else {
            print("skipped: no small disk can be mounted here")
            return
        }
        var outcome: (old: [UInt8], new: [UInt8], error: FileWriteError?)?
        do {
            // Pages of the file that were never written take no room, so that writing over them needs some.
            let (path, old) = try makeFile(folder)
            let handle = try FileHandle(forUpdating: URL(fileURLWithPath: path))
            try handle.truncate(atOffset: 40_000)
            try handle.close()
            let file = try #require(RandomAccessFile(path: path))
            let long = [UInt8](repeating: 9, count: 16_000)
            let rewrite = FileRewrite(
                segments: [.bytes([1])],
                steps: [
                    .prepare(long, at: 40_000), .commit([1, 2, 3, 4], at: 0), .prepare(long, at: 22_000),
                    .commit([5], at: 4), .prepare(long, at: 70_000), .truncate(to: 10_000),
                ])
            var failure: FileWriteError?
            do { try rewrite.apply(to: path, of: file) } catch { failure = error as? FileWriteError }
            outcome = (old + [UInt8](repeating: 0, count: 20_000), try bytes(path), failure)
        } catch {
            Issue.record(error)
        }
        _ = try await CommandRun.run("umount", [folder.path])
        let result = try #require(outcome)
        guard let error = result.error else {
            #expect(result.new == [1, 2, 3, 4, 5] + result.old[5..<10_000])
            return
        }
        #expect(error.kind == .diskFull)
        #expect(result.new == result.old)
    }

    /// A file's greatest length allowed: writing fails after a change was begun, whatever was reserved.
    @Test func `that fail half-way are taken back`() async throws {
        let folder = try TemporaryFolder()
        let (path, old) = try makeFile(folder)
        let file = try #require(RandomAccessFile(path: path))
        let rewrite = FileRewrite(
            segments: [.bytes([1])],
            steps: [
                .truncate(to: 15_000), .prepare([UInt8](repeating: 9, count: 9000), at: 15_000),
                .commit([1, 2, 3, 4], at: 0), .commit([5], at: 20_000), .prepare([7], at: UInt64(Int64.max) - 5),
            ])
        #expect(throws: FileWriteError.self) { try rewrite.apply(to: path, of: file) }
        #expect(try bytes(path) == old)
    }

    @Test func `do not follow a step that readers could see half of`() throws {
        let folder = try TemporaryFolder()
        let (path, _) = try makeFile(folder)
        let file = try #require(RandomAccessFile(path: path))
        let rewrite = FileRewrite(
            segments: [.bytes([5]), .source(0..<20_000)], steps: [.commit([1, 2, 3, 4], at: 4094)])
        #expect(rewrite.method(for: file) == .copy)
    }

    @Test func `go through a symbolic link to the file behind it`() throws {
        let folder = try TemporaryFolder()
        let (path, _) = try makeFile(folder)
        let link = folder.path("link.bin")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        let file = try #require(RandomAccessFile(path: link))
        try FileRewrite(segments: [.bytes([1, 2, 3])]).apply(to: link, of: file)
        #expect(try bytes(path) == [1, 2, 3])
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == path)
    }

    @Test func `refuse a file that somebody else changed meanwhile`() throws {
        let folder = try TemporaryFolder()
        let (path, old) = try makeFile(folder)
        let file = try #require(RandomAccessFile(path: path))
        try Data(old + [0]).write(to: URL(fileURLWithPath: path))
        #expect(throws: FileWriteError.self) { try FileRewrite(segments: [.bytes([1])]).apply(to: path, of: file) }
        #expect(try bytes(path) == old + [0])
        let copy = folder.path("b.bin")
        #expect(throws: FileWriteError.self) {
            try FileRewrite(segments: [.source(0..<20_000)]).write(to: copy, from: file, replaces: false)
        }
        #expect(!FileManager.default.fileExists(atPath: copy))
    }

    @Test func `to another name leave the source and existing files alone`() throws {
        let folder = try TemporaryFolder()
        let (path, old) = try makeFile(folder)
        let file = try #require(RandomAccessFile(path: path))
        let rewrite = FileRewrite(segments: [.bytes([1]), .source(0..<20_000)])
        let copy = folder.path("b.bin")
        try rewrite.write(to: copy, from: file, replaces: false)
        #expect(try bytes(copy) == [1] + old)
        #expect(throws: FileWriteError.self) { try rewrite.write(to: copy, from: file, replaces: false) }
        #expect(try bytes(path) == old)
    }

    @Test func `that are cancelled leave the old file`() async throws {
        let folder = try TemporaryFolder()
        let (path, old) = try makeFile(folder)
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            let file = try #require(RandomAccessFile(path: path))
            try FileRewrite(segments: [.bytes([1]), .source(0..<20_000)]).apply(to: path, of: file)
        }
        task.cancel()
        let error = await task.result
        guard case .failure(let failure) = error else {
            Issue.record("the rewrite was not cancelled")
            return
        }
        #expect((failure as? FileWriteError)?.kind == .cancelled)
        #expect(try bytes(path) == old)
        #expect(try folder.contents() == ["a.bin"])
    }
}
