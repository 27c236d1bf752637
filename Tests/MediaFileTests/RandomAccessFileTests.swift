import Foundation
import MediaFile
import Testing

@Suite
struct RandomAccessFileTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    @Test
    func `what is no regular file is none, and what cannot be opened says why`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(try RandomAccessFile.open(folder.appendingPathComponent("none").path) == nil)
        #expect(try RandomAccessFile.open(folder.path) == nil)
        let loop = folder.appendingPathComponent("loop").path
        try FileManager.default.createSymbolicLink(atPath: loop, withDestinationPath: loop)
        let failure = #expect(throws: FileReadFailure.self) { try RandomAccessFile.open(loop) }
        #expect(failure?.code == ELOOP)
        #expect(RandomAccessFile(path: loop) == nil)
    }

    @Test
    func `the end of a file is no failure`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("bytes").path
        try Data([1, 2, 3]).write(to: URL(fileURLWithPath: path))
        let file = try #require(try RandomAccessFile.open(path))
        #expect(file.read(at: 1, count: 10) == [2, 3])
        #expect(file.readFailure == nil)
        let rewrite = RandomAccessFile(FileRewrite(segments: [.source(1..<3), .bytes([9])]), of: file)
        #expect(rewrite.read(at: 0, count: 4) == [2, 3, 9])
        #expect(rewrite.readFailure == nil)
    }
}
