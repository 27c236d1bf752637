import Foundation
import TestSupport
import Testing

@testable import MediaIO

@Suite struct `Files made in several steps` {
    private func write(_ bytes: [UInt8], to file: PendingFile, at position: UInt64) throws {
        try bytes.withUnsafeBytes { try file.write($0, at: position) }
    }

    private func failure(_ body: () throws -> Void) -> FileWriteError? {
        do {
            try body()
            return nil
        } catch {
            return error as? FileWriteError
        }
    }

    private func bytes(_ path: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))) }

    /// A file with its own name from the start and one without.
    private static let kinds = [true, false]

    private func file(_ path: String, replaces: Bool = false, isUnnamed: Bool) throws -> PendingFile {
        try PendingFile(
            for: RunFiles().output(path, replaces: replaces), temporaryFolder: nil, isUnnamed: isUnnamed)
    }

    @Test(arguments: kinds)
    func `Pending files are written at any position and read back before they have a name`(_ isUnnamed: Bool) throws {
        let folder = try TemporaryFolder()
        let pending = try file(folder.path("a"), isUnnamed: isUnnamed)
        try write([1, 2, 3, 4], to: pending, at: 4)
        try write([9], to: pending, at: 5)
        #expect(pending.byteCount == 8)
        #expect(try pending.contents().read(at: 0, count: 100) == [0, 0, 0, 0, 1, 9, 3, 4])
        #expect(try folder.contents().contains("a") == false)
        if isUnnamed { #expect(try folder.contents().isEmpty) }
        try pending.complete(isSynced: true)
        #expect(try bytes(folder.path("a")) == [0, 0, 0, 0, 1, 9, 3, 4])
    }

    @Test(arguments: kinds)
    func `Pending files leave nothing if they are not completed`(_ isUnnamed: Bool) throws {
        let folder = try TemporaryFolder()
        do {
            let pending = try file(folder.path("a"), isUnnamed: isUnnamed)
            try write([1, 2, 3], to: pending, at: 0)
        }
        #expect(try folder.contents().isEmpty)
    }

    @Test(arguments: kinds)
    func `Pending files leave only their own name`(_ isUnnamed: Bool) throws {
        let folder = try TemporaryFolder()
        for _ in 0..<2 {
            let pending = try file(folder.path("a"), replaces: true, isUnnamed: isUnnamed)
            try write([7], to: pending, at: 0)
            try pending.complete(isSynced: false)
        }
        #expect(try folder.contents() == ["a"])
    }

    @Test(arguments: kinds)
    func `Pending files do not take a name that was taken meanwhile`(_ isUnnamed: Bool) throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a")
        do {
            let pending = try file(path, isUnnamed: isUnnamed)
            try write([1], to: pending, at: 0)
            try Data("other".utf8).write(to: URL(fileURLWithPath: path))
            #expect(failure { try pending.complete(isSynced: true) }?.kind == .exists)
        }
        #expect(failure { _ = try file(path, isUnnamed: isUnnamed) }?.kind == .exists)
        #expect(try bytes(path) == Array("other".utf8))
        #expect(try folder.contents() == ["a"])
    }

    @Test func `Pending files need an existing folder`() throws {
        let folder = try TemporaryFolder()
        let error = failure { _ = try PendingFile(for: folder.path("none/a"), replaces: false) }
        #expect(error?.kind == .cannotCreate)
        #expect(error?.reason == "No such file or directory")
    }

    @Test func `Pending files lie in another folder of the file system if asked for`() throws {
        let folder = try TemporaryFolder()
        let other = try TemporaryFolder()
        let pending = try PendingFile(
            for: RunFiles().output(folder.path("a"), replaces: false), temporaryFolder: other.url.path,
            isUnnamed: false)
        #expect(try other.contents().count == 1)
        #expect(try folder.contents().isEmpty)
        try write([5], to: pending, at: 0)
        try pending.complete(isSynced: false)
        #expect(try bytes(folder.path("a")) == [5])
    }

    @Test(.enabled(if: FileManager.default.isWritableFile(atPath: "/dev/shm")))
    func `Pending files lie beside their name if the other folder is on another file system`() throws {
        let folder = try TemporaryFolder()
        let pending = try PendingFile(
            for: RunFiles().output(folder.path("a"), replaces: false), temporaryFolder: "/dev/shm",
            isUnnamed: false)
        let system = { (path: String) in
            try FileManager.default.attributesOfItem(atPath: path)[.systemNumber] as? Int
        }
        try #require(try system("/dev/shm") != system(folder.url.path))
        #expect(try folder.contents().count == 1)
        try write([5], to: pending, at: 0)
        try pending.complete(isSynced: false)
        #expect(try bytes(folder.path("a")) == [5])
    }

    @Test func `Pending files are changed themselves if the kept bytes stay in place`() throws {
        let folder = try TemporaryFolder()
        let pending = try PendingFile(for: folder.path("a"), replaces: false)
        let old = (0..<10_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        try write(old, to: pending, at: 0)
        let rewrite = FileRewrite(segments: [
            .bytes([1, 2]), .source(2..<6000), .bytes([3]), .source(6001..<9000), .bytes([4, 5]),
        ])
        let changed = try pending.applying(rewrite)
        #expect(changed === pending)
        #expect(changed.byteCount == 9002)
        try changed.complete(isSynced: false)
        #expect(try bytes(folder.path("a")) == [1, 2] + old[2..<6000] + [3] + old[6001..<9000] + [4, 5])
    }

    @Test func `Pending files are changed themselves if only a little moves`() throws {
        let folder = try TemporaryFolder()
        let pending = try PendingFile(for: folder.path("a"), replaces: false)
        let old = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 9) }
        try write(old, to: pending, at: 0)
        // The end goes to the front, over what goes to the end.
        let changed = try pending.applying(
            FileRewrite(segments: [.source(99_000..<100_000), .source(1000..<99_000), .source(0..<500)]))
        #expect(changed === pending)
        try changed.complete(isSynced: false)
        #expect(try bytes(folder.path("a")) == Array(old[99_000...] + old[1000..<99_000] + old[..<500]))
    }

    @Test func `Pending files are copied if much moves`() throws {
        let folder = try TemporaryFolder()
        let pending = try PendingFile(for: folder.path("a"), replaces: false)
        let old = (0..<40_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 9) }
        try write(old, to: pending, at: 0)
        var progress: [UInt64] = []
        let changed = try pending.applying(
            FileRewrite(segments: [.bytes([1, 2]), .source(0..<39_999_999), .bytes([3]), .source(10..<12)])
        ) { progress.append($0) }
        #expect(changed !== pending)
        #expect(changed.byteCount == 40_000_004)
        #expect(progress.count > 3 && progress == progress.sorted() && progress.last == 40_000_004)
        #expect(try folder.contents().isEmpty)
        try changed.complete(isSynced: false)
        #expect(try bytes(folder.path("a")) == [1, 2] + old[..<39_999_999] + [3] + old[10..<12])
    }

    @Test func `A full disk gives the system's reason`() throws {
        // A device that takes no byte stands for a disk that is full.
        let full = OutputFile(descriptor: open("/dev/full", O_WRONLY), path: "a")
        var thrown: FileWriteError?
        do throws(FileWriteError) { try full.write([1, 2, 3]) } catch { thrown = error }
        #expect(thrown?.kind == .diskFull)
        #expect(thrown?.reason == "No space left on device")
    }
}

