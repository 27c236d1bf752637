import Foundation
import MediaCore
import MediaIO
import TestSupport
import Testing

@testable import MediaContainers

private typealias Builder = MovieBuilder

/// A box may say 0 for its size, and reaches to the end of what it lies in: nothing may be put after it as it is.
@Suite("Boxes that reach to the end of what they lie in")
struct OpenEndedBoxTests {
    private static let content = Array("content".utf8)
    private static let openEnded: [UInt8] = [0, 0, 0, 0] + Array("zzzz".utf8) + content

    private func types(_ bytes: [UInt8]) -> [String] {
        let reader = BoxReader(file: RandomAccessFile(bytes: bytes))
        return reader.boxes(in: 0..<UInt64(bytes.count)).map(\.type.description)
    }

    /// The content of the box of a type in some bytes.
    private func content(_ bytes: [UInt8], _ type: FourCC) -> [UInt8]? {
        let reader = BoxReader(file: RandomAccessFile(bytes: bytes))
        return reader.box([type], in: 0..<UInt64(bytes.count)).map { reader.bytes(of: $0) }
    }

    // Found by fuzzing: the new movie box was a part of the box.
    @Test func `An open-ended box at a file's end stays outside of the movie when it is cut`() throws {
        let film = MovieBuilder(tracks: [MovieBuilder.Track(durations: [], samples: [])]).bytes
        let reader = BoxReader(file: RandomAccessFile(bytes: film))
        let kept = reader.boxes(in: 0..<UInt64(film.count)).filter { $0.type != "mdat" }
        let source = RandomAccessFile(bytes: kept.flatMap { reader.wholeBytes(of: $0) } + Self.openEnded)
        let plan = try MovieTrim(file: source).plan()
        let result = plan.rewrite().bytes(of: source)
        #expect(UInt64(result.count) == plan.byteCount)
        #expect(types(result).contains("moov"))
        #expect(content(result, "zzzz") == Self.content)
    }

    @Test func `Boxes that are added to a box come after its last one`() throws {
        let inner = Builder.box("aaaa", Self.content) + Self.openEnded
        let file = RandomAccessFile(bytes: Builder.box("moov", inner))
        let reader = BoxReader(file: file)
        let movie = try #require(reader.firstBox(in: 0..<file.byteCount))
        var edits = BoxEdits()
        edits.append([.bytes(Builder.box("udta", [1, 2, 3]))], to: movie)
        let result = FileRewrite(segments: edits.result(for: movie, reader: reader)).bytes(of: file)
        let moved = try #require(content(result, "moov"))
        #expect(types(moved) == ["aaaa", "zzzz", "udta"])
        #expect(content(moved, "zzzz") == Self.content)
    }

    @Test func `A movie box that is moved to the front ends where it did`() throws {
        let track = MovieBuilder.Track(durations: Array(repeating: 10, count: 5), samples: numbered(5))
        var bytes = MovieBuilder(tracks: [track]).bytes
        let reader = BoxReader(file: RandomAccessFile(bytes: bytes))
        let movie = try #require(reader.box(["moov"], in: 0..<UInt64(bytes.count)))
        try #require(movie.range.upperBound == UInt64(bytes.count))
        let old = types(bytes)
        bytes.replaceSubrange(Int(movie.start)..<Int(movie.start) + 4, with: [0, 0, 0, 0])
        let file = RandomAccessFile(bytes: bytes)
        let result = try MovieFront.rewrite(file).bytes(of: file)
        #expect(Set(types(result)) == Set(old).union(["free"]))
        #expect(content(result, "mdat") == content(bytes, "mdat"))
    }

    // It took half a minute: each box was compared with all others.
    @Test func `Tens of thousands of empty boxes in a track take little time`() throws {
        var track = MovieBuilder.Track(durations: Array(repeating: 10, count: 5), samples: numbered(5))
        track.tables = (0..<65_000).flatMap { _ in Builder.box("free") }
        let file = RandomAccessFile(bytes: MovieBuilder(tracks: [track]).bytes)
        let clock = ContinuousClock()
        let time = try clock.measure { _ = try MovieTrim(file: file).plan().rewrite() }
        #expect(time < .seconds(5))
    }

    @Test func `Boxes are found wherever the bytes that are read at once end`() {
        // Sizes around the header's, and large ones between small ones.
        var random = SeededGenerator(seed: 7)
        var bytes: [UInt8] = []
        var sizes: [Int] = []
        for _ in 0..<5000 {
            let size = [0, 1, 7, 8, 20, 5000].randomElement(using: &random) ?? 0
            sizes.append(size)
            bytes += Builder.box("free", Builder.zeros(size))
        }
        let found = BoxReader(file: RandomAccessFile(bytes: bytes)).boxes(in: 0..<UInt64(bytes.count))
        #expect(found.map { Int($0.content.length) } == sizes)
    }
}
