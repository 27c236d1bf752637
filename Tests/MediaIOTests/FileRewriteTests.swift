import Foundation
import MediaIO
import TestSupport
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

    @Test func `Rewrites within one page change the file itself`() throws {
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

    @Test func `Rewrites over two pages replace the file at once`() throws {
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

    @Test func `Rewrites that change nothing touch nothing`() throws {
        let folder = try TemporaryFolder()
        let (path, old) = try makeFile(folder)
        let file = try #require(RandomAccessFile(path: path))
        let rewrite = FileRewrite(segments: [.bytes(Array(old[..<9000])), .source(9000..<20_000)])
        #expect(try rewrite.apply(to: path, of: file) == .unchanged)
        #expect(RandomAccessFile(path: path)?.version == file.version)
    }

    @Test func `Rewrites move parts and change the length`() throws {
        let folder = try TemporaryFolder()
        let (path, old) = try makeFile(folder)
        let file = try #require(RandomAccessFile(path: path))
        let rewrite = FileRewrite(segments: [.source(10_000..<20_000), .bytes([1, 2, 3]), .source(0..<10)])
        #expect(rewrite.byteCount == 10_013)
        #expect(try rewrite.apply(to: path, of: file) == .copy)
        #expect(try bytes(path) == Array(old[10_000...]) + [1, 2, 3] + Array(old[..<10]))
    }

    @Test func `Rewrites follow steps where a format has some`() throws {
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
    func `Rewrites on a full disk leave the old bytes and the old length`(_ kilobytes: Int) async throws {
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
    @Test func `Rewrites that fail half-way are taken back`() async throws {
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

    @Test func `Rewrites copy the file where readers could see half of a step`() throws {
        let folder = try TemporaryFolder()
        let (path, _) = try makeFile(folder)
        let file = try #require(RandomAccessFile(path: path))
        let rewrite = FileRewrite(
            segments: [.bytes([5]), .source(0..<20_000)], steps: [.commit([1, 2, 3, 4], at: 4094)])
        #expect(rewrite.method(for: file) == .copy)
    }

    @Test func `Rewrites follow a symbolic link to its file`() throws {
        let folder = try TemporaryFolder()
        let (path, _) = try makeFile(folder)
        let link = folder.path("link.bin")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        let file = try #require(RandomAccessFile(path: link))
        try FileRewrite(segments: [.bytes([1, 2, 3])]).apply(to: link, of: file)
        #expect(try bytes(path) == [1, 2, 3])
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == path)
    }

    @Test func `Rewrites refuse a file that was changed meanwhile`() throws {
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

    @Test func `Rewrites to another name leave the source and existing files alone`() throws {
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

    @Test func `Rewrites that are cancelled leave the old file`() async throws {
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

    @Test func `Rewrites make a copy of a file that is being read, and the reader keeps the old version`() throws {
        let folder = try TemporaryFolder()
        let (path, old) = try makeFile(folder)
        let file = try #require(RandomAccessFile(path: path))
        let rewrite = FileRewrite(segments: [.bytes([1, 2, 3]), .source(3..<20_000)])
        do {
            let reader = try #require(RandomAccessFile(path: path))
            #expect(try rewrite.apply(to: path, of: file) == .copy)
            #expect(reader.read(at: 0, count: 20_000) == old)
            #expect(reader.isUnchanged)
            #expect(try bytes(path) == [1, 2, 3] + old[3...])
        }
        let next = try #require(RandomAccessFile(path: path))
        #expect(
            try FileRewrite(segments: [.bytes([4, 5, 6]), .source(3..<20_000)]).apply(to: path, of: next) == .inPlace)
    }

    @Test func `Rewrites of one file by several threads are all made, one after the other`() async throws {
        let folder = try TemporaryFolder()
        let (path, old) = try makeFile(folder)
        // A counter within one page, and one that moves all that follows.
        try Data([0] + old + [0]).write(to: URL(fileURLWithPath: path))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for thread in 0..<4 {
                group.addTask {
                    for _ in 0..<50 {
                        let lock = try EditLock(changing: path)
                        let file = try #require(RandomAccessFile(path: path))
                        let all = file.read(at: 0, count: Int(file.byteCount))
                        let count = UInt64(all.count)
                        let rewrite =
                            thread % 2 == 0
                            ? FileRewrite(segments: [.bytes([all[0] + 1]), .source(1..<count)])
                            : FileRewrite(segments: [.source(0..<(count - 1)), .bytes([0, all[all.count - 1] + 1])])
                        try rewrite.apply(to: path, of: file, under: lock)
                    }
                }
            }
            try await group.waitForAll()
        }
        let new = try bytes(path)
        #expect(new.first == 100)
        #expect(new.last == 100)
        #expect(new.count == 20_002 + 100)
        #expect(try folder.contents() == ["a.bin"])
    }

    @Test func `Changes of a file wait for the one before, and give up in time`() throws {
        let folder = try TemporaryFolder()
        let (path, old) = try makeFile(folder)
        let first = try EditLock(changing: path)
        let error = #expect(throws: FileWriteError.self) {
            _ = try EditLock(changing: path, patience: .milliseconds(30))
        }
        #expect(error?.kind == .busy)
        // The file that has the name now is another one, which nobody changes.
        try FileManager.default.removeItem(atPath: path)
        try Data(old).write(to: URL(fileURLWithPath: path))
        _ = try EditLock(changing: path, patience: .milliseconds(30))
        withExtendedLifetime(first) {}
    }

    @Test func `A copy that replaces a file is not put in the place of what was changed while it was made`() throws {
        let folder = try TemporaryFolder()
        let (path, _) = try makeFile(folder)
        let file = try #require(RandomAccessFile(path: path))
        let other = folder.path("b.bin")
        try Data([7]).write(to: URL(fileURLWithPath: other))
        // Another program gives the name to another file, as editors do: what was read stays as it was.
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.moveItem(atPath: other, toPath: path)
        #expect(throws: FileWriteError.self) {
            try FileRewrite(segments: [.bytes([1]), .source(0..<20_000)]).apply(to: path, of: file)
        }
        #expect(try bytes(path) == [7])
        #expect(try folder.contents() == ["a.bin"])
    }
}
