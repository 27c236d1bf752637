import Foundation
import MediaContainers
import MediaCore
import MediaIO
import MediaMetadata
import MediaTestSupport
import Testing

@testable import MediaAsset

/// Bytes as a file, for as long as the value lives.
private final class ByteFile {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("boxes-\(UUID().uuidString)").path
    init(_ bytes: [UInt8]) throws { try Data(bytes).write(to: URL(fileURLWithPath: path)) }
    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Read while the file is there.
    var header: MovieOutline? { withExtendedLifetime(self) { RandomAccessFile(path: path).flatMap(MovieOutline.init) } }
}

private func number(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }
private func number(_ value: UInt64) -> [UInt8] {
    number(UInt32(value >> 32)) + number(UInt32(truncatingIfNeeded: value))
}
private func box(_ type: String, _ content: [UInt8], size: UInt32? = nil) -> [UInt8] {
    number(size ?? UInt32(content.count + 8)) + Array(type.utf8) + content
}
private func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

/// A movie with one track and these boxes in it.
private func movie(edits: [UInt8] = [], entry: [UInt8] = []) -> [UInt8] {
    let header = box("mvhd", zeros(12) + number(UInt32(600)) + zeros(84))
    let trackHeader = box("tkhd", [0, 0, 0, 1] + zeros(8) + number(UInt32(7)) + zeros(68))
    let descriptions = box("stsd", zeros(4) + number(UInt32(1)) + entry)
    let media = box(
        "mdia",
        box("mdhd", zeros(12) + number(UInt32(90000)) + zeros(8))
            + box("hdlr", zeros(8) + Array("vide".utf8) + zeros(13))
            + box("minf", box("stbl", descriptions)))
    return box("ftyp", Array("isom".utf8) + zeros(4)) + box("moov", header + box("trak", trackHeader + edits + media))
}

private func aperture(_ values: [UInt32]) -> [UInt8] {
    box("avc1", zeros(78) + box("clap", values.flatMap { number($0) }))
}

@Suite struct `Movie headers of hostile files` {
    @Test func `A valid movie header is read`() throws {
        let list = box(
            "elst", zeros(4) + number(UInt32(1)) + number(UInt32(600)) + number(UInt32(45000)) + number(UInt32(65536)))
        let file = try ByteFile(movie(edits: box("edts", list), entry: aperture([300, 1, 200, 1, 2, 1, 0, 1])))
        let header = try #require(file.header)
        let track = try #require(header.tracks.first)
        #expect(header.timescale == 600)
        #expect(track.id == 7 && track.isEnabled && track.handler == "vide" && track.timescale == 90000)
        #expect(track.edits.map(\.duration) == [600])
        #expect(track.edits.map(\.mediaTime) == [45000])
        #expect(track.cleanAperture?.width == 300)
        #expect(track.entries.map(\.type) == ["avc1"])
    }