@Suite struct `Rewrites of rewrites` {
    private let old = (0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 13 &+ $0 >> 6) }
    private let first = FileRewrite(segments: [
        .source(100..<1100), .bytes(Array("hello".utf8)), .source(0..<0), .source(1100..<1200), .bytes([]),
        .source(4000..<5000), .bytes([1, 2, 3]),
    ])
    private var middle: [UInt8] {
        let parts = [Array(old[100..<1100]), Array("hello".utf8), Array(old[1100..<1200]), Array(old[4000..<5000])]
        return parts.joined() + [1, 2, 3]
    }

    private func bytes(_ rewrite: FileRewrite, of bytes: [UInt8]) -> [UInt8] {
        rewrite.segments.flatMap { segment -> [UInt8] in
            switch segment {
            case .bytes(let bytes): bytes
            case .source(let range): Array(bytes[Int(range.lowerBound)..<Int(range.upperBound)])
            }
        }
    }

    @Test func `A rewrite of a rewrite reads as if the first had been written`() {
        let file = RandomAccessFile(first, of: RandomAccessFile(bytes: old))
        #expect(file.byteCount == UInt64(middle.count))
        #expect(file.version == nil)
        #expect(file.read(at: 0, count: 1 << 20) == middle)
        for start in stride(from: 0, to: middle.count, by: 97) {
            for count in [1, 3, 200, 1500] {
                let end = min(start + count, middle.count)
                #expect(file.read(at: UInt64(start), count: count) == Array(middle[start..<end]))
            }
        }
        #expect(file.read(at: UInt64(middle.count), count: 1).isEmpty)
    }

    @Test func `A rewrite of a rewrite is one rewrite of the first file`() {
        var seed: UInt64 = 5
        func random(_ count: Int) -> Int {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(seed >> 33) % max(1, count)
        }
        for _ in 0..<200 {
            let segments = (0..<(1 + random(5))).map { _ -> FileRewrite.Segment in
                let start = random(middle.count)
                return random(3) == 0
                    ? .bytes([UInt8](repeating: 8, count: random(20)))
                    : .source(UInt64(start)..<UInt64(start + random(middle.count - start + 1)))
            }
            let second = FileRewrite(segments: segments)
            #expect(bytes(second.composed(after: first), of: old) == bytes(second, of: middle))
        }
    }

    @Test func `A rewrite of a rewrite joins adjacent ranges of the first file`() {
        let second = FileRewrite(segments: [.source(0..<500), .source(500..<1000)])
        #expect(second.composed(after: first).segments == [.source(100..<1100)])
    }

    @Test func `A rewrite of a rewrite is copied from the first file`() throws {
        let folder = try TemporaryFolder()
        try Data(old).write(to: folder.url.appendingPathComponent("old"))
        let file = RandomAccessFile(first, of: try #require(RandomAccessFile(path: folder.path("old"))))
        let second = FileRewrite(segments: [.bytes([5]), .source(50..<1900)])
        try second.write(to: folder.path("new"), from: file, replaces: false)
        let written = [UInt8](try Data(contentsOf: folder.url.appendingPathComponent("new")))
        #expect(written == [5] + middle[50..<1900])
    }

    @Test func `A rewrite of a rewrite fails if the first file is too short`() throws {
        let folder = try TemporaryFolder()
        let file = RandomAccessFile(first, of: RandomAccessFile(bytes: Array(old[..<4500])))
        let second = FileRewrite(segments: [.source(0..<file.byteCount)])
        #expect(throws: FileWriteError.self) {
            try second.write(to: folder.path("new"), from: file, replaces: false)
        }
        #expect(try folder.contents().isEmpty)
    }
}
