import Foundation
import TestSupport
import Testing

@testable import MediaIO

@Suite struct `Names of files that are not UTF-8` {
    @Test(
        arguments: [
            [0x63, 0x61, 0x66, 0xe9, 0x2e, 0x6d, 0x70, 0x34], Array("größer 映画 🎬.mp4".utf8), [0xff, 0xfe, 0x80],
            // A sequence that is cut short, one that is too long, and a surrogate.
            [0x61, 0xe2, 0x82], [0xc0, 0xaf], [0xed, 0xa0, 0x80],
            // A name that uses the private characters themselves: U+10FEE9.
            [0xf4, 0x8f, 0xbb, 0xa9], [0xf4, 0x8f, 0xbb, 0xa9, 0xe9], [],
        ] as [[UInt8]])
    func `File names that are not UTF-8 keep their bytes`(_ bytes: [UInt8]) {
        let text = String(pathBytes: bytes)
        #expect(text.pathBytes == bytes)
        #expect(
            text.withPathBytes { Array(UnsafeBufferPointer(start: $0, count: strlen($0))) }
                == bytes.map { Int8(bitPattern: $0) })
    }

    @Test func `File names of all single bytes and of random ones keep their bytes`() {
        var generator = SystemRandomNumberGenerator()
        for byte in 1...255 { #expect(String(pathBytes: [UInt8(byte)]).pathBytes == [UInt8(byte)]) }
        for _ in 0..<2000 {
            let bytes = (0..<Int.random(in: 0...12, using: &generator)).map { _ in
                [UInt8.random(in: 1...255, using: &generator), 0xf4, 0x8f, 0xbb].randomElement() ?? 1
            }
            #expect(String(pathBytes: bytes).pathBytes == bytes)
        }
    }

    @Test func `File names of different bytes are different texts, and are printed differently`() {
        #expect(String(pathBytes: Array("a\\xE9".utf8)) != String(pathBytes: [0x61, 0xe9]))
        #expect(String(pathBytes: [0x61, 0xe9]).withVisiblePathBytes == "a\\xE9")
        #expect("größer".withVisiblePathBytes == "größer")
    }

    @Test func `Files whose names are not UTF-8 are written, found and read`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/" + String(pathBytes: [0x63, 0xe9])
        try AtomicFile.write(Data("x".utf8), to: path, replaces: false)
        #expect(RandomAccessFile(path: path)?.read(at: 0, count: 9) == Array("x".utf8))
        #expect(FileManager.default.names(in: folder.path) == [String(pathBytes: [0x63, 0xe9])])
        #expect(FileManager.default.exists(path))
        #expect(realPath(path)?.hasSuffix(String(pathBytes: [0x63, 0xe9])) == true)
    }
}

@Suite(.timeLimit(.minutes(2))) struct `A pipe that is read more than once` {
    private func spool(_ script: String, limit: Int64 = 1 << 30) throws -> (PipeSpool, ChildProcess) {
        let pipe = try PipeEnds()
        defer { pipe.close() }
        let process = try ChildProcess("/bin/bash", ["-c", script], output: pipe.writer)
        var limits = MediaLimits()
        limits.pipeSize = limit
        return (try PipeSpool(path: "/proc/self/fd/\(pipe.reader)", limits: limits), process)
    }

    private func end(_ process: ChildProcess) {
        process.signal(SIGKILL)
        process.waitUntilExit()
    }

    private func read(_ spool: PipeSpool, _ position: UInt64, _ count: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let got = try bytes.withUnsafeMutableBytes { buffer in try spool.read(into: buffer, at: position) { false } }
        return Array(bytes.prefix(got))
    }

    @Test func `A pipe that is read again takes no more than is asked for, and gives it again`() throws {
        let (spool, process) = try spool("printf abc; exec sleep 100")
        defer { end(process) }
        #expect(try read(spool, 1, 10) == Array("bc".utf8))
        #expect(try read(spool, 0, 2) == Array("ab".utf8))
        #expect(spool.holds(2) && !spool.holds(3) && !spool.isComplete)
    }

    @Test func `A pipe that is read again is like a file once it has ended`() throws {
        let (spool, process) = try spool("head -c 700000 /dev/zero; printf end")
        defer { end(process) }
        #expect(try read(spool, 700_000, 10) == Array("end".utf8))
        #expect(try read(spool, 800_000, 10).isEmpty)
        #expect(spool.isComplete)
        #expect(spool.contents?.byteCount == 700_003)
    }

    @Test func `A pipe that is read again keeps to its limit, and stops when told to`() throws {
        let (endless, process) = try spool("cat /dev/zero", limit: 1 << 20)
        defer { end(process) }
        let error = #expect(throws: PipeError.self) { try endless.fill { false } }
        #expect(error?.kind == .tooLarge)
        let (silent, sleeper) = try spool("sleep 100")
        defer { end(sleeper) }
        var asked = 0
        let stopped = #expect(throws: PipeError.self) {
            try silent.fill {
                asked += 1
                return asked > 2
            }
        }
        #expect(stopped?.kind == .stopped)
    }
}
