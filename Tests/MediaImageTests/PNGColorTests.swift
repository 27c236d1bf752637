import Foundation
import MediaImage
import MediaTestSupport
import Testing

@Suite(.serialized) struct `PNG files of 16 bits` {
    @Test(
        arguments: [
            ImageCase(1, 1), ImageCase(3, 2, alpha: true), ImageCase(33, 17), ImageCase(64, 48, alpha: true),
            ImageCase(257, 1), ImageCase(1, 200, alpha: true),
        ], [1, 6])
    func `PNG files of 16 bits hold exactly the samples`(_ c: ImageCase, _ level: Int) async throws {
        let image = c.deepNoise
        let data = try image.pngData(compressionLevel: level)
        let samples = try await decodedSamples(data, as: c.hasAlpha ? "rgba64le" : "rgb48le", extension: "png")
        #expect(samples == image.samples(0..<c.channels))
    }

    @Test func `PNG files of 16 bits state their depth`() throws {
        for c in [ImageCase(5, 4), ImageCase(5, 4, alpha: true)] {
            let header = try #require(PNGChunk.all(in: c.deepNoise.pngData())?.first)
            #expect(Array(header.data[8...]) == [16, c.hasAlpha ? 6 : 2, 0, 0, 0])
        }
    }

    @Test(arguments: 0...9)
    func `PNG files of 16 bits hold the same samples at every level`(_ level: Int) async throws {
        let image = ImageCase(61, 50, alpha: true).smooth(bits: 16)
        let data = try image.pngData(compressionLevel: level)
        #expect(try await decodedSamples(data, as: "rgba64le", extension: "png") == image.samples(0..<4))
    }
}

@Suite(.serialized) struct `PNG files of unusual shapes` {
    @Test(
        arguments: [ImageCase(1, 1), ImageCase(1, 3000), ImageCase(3000, 1), ImageCase(1, 3000, alpha: true)],
        [0, 1, 6, 9])
    func `PNG files of unusual shapes hold the pixels at every level`(_ c: ImageCase, _ level: Int) async throws {
        let image = c.noise
        let format = c.hasAlpha ? "rgba" : "rgb24"
        #expect(
            try await decoded(image.pngData(compressionLevel: level), as: format, extension: "png") == image.pixels)
    }

    /// Rows that are longer than the compressor's window and than its output buffer, and random, so that they
    /// do not get smaller.
    @Test(arguments: [ImageCase(120_000, 3), ImageCase(2048, 700, alpha: true)], [1, 2])
    func `PNG files hold the pixels of large images`(_ c: ImageCase, _ level: Int) async throws {
        let image = c.noise
        let format = c.hasAlpha ? "rgba" : "rgb24"
        let pixels = try await decoded(image.pngData(compressionLevel: level), as: format, extension: "png")
        #expect(pixels == image.pixels)
    }

    /// What comes 32 KiB after its like is at the edge of deflate's window.
    @Test(arguments: [32_767, 32_768, 32_769, 10_922, 10_923])
    func `PNG files hold the pixels of rows that repeat at the edge of the window`(_ width: Int) async throws {
        let row = ImageCase(width, 1).noise.pixels
        let pixels = Array([[UInt8]](repeating: row, count: 5).joined())
        let image = try #require(CGImage(width: width, height: 5, hasAlpha: false, pixels: pixels))
        #expect(try await decoded(image.pngData(), as: "rgb24", extension: "png") == pixels)
    }
}

@Suite(.serialized) struct `The colour space of a PNG file` {
    private func chunks(_ c: SpaceCase, bits: Int = 8) throws -> [PNGChunk] {
        let image = ImageCase(9, 7).smooth(bits: bits, space: c.name)
        return try #require(PNGChunk.all(in: image.pngData()), "no PNG file, or a checksum is wrong")
    }

    @Test func `PNG files in sRGB are tagged by one chunk`() throws {
        let types = try chunks(.sRGB).map(\.type)
        #expect(types.first == "IHDR" && types.count { $0 == "sRGB" } == 1)
        #expect(!types.contains("cICP") && !types.contains("iCCP"))
    }

    @Test(arguments: SpaceCase.wide + SpaceCase.hdr, [8, 16])
    func `Colour spaces of PNG files are tagged by the codes of H.273 before the pixels`(
        _ c: SpaceCase, _ bits: Int
    ) throws {
        let chunks = try chunks(c, bits: bits)
        let place = try #require(chunks.firstIndex { $0.type == "cICP" })
        let pixels = try #require(chunks.firstIndex { $0.type == "IDAT" })
        #expect(place > 0 && place < pixels)
        // Primaries, transfer function, matrix 0 for RGB, full range.
        #expect(chunks[place].data == [c.primaries, c.transfer, 0, 1])
        #expect(chunks.count { $0.type == "cICP" } == 1)
        #expect(!chunks.contains { $0.type == "sRGB" })
    }

    @Test(arguments: SpaceCase.wide)
    func `Wide SDR colour spaces of PNG files are tagged by a profile too`(_ c: SpaceCase) throws {
        let chunks = try chunks(c)
        let place = try #require(chunks.firstIndex { $0.type == "iCCP" })
        #expect(place < chunks.firstIndex { $0.type == "IDAT" } ?? 0)
        let name = chunks[place].data.prefix { $0 != 0 }
        #expect((1...79).contains(name.count))
        // The name's end, then the method: 0 for deflate.
        #expect(Array(chunks[place].data.dropFirst(name.count).prefix(2)) == [0, 0])
    }

