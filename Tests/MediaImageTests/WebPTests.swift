import Foundation
import MediaImage
import MediaTestSupport
import Testing

/// The chunks of a WebP file, `nil` if a length does not fit.
private func webPChunks(of file: Data) -> [(name: String, data: [UInt8])]? {
    let bytes = [UInt8](file)
    func text(_ at: Int) -> String { String(decoding: bytes[at..<(at + 4)], as: UTF8.self) }
    func number(_ at: Int) -> Int { (0..<4).reduce(0) { $0 | Int(bytes[at + $1]) << (8 * $1) } }
    guard bytes.count >= 12, text(0) == "RIFF", text(8) == "WEBP", number(4) + 8 == bytes.count else { return nil }
    var found: [(String, [UInt8])] = []
    var position = 12
    while position + 8 <= bytes.count {
        let length = number(position + 4)
        guard position + 8 + length <= bytes.count else { return nil }
        found.append((text(position), Array(bytes[(position + 8)..<(position + 8 + length)])))
        // Chunks begin at even places.
        position += 8 + length + length % 2
    }
    return position == bytes.count ? found : nil
}

@Suite(.serialized) struct `WebP files` {
    @Test(arguments: [(100, 38.0), (85, 35.0), (30, 30.0)])
    func `WebP files are close to their image`(_ quality: Int, _ floor: Double) async throws {
        let image = ImageCase(160, 120).smooth()
        let data = try image.webPData(quality: quality)
        #expect(try #require(webPChunks(of: data)).count == 1)
        let samples = try await decodedSamples(data, as: "rgb24", extension: "webp")
        #expect(peakSignalToNoise(samples, image.samples(0..<3)) > floor)
    }

    @Test(arguments: [
        ImageCase(1, 1), ImageCase(33, 17), ImageCase(7, 200), ImageCase(201, 3), ImageCase(33, 17, alpha: true),
        ImageCase(1, 1, alpha: true),
    ])
    func `WebP files may have any size`(_ c: ImageCase) async throws {
        let image = c.smooth()
        let data = try image.webPData(quality: 90)
        let samples = try await decodedSamples(data, as: "rgb24", extension: "webp")
        #expect(peakSignalToNoise(samples, image.samples(0..<3)) > 28)
    }

    @Test(arguments: [ImageCase(64, 48, alpha: true), ImageCase(33, 17, alpha: true)], [20, 85, 100])
    func `WebP files keep alpha exactly`(_ c: ImageCase, _ quality: Int) async throws {
        let image = c.smooth()
        let data = try image.webPData(quality: quality)
        let alpha = try await decodedSamples(
            data, as: "gray", extension: "webp", options: ["-vf", "format=yuva420p,alphaextract"])
        #expect(alpha == image.samples(3..<4))
    }

    @Test func `WebP files are larger at a higher quality`() throws {
        let image = ImageCase(120, 90).noise
        let sizes = try [1, 30, 60, 85, 100].map { try image.webPData(quality: $0).count }
        #expect(sizes == sizes.sorted() && Set(sizes).count == sizes.count)
    }

    @Test func `WebP files take any number as quality`() throws {
        let image = ImageCase(16, 16).noise
        #expect(try image.webPData(quality: -5) == image.webPData(quality: 1))
        #expect(try image.webPData(quality: 1000) == image.webPData(quality: 100))
    }

    @Test func `WebP files hold at most 16383 pixels in a row or column`() throws {
        #expect(throws: ImageEncodingError.self) { try ImageCase(16_384, 1).smooth().webPData() }
        #expect(throws: ImageEncodingError.self) { try ImageCase(1, 16_384).smooth().webPData() }
        #expect(try webPChunks(of: ImageCase(16_383, 1).smooth().webPData()) != nil)
    }

    @Test func `WebP files may be made of 16 bits`() async throws {
        let c = ImageCase(64, 48, alpha: true)
        let data = try c.smooth(bits: 16).webPData(quality: 90)
        let samples = try await decodedSamples(data, as: "rgb24", extension: "webp")
        #expect(peakSignalToNoise(samples, c.smooth().samples(0..<3)) > 34)
    }
}

@Suite(.serialized) struct `The colour space of a WebP file` {
    @Test(
        arguments: SpaceCase.wide,
        [ImageCase(64, 48), ImageCase(33, 17), ImageCase(33, 17, alpha: true), ImageCase(1, 1)])
    func `Wide colour spaces of WebP files are tagged by their profile`(
        _ c: SpaceCase, _ size: ImageCase
    ) async throws {
        let image = size.smooth(space: c.name)
        let data = try image.webPData(quality: 90)
        let chunks = try #require(webPChunks(of: data), "the lengths do not fit")
        #expect(chunks.map(\.name).prefix(2) == ["VP8X", "ICCP"])
        let header = chunks[0].data
        // Bit 5 for the profile, bit 4 for alpha.
        #expect(header.count == 10 && header[0] & 0b0010_0000 != 0)
        #expect(header[0] & 0b0001_0000 == (size.hasAlpha ? 0b0001_0000 : 0))
        #expect(Int(header[4]) | Int(header[5]) << 8 == size.width - 1)
        #expect(Int(header[7]) | Int(header[8]) << 8 == size.height - 1)
        let profile = try #require(c.space?.copyICCData())
        #expect(chunks[1].data == [UInt8](profile))
        #expect(chunks.count { $0.name == "VP8X" } == 1 && chunks.count { $0.name == "VP8 " } == 1)
        let samples = try await decodedSamples(data, as: "rgb24", extension: "webp")
        #expect(peakSignalToNoise(samples, image.samples(0..<3)) > 28)
    }

    @Test func `Colour spaces of WebP files do not change the samples`() async throws {
        let c = ImageCase(40, 30, alpha: true)
        let plain = try await decoded(c.smooth().webPData(), as: "rgba", extension: "webp")
        let wide = try await decoded(
            c.smooth(space: CGColorSpace.displayP3).webPData(), as: "rgba", extension: "webp")
        #expect(plain == wide)
    }

    @Test(arguments: [ImageCase(33, 17), ImageCase(33, 17, alpha: true)])
    func `WebP files in sRGB need no profile`(_ c: ImageCase) throws {
        let chunks = try #require(webPChunks(of: c.smooth().webPData()))
        #expect(!chunks.contains { $0.name == "ICCP" })
    }

    @Test(arguments: SpaceCase.hdr, [8, 16])
    func `WebP files cannot be HDR`(_ c: SpaceCase, _ bits: Int) throws {
        #expect(throws: ImageEncodingError.self) {
            try ImageCase(8, 8).smooth(bits: bits, space: c.name).webPData()
        }
    }
}
