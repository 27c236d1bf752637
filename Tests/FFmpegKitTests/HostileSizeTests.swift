import Foundation
import MediaTestSupport
import Testing

@testable import FFmpegKit

@Suite("Files that claim more than they hold")
struct HostileSizeTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A copy of a fixture, with a hole after it.
    private func sparse(_ name: String, size: UInt64) throws -> String {
        let path = folder.path(name)
        try FileManager.default.copyItem(atPath: Fixture(name).path, toPath: path)
        let file = try #require(FileHandle(forWritingAtPath: path))
        try file.truncate(atOffset: size)
        return path
    }

    private func packetCount(_ path: String) throws -> Int {
        let demuxer = try Demuxer.open(path, policy: SafetyPolicy(), interrupt: Interrupt())
        while try demuxer.readPacket() != nil {}
        return demuxer.packetsRead
    }

    // FFmpeg looked through eight terabytes of zeros, of FLAC and MP3 with all that it had read in memory.
    @Test(arguments: ["h264.avi", "h264.ts", "no-cues.mkv", "audio-only.flac", "audio-only.mp3", "movie.mp4"])
    func `the hole that a file ends in is not read`(_ name: String) throws {
        let path = try sparse(name, size: 8 << 40)
        let end = try #require(TrailingHole.start(inFile: path))
        let size = try #require(FileManager.default.attributesOfItem(atPath: Fixture(name).path)[.size] as? Int64)
        // File systems have blocks.
        #expect((size...(size + 1 << 16)).contains(end))
        #expect(try packetCount(path) >= packetCount(Fixture(name).path))
    }

    @Test func `holes of less than a gibibyte, and those between data, are read`() throws {
        #expect(TrailingHole.start(inFile: try sparse("h264.ts", size: 1 << 29)) == nil)
        let path = try sparse("h264.avi", size: 4 << 30)
        let file = try #require(FileHandle(forWritingAtPath: path))
        try file.seekToEnd()
        try file.write(contentsOf: Data([1, 2, 3]))
        try file.synchronize()
        #expect(TrailingHole.start(inFile: path) == nil)
        #expect(TrailingHole.start(inFile: folder.path("nothing")) == nil)
        #expect(TrailingHole.start(inFile: folder.path) == nil)
    }

    // FFmpeg took the memory before it unpacked anything.
    @Test func `a compressed movie box that claims to become large is refused`() throws {
        func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
            withUnsafeBytes(of: UInt32(content.count + 8).bigEndian, Array.init) + Array(type.utf8) + content
        }
        func failure(claiming size: UInt32) throws -> FFmpegError? {
            let claim = withUnsafeBytes(of: size.bigEndian, Array.init)
            let packed = box("cmov", box("dcom", Array("zlib".utf8)) + box("cmvd", claim + [1, 2, 3, 4, 5, 6, 7, 8]))
            let path = folder.path("\(size).mov")
            try Data(box("ftyp", Array("qt  \0\0\0\0".utf8)) + box("free", []) + box("moov", packed))
                .write(to: URL(fileURLWithPath: path))
            do {
                _ = try Demuxer.open(path, policy: SafetyPolicy(), interrupt: Interrupt())
                return nil
            } catch { return error }
        }
        let large = try #require(try failure(claiming: 200 << 20))
        #expect(large.kind == .limit)
        #expect(large.reason.contains("209715200 bytes"))
        #expect(try failure(claiming: 1 << 16)?.kind == .damaged)
    }
}