    @Test(arguments: SpaceCase.hdr)
    func `HDR colour spaces of PNG files are not tagged by a profile`(_ c: SpaceCase) throws {
        #expect(try !chunks(c, bits: 16).contains { $0.type == "iCCP" })
    }

    @Test func `Colour spaces of PNG files do not change the pixels`() async throws {
        for c in SpaceCase.wide + SpaceCase.hdr {
            let image = ImageCase(31, 17).smooth(bits: 16, space: c.name)
            let samples = try await decodedSamples(image.pngData(), as: "rgb48le", extension: "png")
            #expect(samples == image.samples(0..<3), "\(c.testDescription)")
        }
    }
}

/// An ICC profile, read by the tables of ISO 15076-1.
private struct Profile {
    let bytes: [UInt8]

    func number(_ at: Int) -> Int { bytes[at..<(at + 4)].reduce(0) { $0 << 8 | Int($1) } }
    func fixed(_ at: Int) -> Double { Double(Int32(truncatingIfNeeded: number(at))) / 65536 }
    func text(_ at: Int) -> String { String(decoding: bytes[at..<(at + 4)], as: UTF8.self) }

    /// The data of each tag by its name.
    var tags: [String: (offset: Int, size: Int)] {
        let pairs = (0..<number(128)).map { index in
            (text(132 + 12 * index), (number(136 + 12 * index), number(140 + 12 * index)))
        }
        return Dictionary(pairs) { first, _ in first }
    }

    /// The three numbers of a tag of the type XYZ.
    func xyz(_ name: String) -> [Double]? {
        guard let tag = tags[name], text(tag.offset) == "XYZ " else { return nil }
        return (0..<3).map { fixed(tag.offset + 8 + 4 * $0) }
    }
}

/// The primaries of a space, adapted to D50, as published with its profiles.
private struct Colorants: Sendable, CustomTestStringConvertible {
    let name: String
    let columns: [[Double]]
    var testDescription: String { String(name.dropFirst("kCGColorSpace".count)) }

    static let all = [
        Colorants(
            name: CGColorSpace.displayP3,
            columns: [[0.5151, 0.2412, -0.0011], [0.2919, 0.6922, 0.0419], [0.1572, 0.0666, 0.7841]]),
        Colorants(
            name: CGColorSpace.sRGB,
            columns: [[0.4361, 0.2225, 0.0139], [0.3851, 0.7169, 0.0971], [0.1431, 0.0606, 0.7141]]),
        Colorants(
            name: CGColorSpace.itur_2020_sRGBGamma,
            columns: [[0.6735, 0.2790, -0.0019], [0.1657, 0.6753, 0.0300], [0.1251, 0.0456, 0.7969]]),
    ]
}

@Suite struct `Colour profiles` {
    private func profile(_ name: String) throws -> Profile {
        Profile(bytes: [UInt8](try #require(CGColorSpace(name: name)?.copyICCData())))
    }

    @Test(arguments: Colorants.all)
    fileprivate func `Colour profiles have the header of a display's profile`(_ c: Colorants) throws {
        let profile = try profile(c.name)
        #expect(profile.number(0) == profile.bytes.count)
        #expect(profile.bytes[8] == 4)
        #expect([12, 16, 20, 36].map(profile.text) == ["mntr", "RGB ", "XYZ ", "acsp"])
        // The connection space's white, D50.
        let white = [68, 72, 76].map(profile.fixed)
        #expect(zip(white, [0.9642, 1, 0.8249]).allSatisfy { abs($0 - $1) < 0.0001 })
    }

    @Test(arguments: Colorants.all)
    fileprivate func `Colour profiles have the tags that a display's profile needs`(_ c: Colorants) throws {
        let profile = try profile(c.name)
        let needed = ["desc", "cprt", "wtpt", "chad", "rXYZ", "gXYZ", "bXYZ", "rTRC", "gTRC", "bTRC"]
        #expect(Set(needed).subtracting(profile.tags.keys) == [])
        for (name, tag) in profile.tags {
            #expect(tag.offset % 4 == 0 && tag.offset >= 132 + 12 * profile.tags.count, "\(name)")
            #expect(tag.offset + tag.size <= profile.bytes.count, "\(name)")
        }
    }

    @Test(arguments: Colorants.all)
    fileprivate func `Colour profiles have the published primaries`(_ c: Colorants) throws {
        let profile = try profile(c.name)
        for (name, published) in zip(["rXYZ", "gXYZ", "bXYZ"], c.columns) {
            let found = try #require(profile.xyz(name))
            #expect(zip(found, published).allSatisfy { abs($0 - $1) <= 0.0005 }, "\(name): \(found)")
        }
    }

    @Test(arguments: Colorants.all)
    fileprivate func `Colour profiles have the curve of IEC 61966-2-1`(_ c: Colorants) throws {
        let profile = try profile(c.name)
        for name in ["rTRC", "gTRC", "bTRC"] {
            let tag = try #require(profile.tags[name])
            #expect(profile.text(tag.offset) == "para")
            #expect(Array(profile.bytes[(tag.offset + 8)..<(tag.offset + 10)]) == [0, 3])
            let numbers = (0..<5).map { profile.fixed(tag.offset + 12 + 4 * $0) }
            let standard = [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045]
            #expect(zip(numbers, standard).allSatisfy { abs($0 - $1) <= 1.0 / 65536 }, "\(numbers)")
        }
    }

    @Test(arguments: SpaceCase.hdr)
    func `Colour profiles are not made for HDR`(_ c: SpaceCase) throws {
        let space = try #require(c.space)
        #expect(space.copyICCData() == nil)
        #expect(space.usesITUR_2100TF)
    }
}
