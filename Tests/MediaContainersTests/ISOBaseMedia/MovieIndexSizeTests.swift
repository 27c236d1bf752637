import Foundation
import MediaContainers
import MediaCore
import MediaIO
import TestSupport
import Testing

/// The number of entries that libavformat would make of a movie, by the arithmetic of the format.
@Suite struct `The size of a movie's list of samples` {
    private typealias Builder = MovieBuilder

    /// The least limit that a file is within.
    private func size(_ bytes: [UInt8], upTo most: Int64 = 1 << 26) -> Int64? {
        func isWithin(_ limit: Int64) -> Bool {
            var limits = MediaLimits()
            limits.indexEntries = limit
            do {
                try MovieIndexSize.check(RandomAccessFile(bytes: bytes, limits: limits))
                return true
            } catch {
                return error.kind != .limit
            }
        }
        guard isWithin(most) else { return nil }
        var (low, high): (Int64, Int64) = (0, most)
        while low + 1 < high {
            let middle = (low + high) / 2
            if isWithin(middle) { high = middle } else { low = middle }
        }
        return high
    }

    private func table(_ type: String, _ numbers: Int...) -> [UInt8] {
        Builder.box(type, Builder.u32(0), numbers.flatMap { Builder.u32($0) })
    }

    /// A track of samples that are all alike.
    private func track(
        _ count: Int, handler: String = "vide", each delta: Int = 40, perChunk: Int? = nil, chunks: Int = 1,
        edits: [[UInt8]] = []
    ) -> [UInt8] {
        let tables = [
            table("stsd", 0), table("stts", 1, count, delta), table("stsc", 1, 1, perChunk ?? count, 1),
            table("stsz", 1, count),
            Builder.box("stco", Builder.u32(0), Builder.u32(chunks), Builder.zeros(4 * chunks)),
        ]
        let header = table("mdhd", 0, 0, 1000, count * delta % (1 << 32), 0)
        let kind = Builder.box("hdlr", Builder.zeros(8), Array(handler.utf8), Builder.zeros(13))
        let media = Builder.box("mdia", header, kind, Builder.box("minf", Builder.box("stbl", tables.flatMap { $0 })))
        let list = Builder.box("elst", Builder.u32(0), Builder.u32(edits.count), edits.flatMap { $0 })
        return Builder.box("trak", edits.isEmpty ? [] : Builder.box("edts", list), media)
    }

    private func edit(_ duration: Int, from start: Int) -> [UInt8] {
        Builder.u32(duration) + Builder.u32(start) + Builder.u32(1 << 16)
    }

    private func movie(_ boxes: [UInt8]...) -> [UInt8] {
        let header = Builder.box("mvhd", Builder.zeros(12), Builder.u32(1000), Builder.zeros(84))
        return Builder.box("ftyp", Array("isom".utf8)) + Builder.box("moov", header, boxes.flatMap { $0 })
    }

    @Test func `The index size of a movie counts the samples of all tracks`() {
        #expect(size(movie(track(1000))) == 1000)
        #expect(size(movie(track(1000), track(500, handler: "soun", each: 1024))) == 1500)
        #expect(size(movie(track(80_000_000))) == nil)
        #expect(size(movie(track(0xFFFF_FFFF), track(0xFFFF_FFFF))) == nil)
    }