    @Test func `A box size of zero reaches to the end of the file`() throws {
        let file = try ByteFile(box("free", zeros(4)) + box("mdat", zeros(20), size: 0))
        let reader = BoxReader(file: try #require(RandomAccessFile(path: file.path)))
        #expect(reader.boxes(in: 0..<40).map(\.type) == ["free", "mdat"])
        #expect(reader.boxes(in: 0..<40).last?.content == 20..<40)
    }

    @Test(arguments: [
        box("moov", zeros(4), size: 1000), box("moov", zeros(4), size: 7), box("moov", zeros(4), size: 1),
        box("moov", number(UInt64.max), size: 1), box("moov", number(UInt64(1) << 63), size: 1),
        box("moov", number(UInt64(15)), size: 1), box("moov", number(UInt64.max - 7), size: 1), [0, 0, 0], [],
        box("moov", []), box("moov", box("mvhd", [], size: 0xffff_ffff)), box("moov", zeros(7)),
    ])
    func `Impossible box sizes end the walk`(_ bytes: [UInt8]) throws {
        let file = try ByteFile(bytes)
        #expect(file.header == nil)
    }

    @Test func `An empty movie header gives harmless values`() throws {
        let file = try ByteFile(box("moov", box("mvhd", []) + box("trak", box("tkhd", []) + box("mdia", []))))
        let header = try #require(file.header)
        #expect(header.timescale == 0)
        #expect(header.tracks.isEmpty)
    }

    @Test func `An edit count beyond the box gives the edits that are there`() throws {
        let edit = number(UInt32(600)) + number(UInt32.max) + number(UInt32(65536))
        let list = box("elst", zeros(4) + number(UInt32.max) + edit + edit + zeros(5))
        let header = try #require(try ByteFile(movie(edits: box("edts", list))).header)
        #expect(header.tracks.first?.edits.map(\.mediaTime) == [-1, -1])
    }

    @Test func `Long edits keep 64 bits`() throws {
        let edit = number(UInt64.max) + number(UInt64(1) << 40) + number(UInt32(65536))
        let list = box("elst", [1, 0, 0, 0] + number(UInt32(9)) + edit)
        let header = try #require(try ByteFile(movie(edits: box("edts", list))).header)
        #expect(header.tracks.first?.edits.map(\.duration) == [UInt64.max])
        #expect(header.tracks.first?.edits.map(\.mediaTime) == [1 << 40])
    }

    @Test(
        arguments: [
            [300, 0, 200, 1, 0, 1, 0, 1], [300, 1, 200, 0, 0, 1, 0, 1], [300, 1, 200, 1, 0, 0, 0, 1],
            [0, 1, 0, 1, 0, 1, 0, 1],
            [0xffff_ffff, 1, 200, 1, 0, 1, 0, 1], [300, 1, 200],
        ] as [[UInt32]])
    func `A clean aperture that makes no sense is ignored`(_ values: [UInt32]) throws {
        let header = try #require(try ByteFile(movie(entry: aperture(values))).header)
        #expect(header.tracks.count == 1)
        #expect(header.tracks.first?.cleanAperture == nil)
    }

    @Test(
        arguments: [(321.0, 0.0), (320, 1), (100, 1e300), (1e300, 0), (100, -Double.infinity), (100, 200)]
            as [(Double, Double)])
    func `A clean aperture outside the frame is ignored`(_ width: Double, _ offset: Double) {
        let aperture = CleanAperture(width: width, height: 10, horizontalOffset: offset, verticalOffset: 0)
        let rect = aperture.rect(in: PixelSize(width: 320, height: 240))
        #expect(rect == nil || offset.isInfinite)
        if let rect { #expect(rect.x >= 0 && rect.x + rect.width <= 320) }
    }

    @Test func `A movie header cut at any byte is read without harm`() throws {
        let bytes = [UInt8](try Data(contentsOf: Fixture("clean-aperture.mov").url))
        let whole = try #require(RandomAccessFile(path: Fixture("clean-aperture.mov").path).flatMap(MovieOutline.init))
        #expect(whole.tracks.first?.cleanAperture?.width == 304)
        for length in stride(from: 0, to: bytes.count, by: 97) {
            let header = try ByteFile(Array(bytes[..<length])).header
            #expect((header?.tracks.count ?? 0) <= whole.tracks.count)
        }
    }

    @Test func `Folders and pipes are not read`() {
        #expect(RandomAccessFile(path: "/tmp") == nil)
        #expect(RandomAccessFile(path: "/dev/null") == nil)
        #expect(RandomAccessFile(path: "/nowhere") == nil)
    }
}

@Suite struct `Transforms` {
    @Test(
        arguments: [
            ("matrix-identity.mp4", [1, 0, 0, 1, 0, 0]), ("rotate-90.mp4", [0, 1, -1, 0, 120, 0]),
            ("rotate-180.mp4", [-1, 0, 0, -1, 160, 120]), ("rotate-270.mp4", [0, -1, 1, 0, 0, 160]),
            ("flip-h.mp4", [-1, 0, 0, 1, 0, 0]), ("flip-v.mp4", [1, 0, 0, -1, 0, 0]),
            ("transpose.mp4", [0, 1, 1, 0, 0, 0]),
            ("transverse.mp4", [0, -1, -1, 0, 0, 0]),
        ] as [(String, [CGFloat])])
    func `Transforms come from the track header as they are`(_ name: String, _ m: [CGFloat]) async throws {
        let track = try #require(try await Fixture(name).asset.loadTracks(withMediaType: .video).first)
        let expected = CGAffineTransform(a: m[0], b: m[1], c: m[2], d: m[3], tx: m[4], ty: m[5])
        #expect(try await track.load(.preferredTransform) == expected)
        #expect(expected.swapsAxes == (m[0] == 0))
    }

    @Test func `Transforms are applied one after the other`() {
        let shift = CGAffineTransform(a: 1, b: 0, c: 0, d: 1, tx: 10, ty: 20)
        let turn = CGAffineTransform(a: 0, b: 1, c: -1, d: 0, tx: 0, ty: 0)
        // (0, 0) goes to (10, 20), and the quarter turn takes that to (-20, 10).
        #expect(shift.concatenating(turn) == CGAffineTransform(a: 0, b: 1, c: -1, d: 0, tx: -20, ty: 10))
        #expect(turn.concatenating(shift) == CGAffineTransform(a: 0, b: 1, c: -1, d: 0, tx: 10, ty: 20))
        #expect(shift.concatenating(.identity) == shift)
        #expect(CGAffineTransform().isIdentity && !shift.isIdentity)
        let quarter = CGAffineTransform(rotationAngle: .pi / 2)
        #expect(abs(quarter.a) < 1e-12 && quarter.b == 1 && quarter.c == -1)
    }
}
