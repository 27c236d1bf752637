import Foundation
import TestSupport
import Testing

@testable import MediaIO

@Suite struct `Files that are read at positions` {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// What could not be opened passed for what is not there.
    @Test func `Files that cannot be opened give the system's reason`() throws {
        let loop = folder.path("loop")
        try FileManager.default.createSymbolicLink(atPath: loop, withDestinationPath: loop)
        let failure = #expect(throws: FileReadFailure.self) { try RandomAccessFile.open(loop) }
        #expect(failure?.code == ELOOP)
        #expect(RandomAccessFile(path: loop) == nil)
        #expect(try RandomAccessFile.open(folder.path("none")) == nil)
        #expect(try RandomAccessFile.open(folder.url.path) == nil)
    }

    @Test func `Reading past the end of a file is no failure`() throws {
        try Data([1, 2, 3]).write(to: folder.url.appendingPathComponent("bytes"))
        let file = try #require(try RandomAccessFile.open(folder.path("bytes")))
        #expect(file.read(at: 1, count: 10) == [2, 3])
        #expect(file.readFailure == nil)
        let rewrite = RandomAccessFile(FileRewrite(segments: [.source(1..<3), .bytes([9])]), of: file)
        #expect(rewrite.read(at: 0, count: 4) == [2, 3, 9])
        #expect(rewrite.readFailure == nil)
    }
}
