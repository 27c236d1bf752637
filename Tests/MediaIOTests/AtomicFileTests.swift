import Foundation
import MediaIO
import TestSupport
import Testing

@Suite(.serialized) struct `Files that appear whole or not at all` {
    private func failure(_ body: () throws -> Void) -> FileWriteError? {
        do {
            try body()
            return nil
        } catch {
            return error as? FileWriteError
        }
    }

    @Test(arguments: [0, 1, 4096, 3_000_001])
    func `Atomic files hold all bytes`(_ count: Int) throws {
        let folder = try TemporaryFolder()
        let data = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        try AtomicFile.write(data, to: folder.path("out.bin"), replaces: false)
        #expect(try Data(contentsOf: folder.url.appendingPathComponent("out.bin")) == data)
        #expect(try folder.contents() == ["out.bin"])
    }

    @Test func `Atomic files leave an existing file alone`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("out.bin")
        try AtomicFile.write(Data("old".utf8), to: path, replaces: false)
        let error = failure { try AtomicFile.write(Data("new".utf8), to: path, replaces: false) }
        #expect(error?.kind == .exists)
        #expect(error?.path == path)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "old")
        #expect(try folder.contents() == ["out.bin"])
    }

    @Test func `Atomic files follow a link to a missing file`() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createSymbolicLink(atPath: folder.path("out"), withDestinationPath: "nowhere")
        try AtomicFile.write(Data("new".utf8), to: folder.path("out"), replaces: false)
        #expect(try String(contentsOfFile: folder.path("nowhere"), encoding: .utf8) == "new")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("out")) == "nowhere")
        #expect(try folder.contents() == ["nowhere", "out"])
    }

    // With --force, a link was replaced by a file, and what it led to stayed as it was.
    @Test(arguments: ["link", "folder/../link", "link to link"])
    func `Atomic files follow a link to a file that is to be replaced`(_ name: String) throws {
        let folder = try TemporaryFolder()
        let other = try TemporaryFolder()
        try AtomicFile.write(Data("old".utf8), to: other.path("real"), replaces: false)
        try FileManager.default.createDirectory(atPath: folder.path("folder"), withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("link"), withDestinationPath: other.path("real"))
        try FileManager.default.createSymbolicLink(atPath: folder.path("link to link"), withDestinationPath: "link")
        let path = folder.path + "/" + name
        #expect(failure { try AtomicFile.write(Data("new".utf8), to: path, replaces: false) }?.kind == .exists)
        try AtomicFile.write(Data("new".utf8), to: path, replaces: true)
        #expect(try String(contentsOfFile: other.path("real"), encoding: .utf8) == "new")
        #expect(try other.contents() == ["real"])
        #expect(try folder.contents() == ["folder", "link", "link to link"])
        _ = try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("link"))
    }

    @Test func `Atomic files do not follow a loop of links`() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createSymbolicLink(atPath: folder.path("out"), withDestinationPath: "out")
        let error = failure { try AtomicFile.write(Data("new".utf8), to: folder.path("out"), replaces: true) }
        #expect(error?.kind == .cannotCreate)
    }

    @Test func `Atomic files replace an existing file when asked to`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("out.bin")
        try AtomicFile.write(Data("something long".utf8), to: path, replaces: true)
        try AtomicFile.write(Data("new".utf8), to: path, replaces: true)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "new")
        #expect(try folder.contents() == ["out.bin"])
    }

    @Test func `Atomic files do not change a file that is being read while it is replaced`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("out.bin")
        try AtomicFile.write(Data("old".utf8), to: path, replaces: false)
        let reader = try #require(FileHandle(forReadingAtPath: path))
        try AtomicFile.write(Data("new".utf8), to: path, replaces: true)
        #expect(try reader.readToEnd() == Data("old".utf8))
    }

    @Test(arguments: [false, true])
    func `Atomic files do not replace a folder`(_ replaces: Bool) throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path("sub"), withIntermediateDirectories: false)
        let error = failure { try AtomicFile.write(Data("x".utf8), to: folder.path("sub"), replaces: replaces) }
        #expect(error != nil)
        #expect(try folder.contents() == ["sub"])
    }

    @Test(arguments: [false, true])
    func `Atomic files need an existing folder`(_ replaces: Bool) throws {
        let folder = try TemporaryFolder()
        let missing = failure { try AtomicFile.write(Data("x".utf8), to: folder.path("no/out"), replaces: replaces) }
        #expect(missing?.kind == .cannotCreate)
        #expect(try folder.contents().isEmpty)
        try Data("file".utf8).write(to: folder.url.appendingPathComponent("file"))
        let below = failure { try AtomicFile.write(Data("x".utf8), to: folder.path("file/out"), replaces: replaces) }
        #expect(below?.kind == .cannotCreate)
        #expect(try folder.contents() == ["file"])
    }

    @Test func `Atomic files need a writable folder`() {
        // No user, root included, may make files in the process table.
        let error = failure { try AtomicFile.write(Data("x".utf8), to: "/proc/self/out", replaces: false) }
        #expect(error?.kind == .cannotCreate)
        #expect(error?.reason.isEmpty == false)
    }

    @Test func `Atomic files get the mode that the process's mask leaves`() async throws {
        let folder = try TemporaryFolder()
        try AtomicFile.write(Data("x".utf8), to: folder.path("ours"), replaces: false)
        try AtomicFile.write(Data("x".utf8), to: folder.path("replaced"), replaces: false)
        try AtomicFile.write(Data("y".utf8), to: folder.path("replaced"), replaces: true)
        // The shell inherits this process's mask.
        #expect(try await CommandRun.run("sh", ["-c", "echo > theirs"], in: folder.url).exitCode == 0)
        func mode(_ name: String) throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: folder.path(name))[.posixPermissions] as? Int
        }
        #expect(try mode("ours") == mode("theirs"))
        #expect(try mode("replaced") == mode("theirs"))
    }

    @Test func `Atomic files are written by many at once, and one wins`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("out")
        let wins = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<16 {
                group.addTask {
                    (try? AtomicFile.write(Data(repeating: UInt8(number), count: 10_000), to: path, replaces: false))
                        != nil
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(wins == 1)
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(data.count == 10_000 && Set(data).count == 1)
        #expect(try folder.contents() == ["out"])
    }

    @Test func `Atomic files leave nothing on a full disk`() async throws {
        let folder = try TemporaryFolder()
        let mount = try await CommandRun.run("mount", ["-t", "tmpfs", "-o", "size=64k", "none", folder.path])
        guard mount.exitCode == 0 else {
            print("skipped: no small disk can be mounted here")
            return
        }
        var error: FileWriteError?
        var contents: [String] = []
        error = failure { try AtomicFile.write(Data(count: 1 << 20), to: folder.path("out"), replaces: false) }
        contents = try folder.contents()
        _ = try await CommandRun.run("umount", [folder.path])
        #expect(error?.kind == .diskFull)
        #expect(error?.reason.isEmpty == false)
        #expect(contents.isEmpty)
    }
}
