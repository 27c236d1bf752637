import Foundation
import TestSupport
import Testing

@testable import MediaIO

@Suite("Media files that are opened once")
struct MediaInputTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func write(_ text: String, _ name: String = "a") throws -> String {
        let path = folder.path(name)
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    private func text(_ input: MediaInput) -> String? {
        input.file.map { String(decoding: $0.read(at: 0, count: 100), as: UTF8.self) }
    }

    private func failure(_ path: String) -> MediaInputError? {
        do {
            _ = try MediaInput(path).open()
            return nil
        } catch { return error }
    }

    @Test func `A broker is asked once, however often the file is read`() throws {
        let broker = CountingBroker()
        let path = try write("one")
        let input = MediaInput(path, access: FileAccess(through: broker))
        #expect(broker.opened.isEmpty)
        for _ in 0..<3 { #expect(text(input) == "one") }
        let copy = try #require(input.file?.duplicate())
        close(copy)
        #expect(broker.opened == [path: 1])
    }

    @Test func `The file that was opened is read on after another took its name, and after it was removed`() throws {
        let path = try write("old")
        let input = MediaInput(path)
        #expect(text(input) == "old")
        try FileManager.default.moveItem(atPath: try write("newer", "b"), toPath: folder.path("c"))
        #expect(rename(folder.path("c"), path) == 0)
        #expect(text(input) == "old" && text(MediaInput(path)) == "newer")
        try FileManager.default.removeItem(atPath: path)
        #expect(text(input) == "old" && input.isUnchanged)
    }

    @Test func `A file that is changed itself is not what was opened`() throws {
        let path = try write("old")
        let input = MediaInput(path)
        #expect(input.isUnchanged)
        _ = try input.open()
        #expect(input.isUnchanged)
        let handle = try #require(FileHandle(forUpdatingAtPath: path))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data("er".utf8))
        #expect(!input.isUnchanged)
    }

    @Test func `What cannot be opened is told by its kind, and is tried again`() throws {
        if case .missing = failure(folder.path("nothing"))?.kind {} else { Issue.record("nothing") }
        if case .missing = failure("a\0b")?.kind {} else { Issue.record("a zero in the name") }
        if case .folder = failure(folder.path)?.kind {} else { Issue.record("a folder") }
        if case .otherKind = failure("/dev/null")?.kind {} else { Issue.record("a device") }
        let input = MediaInput(folder.path("later"))
        #expect(throws: MediaInputError.self) { try input.open() }
        _ = try write("here", "later")
        #expect(text(input) == "here")
    }

    @Test func `An address is opened by what reads it`() throws {
        guard case .address("https://example.org/a.mp4") = try MediaInput("https://example.org/a.mp4").open() else {
            Issue.record("no address")
            return
        }
        #expect(MediaInput("https://example.org/a.mp4").file == nil)
        #expect(!MediaInput.isAddress("/a://b") && !MediaInput.isAddress("a:b"))
    }

    @Test func `A pipe is a file once it has been read to its end`() throws {
        let path = folder.path("pipe")
        #expect(mkfifo(path, 0o600) == 0)
        let writer = Thread { try? Data("piped".utf8).write(to: URL(fileURLWithPath: path)) }
        writer.start()
        let input = MediaInput(path)
        // To look at it does not open it: its writer would end with the one who only looks.
        #expect(input.file == nil && input.pipe == nil)
        guard case .pipe(let spool) = try input.open() else {
            Issue.record("no pipe")
            return
        }
        #expect(input.file == nil && !input.isRegularFile)
        try spool.fill { false }
        #expect(text(input) == "piped")
    }

    @Test func `A part that is held in memory is what was there when it was read`() throws {
        let path = try write("0123456789")
        let file = try #require(RandomAccessFile(path: path))
        file.keep(2..<6)
        let handle = try #require(FileHandle(forUpdatingAtPath: path))
        try handle.write(contentsOf: Data("abcdefghij".utf8))
        func text(_ position: UInt64, _ count: Int) -> String {
            String(decoding: file.read(at: position, count: count), as: UTF8.self)
        }
        #expect(text(2, 4) == "2345" && text(3, 2) == "34")
        // What lies in both comes from the file, as a whole.
        #expect(text(0, 4) == "abcd" && text(5, 3) == "fgh")
        file.forgetPart()
        #expect(text(2, 4) == "cdef")
    }
}