    @Test(arguments: ["movie.mp4", "movie.mov", "long-gop.mp4", "fragmented.mp4", "edit-list-trim.mp4"])
    func `The index size of fixtures is about the number of samples that ffprobe counts`(_ name: String) throws {
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: Fixture(name).path)))
        let count = try #require(size(bytes))
        let sidecar = try Data(contentsOf: Fixture.folder.appendingPathComponent("expected/\(name).json"))
        let document = try #require(try JSONSerialization.jsonObject(with: sidecar) as? [String: Any])
        let streams = try #require(document["streams"] as? [[String: Any]])
        let counted = streams.compactMap { ($0["nb_frames"] as? String).flatMap { Int64($0) } }.reduce(0, +)
        if counted > 0 { #expect(count >= counted && count <= 2 * counted + 100) }
    }

    /// A day of stereo at 48 kHz: billions of samples, of which a thousand make an entry.
    @Test func `The index size counts the chunks of uncompressed audio`() {
        let sound = track(4_000_000_000, handler: "soun", each: 1, perChunk: 48_000, chunks: 83_334)
        #expect(size(movie(sound)).map { (4_000_000...6_000_000).contains($0) } == true)
        let hostile = track(10, handler: "soun", each: 1, perChunk: 0x7FFF_FFFF, chunks: 100)
        #expect(size(movie(hostile)) == nil)
    }

    @Test func `The index size counts samples once for each edit that shows them`() {
        let whole = Array(repeating: edit(40_000, from: 0), count: 30)
        // A sample more or less for each edit, at its ends.
        #expect(size(movie(track(1000, edits: whole))).map { (30_000...30_060).contains($0) } == true)
        let thousands = Array(repeating: edit(400_000, from: 0), count: 20_000)
        #expect(size(movie(track(10_000, edits: thousands))) == nil)
        // Many edits that show a little each are no attack.
        let pieces = (0..<2000).map { edit(400, from: $0 * 4000) }
        #expect(size(movie(track(200_000, edits: pieces))).map { $0 < 100_000 } == true)
        let empty = (0..<2000).map { _ in edit(400, from: 0xFFFF_FFFF) }
        #expect(size(movie(track(1000, edits: empty))) == 1000)
    }

    @Test func `The index size counts the samples of fragments`() {
        let run = Builder.box("trun", Builder.u32(0), Builder.u32(60_000))
        let fragment = Builder.box("moof", Builder.box("traf", run, run))
        #expect(size(movie() + fragment + Builder.box("mdat", [0]) + fragment) == 240_000)
    }

    // libavformat takes a box that is too long for as long as there is room, and looks for a header in free space.
    @Test func `The index size counts boxes that are not where they belong`() {
        let hidden = track(80_000_000)
        var long = movie(hidden)
        let place = 12 + 4
        #expect(Array(long[(place)..<(place + 4)]) == Array("moov".utf8))
        long.replaceSubrange((place - 4)..<place, with: Builder.u32(0x7FFF_FFFF))
        #expect(size(long) == nil)
        var free = movie(hidden)
        free.replaceSubrange(place..<(place + 4), with: Array("free".utf8))
        #expect(size(free) == nil)
        // Headers of small boxes are read many at a time: 2048 of eight bytes.
        for count in [1, 2, 2045, 2046, 2047, 2048, 2049] {
            let small = (0..<count).flatMap { _ in Builder.box("free", []) }
            #expect(size(small + free.dropFirst(place - 4)) == nil, "\(count) small boxes")
            #expect(size(small + movie(hidden)) == nil, "\(count) small boxes")
        }
        #expect(size(hidden) == nil)
        #expect(size(movie(Builder.box("udta", Builder.box("meta", Builder.u32(0), hidden)))) == nil)
        let zeroSized = Builder.box("ftyp", []) + [0, 0, 0, 0] + Array("moov".utf8) + hidden
        #expect(size(zeroSized) == nil)
    }

    @Test func `The index size counts compressed headers, which may not be larger than metadata`() {
        func packed(_ content: [UInt8], size: Int? = nil) -> [UInt8] {
            Builder.box(
                "moov",
                Builder.box(
                    "cmov", Builder.box("dcom", Array("zlib".utf8)),
                    Builder.box("cmvd", Builder.u32(size ?? content.count), Inflate.stored(content))))
        }
        #expect(size(packed(movie(track(1000)))) == 1000)
        #expect(size(packed(movie(track(80_000_000)))) == nil)
        #expect(size(packed(packed(movie(track(80_000_000))))) == nil)
        var limits = MediaLimits()
        limits.metadataSize = 10_000
        let error = #expect(throws: MovieError.self) {
            try MovieIndexSize.check(RandomAccessFile(bytes: packed([], size: 10_001), limits: limits))
        }
        #expect(error?.limit == .metadataSize)
    }

    @Test func `The index size counts a movie that follows a tag`() throws {
        let bytes = Array(repeating: UInt8(9), count: 30) + movie(track(80_000_000))
        try MovieIndexSize.check(RandomAccessFile(bytes: bytes))
        #expect(throws: MovieError.self) { try MovieIndexSize.check(RandomAccessFile(bytes: bytes), from: 30) }
        try MovieIndexSize.check(RandomAccessFile(bytes: bytes), from: 1 << 40)
    }

    @Test func `The index size of a file that is no movie is 1`() {
        for bytes in [
            [], [0], Array("#EXTM3U".utf8), Array(repeating: 0, count: 100_000), Array(repeating: 0x47, count: 5000),
        ] {
            #expect(size(bytes) == 1)
        }
    }

    @Test func `The check of the index size stops when the work is stopped`() throws {
        let many = movie() + (0..<3000).flatMap { _ in Builder.box("free", []) } + movie(track(80_000_000))
        #expect(size(many) == nil)
        try MovieIndexSize.check(RandomAccessFile(bytes: many)) { true }
    }
}
