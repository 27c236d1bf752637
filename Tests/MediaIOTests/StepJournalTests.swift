import Foundation
import TestSupport
import Testing

@testable import MediaIO

@Suite struct `The journal of a change in place` {
    private let old = [UInt8](repeating: 7, count: 10_000)

    /// A file, and a journal after two steps of a change: bytes in the middle, and bytes behind the end.
    private func changed(_ folder: TemporaryFolder) throws -> (path: String, journal: StepJournal) {
        let path = folder.path("a.bin")
        try Data(old).write(to: URL(fileURLWithPath: path))
        let output = try OutputFile(changing: path)
        var journal = StepJournal(length: 10_000)
        for (bytes, position) in [
            ([UInt8](repeating: 1, count: 100), 5000), ([UInt8](repeating: 2, count: 50), 10_000),
        ] {
            try journal.note(.commit(bytes, at: UInt64(position)), of: output.contents(), path: path)
            try output.write(bytes, at: UInt64(position))
        }
        return (path, journal)
    }

    private func bytes(_ path: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))) }

    private func write(_ byte: UInt8, at position: UInt64, _ path: String) throws {
        let handle = try #require(FileHandle(forWritingAtPath: path))
        try handle.seek(toOffset: position)
        try handle.write(contentsOf: Data([byte]))
        try handle.close()
    }

    @Test(arguments: [false, true])
    func `Steps are taken back to the first byte`(ofOwnOnly: Bool) throws {
        let folder = try TemporaryFolder()
        let (path, journal) = try changed(folder)
        #expect(try bytes(path) != old)
        try journal.takeBack(on: OutputFile(changing: path), ofOwnOnly: ofOwnOnly)
        #expect(try bytes(path) == old)
    }

    @Test func `A cut is taken back as the other steps are, where another program has written before it`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a.bin")
        try Data(old).write(to: URL(fileURLWithPath: path))
        let output = try OutputFile(changing: path)
        var journal = StepJournal(length: 10_000)
        try journal.note(.truncate(to: 8000), of: output.contents(), path: path)
        try output.truncate(to: 8000)
        try write(9, at: 10, path)
        try journal.takeBack(on: output, ofOwnOnly: true)
        var expected = old
        expected[10] = 9
        #expect(try bytes(path) == expected)
    }

    @Test func `Steps are taken back only as far as nobody else has written over them`() throws {
        let folder = try TemporaryFolder()
        let (path, journal) = try changed(folder)
        try write(9, at: 5010, path)
        try journal.takeBack(on: OutputFile(changing: path), ofOwnOnly: true)
        let left = try bytes(path)
        // The last step is gone; what the other program wrote into the first one stays, with the rest of that.
        #expect(left.count == 10_000)
        #expect(left[5010] == 9)
        #expect(left[5000] == 1)
    }

    @Test func `Steps before which another program made the file longer are not taken back`() throws {
        let folder = try TemporaryFolder()
        let (path, journal) = try changed(folder)
        try write(9, at: 10_060, path)
        let before = try bytes(path)
        try journal.takeBack(on: OutputFile(changing: path), ofOwnOnly: true)
        #expect(try bytes(path) == before)
    }
}
