import Foundation
import MediaIO
import TestSupport
import Testing

@testable import FFmpegKit

@Suite("Files that claim more than they hold")
struct HostileSizeTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func objection(_ path: String) -> String? {
        RandomAccessFile(path: path).flatMap { MovieClaims.objection(to: MovieBoxes(of: $0)) }
    }

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
    func `A hole that a file ends in is not read`(_ name: String) throws {
        let path = try sparse(name, size: 8 << 40)
        let end = Int64(try #require(RandomAccessFile(path: path)?.startOfHole))
        let size = try #require(FileManager.default.attributesOfItem(atPath: Fixture(name).path)[.size] as? Int64)
        // File systems have blocks.
        #expect((size...(size + 1 << 16)).contains(end))
        #expect(try packetCount(path) >= packetCount(Fixture(name).path))
    }

    @Test func `Holes of less than a gibibyte, and those between data, are read`() throws {
        #expect(try #require(RandomAccessFile(path: sparse("h264.ts", size: 1 << 29))).startOfHole == nil)
        let path = try sparse("h264.avi", size: 4 << 30)
        let file = try #require(FileHandle(forWritingAtPath: path))
        try file.seekToEnd()
        try file.write(contentsOf: Data([1, 2, 3]))
        try file.synchronize()
        #expect(try #require(RandomAccessFile(path: path)).startOfHole == nil)
        #expect(RandomAccessFile(bytes: [1, 2, 3]).startOfHole == nil)
    }

    private func box(_ type: String, _ content: [UInt8]...) -> [UInt8] {
        let content = content.flatMap(\.self)
        return number(content.count + 8) + Array(type.utf8) + content
    }

    private func number(_ number: Int) -> [UInt8] {
        withUnsafeBytes(of: UInt32(truncatingIfNeeded: number).bigEndian, Array.init)
    }

    /// What a file is refused with, and whether there is an objection to it before FFmpeg sees it.
    private func failure(_ bytes: [UInt8]) throws -> (error: FFmpegError?, objection: String?) {
        let path = folder.path("\(UUID().uuidString).mov")
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let objection = self.objection(path)
        do {
            _ = try Demuxer.open(path, policy: SafetyPolicy(), interrupt: Interrupt())
            return (nil, objection)
        } catch { return (error, objection) }
    }

    // FFmpeg took the memory before it unpacked anything.
    @Test func `A compressed movie box that claims to become large is refused`() throws {
        func movie(claiming size: Int) -> [UInt8] {
            let packed = box("cmvd", number(size), Array(repeating: 1, count: 8))
            return box("ftyp", Array("qt  \0\0\0\0".utf8)) + box("free")
                + box("moov", box("cmov", box("dcom", Array("zlib".utf8)), packed))
        }
        let large = try failure(movie(claiming: 200 << 20))
        #expect(large.error?.kind == .limit)
        #expect(large.error?.reason.contains("209715200 bytes") == true)
        let small = try failure(movie(claiming: 1 << 16))
        #expect(small.error?.kind == .damaged)
        #expect(small.objection == nil)
    }

    // Less than a kilobyte made FFmpeg take more than a gigabyte.
    @Test(arguments: [false, true])
    func `Samples that a table counts and the file has no bytes for are refused`(_ isFragment: Bool) throws {
        func movie(claiming count: Int) -> [UInt8] {
            let type = box("ftyp", Array("isom\0\0\u{2}\0".utf8))
            if isFragment {
                return type + box("moof", box("traf", box("trun", number(0), number(count)), box("trun", number(0))))
            }
            let sizes = box("stsz", number(0), number(1), number(count))
            return type + box("moov", box("trak", box("mdia", box("minf", box("stbl", sizes)))))
        }
        let large = try failure(movie(claiming: 40_000_000))
        #expect(large.error?.kind == .limit)
        #expect(large.objection?.contains("40000000 samples") == true)
        #expect(try failure(movie(claiming: 4_000_000)).objection == nil)
    }

    @Test(arguments: ["movie.mp4", "movie.mov", "fragmented.mp4", "audio-only.m4a", "alpha-prores.mov"])
    func `Ordinary movies are accepted by the check of sizes`(_ name: String) {
        #expect(objection(Fixture(name).path) == nil)
    }
}
