import Foundation
import MediaContainers
import MediaIO
import MediaMetadata
import MetadataFormats
import Testing

private typealias Make = ISOBaseMediaFile

private let title = MetadataEntry(.iTunes, .code(0xA96E_616D), .text("Title"))

/// The new version of a file with a title, which does not fit where the old one lies.
private func titled(_ bytes: [UInt8]) throws -> [UInt8] {
    let file = RandomAccessFile(bytes: bytes)
    var metadata = try ISOBaseMediaFormat.read(file)
    metadata.entries.append(title)
    return try ISOBaseMediaFormat.rewrite(file, with: metadata).rewrite.applied(to: bytes)
}

private func big(_ number: some FixedWidthInteger) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(bigEndian: number)
    return bytes
}

/// The content of the first box at the end of a path.
private func content(_ path: [FourCC], of bytes: [UInt8]) throws -> [UInt8] {
    let reader = BoxReader(file: RandomAccessFile(bytes: bytes))
    return reader.bytes(of: try #require(reader.box(path, in: 0..<UInt64(bytes.count))))
}

/// Where a box of the top level begins.
private func start(_ type: FourCC, of bytes: [UInt8]) throws -> UInt64 {
    let reader = BoxReader(file: RandomAccessFile(bytes: bytes))
    return try #require(reader.box([type], in: 0..<UInt64(bytes.count))).start
}

@Suite struct `Positions in MP4 files` {
    @Test func `Positions of fragments move with them`() throws {
        func file(_ shift: UInt64) -> [UInt8] {
            let fragment = { (base: UInt64) in
                Make.box("moof", Make.box("traf", Make.box("tfhd", [0, 0, 0, 1, 0, 0, 0, 1] + big(base))))
            }
            let table = Make.box(
                "tfra", [1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1] + big(UInt64(5)) + big(shift) + [1, 1, 1])
            let short = Make.box(
                "tfra",
                [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0x15, 0, 0, 0, 1] + big(UInt32(5)) + big(UInt32(shift))
                    + [0, 1, 0, 1, 0, 1])
            return Make(
                parts: [.movie, .box(fragment(shift)), .media, .box(Make.box("mfra", table + short))]).bytes
        }
        let bytes = file(try start("moof", of: file(0)))
        let new = try titled(bytes)
        let moved = try start("moof", of: new)
        #expect(moved > (try start("moof", of: bytes)))
        #expect(try content(["moof", "traf", "tfhd"], of: new).bigEndian64(at: 8) == moved)
        #expect(try content(["mfra", "tfra"], of: new).bigEndian64(at: 24) == moved)
        let tables = try content(["mfra"], of: new)
        #expect(tables.suffix(10).bigEndian32(at: 0).map(UInt64.init) == moved)
        #expect(Make.types(of: new).last == "mfra")
    }

    @Test func `Positions of items move with them`() throws {
        func file(_ position: UInt32) -> [UInt8] {
            // An item by base and offset, one by offset only, one within `idat`.
            let locations: [UInt8] =
                [1, 0, 0, 0, 0x44, 0x40, 0, 3]
                + [0, 1, 0, 0, 0, 0] + big(position) + [0, 1] + big(UInt32(2)) + big(UInt32(3))
                + [0, 2, 0, 0, 0, 0] + big(UInt32(0)) + [0, 1] + big(position) + big(UInt32(5))
                + [0, 3, 0, 1, 0, 0] + big(UInt32(0)) + [0, 1] + big(UInt32(7)) + big(UInt32(5))
            let meta = Make.box("meta", [0, 0, 0, 0] + Make.handler("pict") + Make.box("iloc", locations))
            return Make(parts: [.box(meta), .movie, .media]).bytes
        }
        let position = UInt32(try start("mdat", of: file(0)) + 8)
        let new = try titled(file(position))
        let moved = UInt32(try start("mdat", of: new) + 8)
        let reader = BoxReader(file: RandomAccessFile(bytes: new))
        let meta = try #require(reader.box(["meta"], in: 0..<UInt64(new.count)))
        let box = try #require(reader.box(["iloc"], in: (meta.content.lowerBound + 4)..<meta.content.upperBound))
        let locations = reader.bytes(of: box)
        #expect(moved > position)
        #expect(locations.bigEndian32(at: 14) == moved)
        #expect(locations.bigEndian32(at: 20) == 2)
        #expect(locations.bigEndian32(at: 40) == moved)
        #expect(locations.bigEndian32(at: 60) == 7)
    }

    @Test func `Positions of segments count inserted bytes`() throws {
        // The index lies before the movie: to the first segment the movie counts too.
        let index = { (distance: UInt32, size: UInt32) in
            Make.box(
                "sidx",
                [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 3, 0xE8, 0, 0, 0, 0] + big(distance) + [0, 0, 0, 1] + big(size)
                    + [0, 0, 0, 1, 0x90, 0, 0, 0])
        }
        func file(_ distance: UInt32, _ size: UInt32) -> [UInt8] {
            Make(parts: [.box(index(distance, size)), .movie, .media]).bytes
        }
        let empty = file(0, 0)
        let end = try start("sidx", of: empty) + 44
        let media = try start("mdat", of: empty)
        let new = try titled(file(UInt32(media - end), 19))
        let moved = try start("mdat", of: new)
        #expect(try content(["sidx"], of: new).bigEndian32(at: 16).map(UInt64.init) == moved - end)
        #expect(try content(["sidx"], of: new).bigEndian32(at: 24) == 19)
        // A segment that holds the movie grows.
        let around = try titled(file(0, UInt32(empty.count) - UInt32(end)))
        #expect(try content(["sidx"], of: around).bigEndian32(at: 16) == 0)
        #expect(try content(["sidx"], of: around).bigEndian32(at: 24).map(UInt64.init) == UInt64(around.count) - end)
    }

    @Test func `Positions of auxiliary information move, those of other files' media do not`() throws {
        func file(_ position: UInt32) -> [UInt8] {
            let table = Make.box("saio", [0, 0, 0, 1] + Array("cenc".utf8) + [0, 0, 0, 0, 0, 0, 0, 1] + big(position))
            let reference = Make.box(
                "dref", [0, 0, 0, 0, 0, 0, 0, 1] + Make.box("url ", [0, 0, 0, 0] + Array("a.mov".utf8)))
            let here = Make.box("mdia", Make.box("minf", Make.box("stbl", table)))
            let elsewhere = Make.box("mdia", Make.box("minf", Make.box("dinf", reference) + Make.box("stbl", table)))
            return Make(movieBoxes: Make.box("trak", here) + Make.box("trak", elsewhere)).bytes
        }
        let position = UInt32(try start("mdat", of: file(0)) + 8)
        let new = try titled(file(position))
        let reader = BoxReader(file: RandomAccessFile(bytes: new))
        let movie = try #require(reader.box(["moov"], in: 0..<UInt64(new.count)))
        let positions = reader.boxes(in: movie.content).filter { $0.type == "trak" }.dropFirst().map { track in
            reader.box(["mdia", "minf", "stbl", "saio"], in: track.content).map { reader.bytes(of: $0).suffix(4) }
        }
        #expect(positions == [big(UInt32(try start("mdat", of: new) + 8))[...], big(position)[...]])
    }

    @Test func `Positions get 64 bits where they need them`() throws {
        // Media at the end of a sparse file of 4 GB, just below what 32 bits can say.
        let folder = FileManager.default.temporaryDirectory
        let path = folder.appendingPathComponent("positions-\(UUID().uuidString).mp4").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let limit: UInt64 = 1 << 32
        let head = Make(parts: [.movie]).bytes
        var bytes = head
        let mediaSize = limit - UInt64(head.count) - 20
        bytes += big(UInt32(1)) + Array("mdat".utf8) + big(mediaSize)
        // The chunk offsets of this file count from a place that does not exist yet.
        let stated = try #require(
            content(["moov", "trak", "mdia", "minf", "stbl", "stco"], of: head).bigEndian32(at: 8))
        let table = try #require(bytes.indices.first { bytes[$0...].starts(with: big(stated) + big(stated + 5)) })
        bytes.replaceSubrange(table..<(table + 8), with: big(UInt32(limit - 31)) + big(UInt32(limit - 26)))
        try #require(FileManager.default.createFile(atPath: path, contents: Data(bytes)))
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try handle.truncate(atOffset: limit - 31)
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(Make.media))
        try handle.close()

        let file = try #require(RandomAccessFile(path: path))
        var metadata = try ISOBaseMediaFormat.read(file)
        metadata.entries = [title]
        let rewrite = try ISOBaseMediaFormat.rewrite(file, with: metadata).rewrite
        // What comes before the media is new; the media are one range of the old file.
        let front = rewrite.segments.flatMap { segment in
            switch segment {
            case .bytes(let bytes): bytes
            case .source(let range): range.upperBound < limit / 2 ? file.read(range, limit: 1 << 20) ?? [] : []
            }
        }
        let offsets = try content(["moov", "trak", "mdia", "minf", "stbl", "co64"], of: front)
        let shift = rewrite.byteCount - file.byteCount
        #expect(shift % 4096 == 0)
        #expect(offsets.bigEndian64(at: 8) == limit - 31 + shift)
        #expect(offsets.bigEndian64(at: 16) == limit - 26 + shift)
        #expect(rewrite.segments.last?.byteRange?.upperBound == file.byteCount)
    }
}

extension FileRewrite.Segment {
    fileprivate var byteRange: Range<UInt64>? { if case .source(let range) = self { range } else { nil } }
}
