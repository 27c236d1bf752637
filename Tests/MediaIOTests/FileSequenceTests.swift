import Foundation
import TestSupport
import Testing

@testable import MediaIO

@Suite struct `Files one after the other` {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func file(_ name: String, _ bytes: [UInt8]) throws -> RandomAccessFile {
        try Data(bytes).write(to: folder.url.appendingPathComponent(name))
        return try #require(RandomAccessFile(path: folder.path(name)))
    }

    @Test func `Joined files are read across their borders`() throws {
        let rewrite = RandomAccessFile(
            FileRewrite(segments: [.source(1..<3), .bytes([9])]), of: try file("a", [1, 2, 3]))
        let joined = RandomAccessFile(joining: [
            rewrite, RandomAccessFile(bytes: []), try file("b", [4, 5]), RandomAccessFile(bytes: [6]),
        ])
        #expect(joined.byteCount == 6)
        #expect(joined.read(at: 0, count: 100) == [2, 3, 9, 4, 5, 6])
        #expect(joined.read(at: 2, count: 2) == [9, 4])
        #expect(joined.read(at: 5, count: 1) == [6])
        #expect(joined.read(at: 6, count: 1).isEmpty)
        #expect(joined.read(1..<5, limit: 10) == [3, 9, 4, 5])
        #expect(joined.version == nil)
        #expect(RandomAccessFile(joining: []).byteCount == 0)
    }

    @Test func `Joined files are written with the bytes of their parts`() throws {
        let (first, second) = (try file("a", Array(0..<200)), try file("b", Array(100..<250)))
        let inner = RandomAccessFile(FileRewrite(segments: [.source(50..<200), .bytes([1, 2])]), of: first)
        let joined = RandomAccessFile(joining: [inner, second, inner])
        let rewrite = FileRewrite(segments: [.bytes([7]), .source(140..<320), .source(0..<10)])
        let whole = RandomAccessFile(rewrite, of: joined)
        let place = try RunFiles().output(folder.path("out"), replaces: false)
        try rewrite.write(to: place, from: joined)
        let written = try #require(RandomAccessFile(path: folder.path("out")))
        let expected = whole.read(at: 0, count: 1000)
        #expect(expected.count == 191)
        #expect(written.read(at: 0, count: 1000) == expected)
        #expect(expected == [7] + joined.read(at: 140, count: 180) + joined.read(at: 0, count: 10))
    }

    @Test func `Joined files count as changed when one of them is`() throws {
        let (first, second) = (try file("a", [1, 2, 3]), try file("b", [4, 5]))
        let joined = RandomAccessFile(joining: [first, RandomAccessFile(bytes: [1]), second])
        #expect(joined.isUnchanged)
        try joined.checkUnchanged(whileMaking: "out")
        let handle = try FileHandle(forWritingTo: folder.url.appendingPathComponent("b"))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data([6]))
        try handle.close()
        #expect(!joined.isUnchanged)
        #expect(throws: FileWriteError.self) { try joined.checkUnchanged(whileMaking: "out") }
    }

    @Test func `Joined files take the limits of the first, and end at the largest position`() throws {
        var limits = MediaLimits()
        limits.outputSize = 12345
        let joined = RandomAccessFile(joining: [
            RandomAccessFile(bytes: [1], limits: limits), RandomAccessFile(bytes: [2]),
        ])
        #expect(joined.limits.outputSize == 12345)
        let bytes = RandomAccessFile(bytes: [1, 2])
        let endless = RandomAccessFile(FileRewrite(segments: [.source(0..<UInt64(Int64.max))]), of: bytes)
        #expect(RandomAccessFile(joining: [endless, bytes]).byteCount == UInt64(Int64.max))
    }
}
