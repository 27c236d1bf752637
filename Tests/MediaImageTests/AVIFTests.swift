import Foundation
import MediaImage
import MediaTestSupport
import Testing

/// The boxes of an AVIF file (ISO/IEC 14496-12 and 23008-12).
private struct Boxes {
    let bytes: [UInt8]

    init(_ file: Data) { bytes = [UInt8](file) }

    func number(_ at: Int, _ size: Int) -> Int { bytes[at..<(at + size)].reduce(0) { $0 << 8 | Int($1) } }
    func text(_ at: Int) -> String { String(decoding: bytes[at..<(at + 4)], as: UTF8.self) }

    /// The contents of the boxes of a type within a range.
    func all(_ type: String, in range: Range<Int>? = nil) -> [Range<Int>] {
        let range = range ?? 0..<bytes.count
        var found: [Range<Int>] = []
        var position = range.lowerBound
        while position + 8 <= range.upperBound {
            let size = number(position, 4)
            guard size >= 8, position + size <= range.upperBound else { break }
            if text(position + 4) == type { found.append((position + 8)..<(position + size)) }
            position += size
        }
        return found
    }

    /// What `meta` holds, after its version and flags.
    var meta: Range<Int> { all("meta").first.map { ($0.lowerBound + 4)..<$0.upperBound } ?? 0..<0 }
    /// How many images the file has.
    var itemCount: Int { all("iinf", in: meta).first.map { number($0.lowerBound + 4, 2) } ?? 0 }

    /// The properties of a type, each after its version and flags if it has them.
    func properties(_ type: String) -> [Range<Int>] {
        all("iprp", in: meta).flatMap { all("ipco", in: $0) }.flatMap { all(type, in: $0) }
    }

    /// The coded data of each image by its number, as `iloc` says, one part each.
    var codedData: [Int: [UInt8]] {
        guard let box = all("iloc", in: meta).first, bytes[box.lowerBound] == 0 else { return [:] }
        let sizes = (bytes[box.lowerBound + 4] >> 4, bytes[box.lowerBound + 4] & 15, bytes[box.lowerBound + 5] >> 4)
        let (offsetSize, lengthSize, baseSize) = (Int(sizes.0), Int(sizes.1), Int(sizes.2))
        var found: [Int: [UInt8]] = [:]
        var position = box.lowerBound + 8
        for _ in 0..<number(box.lowerBound + 6, 2) {
            let (item, base) = (number(position, 2), number(position + 4, baseSize))
            position += 4 + baseSize
            guard number(position, 2) == 1 else { return [:] }
            let start = base + number(position + 2, offsetSize)
            let length = number(position + 2 + offsetSize, lengthSize)
            guard start + length <= bytes.count else { return [:] }
            found[item] = Array(bytes[start..<(start + length)])
            position += 2 + offsetSize + lengthSize
        }
        return found
    }
}

@Suite(.serialized) struct `AVIF files` {
    @Test(arguments: [(100, 42.0), (95, 38.0), (85, 35.0), (50, 30.0)])
    func `AVIF files are close to their image`(_ quality: Int, _ floor: Double) async throws {
        let image = ImageCase(160, 120).smooth()
        let data = try image.avifData(quality: quality)
        let samples = try await decodedSamples(data, as: "rgb24", extension: "avif")
        #expect(peakSignalToNoise(samples, image.samples(0..<3)) > floor)
    }

    @Test func `AVIF files state their brand and size`() throws {
        let boxes = try Boxes(ImageCase(40, 30).smooth().avifData())
        #expect(boxes.text(4) == "ftyp")
        let brands = try #require(boxes.all("ftyp").first)
        #expect(boxes.text(brands.lowerBound) == "avif")
        let compatible = stride(from: brands.lowerBound + 8, to: brands.upperBound, by: 4).map(boxes.text)
        #expect(compatible.contains("mif1") && compatible.contains("avif"))
        #expect(boxes.itemCount == 1)
        let size = try #require(boxes.properties("ispe").first)
        #expect([4, 8].map { boxes.number(size.lowerBound + $0, 4) } == [40, 30])
    }

    @Test(
        arguments: [ImageCase(1, 1), ImageCase(33, 17), ImageCase(7, 200), ImageCase(201, 3), ImageCase(2, 2)],
        [80, 95])
    func `AVIF files may have any size`(_ c: ImageCase, _ quality: Int) async throws {
        let image = c.smooth()
        let samples = try await decodedSamples(image.avifData(quality: quality), as: "rgb24", extension: "avif")
        #expect(peakSignalToNoise(samples, image.samples(0..<3)) > 28)
    }

    @Test(arguments: [(80, "yuv420p"), (89, "yuv420p"), (90, "yuv444p"), (100, "yuv444p")])
    func `AVIF files keep all chroma from quality 90 on`(_ quality: Int, _ format: String) async throws {
        let stream = try await probed(ImageCase(40, 30).smooth().avifData(quality: quality), extension: "avif")
        #expect(stream["pix_fmt"] == format)
    }

    @Test(arguments: [ImageCase(64, 48, alpha: true), ImageCase(33, 17, alpha: true)], [8, 16])
    func `AVIF files keep alpha in an image of its own`(_ c: ImageCase, _ bits: Int) async throws {
        let image = c.smooth(bits: bits)
        let data = try image.avifData(quality: 90)
        let boxes = Boxes(data)
        #expect(boxes.itemCount == 2)
        let kind = try #require(boxes.properties("auxC").first)
        let text = String(decoding: boxes.bytes[(kind.lowerBound + 4)..<kind.upperBound], as: UTF8.self)
        #expect(text.hasPrefix("urn:mpeg:mpegB:cicp:systems:auxiliary:alpha"))
        // The reference's own header, then from which image to how many and which.
        let references = try #require(boxes.all("iref", in: boxes.meta).first)
        let auxiliary = boxes.all("auxl", in: (references.lowerBound + 4)..<references.upperBound).first
        let start = try #require(auxiliary).lowerBound
        #expect(boxes.number(start + 2, 2) == 1)
        let alpha = try #require(boxes.codedData[boxes.number(start, 2)])
        // Files of bare AV1 begin with a temporal delimiter, images do not.
        let samples = try await decodedSamples(Data([0x12, 0]) + alpha, as: "gray", extension: "obu")
        #expect(peakSignalToNoise(samples, c.smooth().samples(3..<4)) > 35)
        let color = try await decodedSamples(data, as: "rgb24", extension: "avif")
        #expect(peakSignalToNoise(color, c.smooth().samples(0..<3)) > 34)
    }

    @Test func `AVIF files take any number as quality`() throws {
        let image = ImageCase(16, 16).noise
        #expect(try image.avifData(quality: -5) == image.avifData(quality: 1))
        #expect(try image.avifData(quality: 1000) == image.avifData(quality: 100))
    }

    @Test func `AVIF files hold at most 65535 pixels in a row or column`() throws {
        #expect(throws: ImageEncodingError.self) { try ImageCase(65_536, 1).smooth().avifData() }
    }
}

@Suite(.serialized) struct `The colour space of an AVIF file` {
    private static let matrices: [UInt8: String] = [1: "bt709", 9: "bt2020nc", 12: "bt709"]
    private static let primaries: [UInt8: String] = [1: "bt709", 9: "bt2020", 12: "smpte432"]
    private static let transfers: [UInt8: String] = [13: "iec61966-2-1", 16: "smpte2084", 18: "arib-std-b67"]

    @Test(arguments: [SpaceCase.sRGB] + SpaceCase.wide + SpaceCase.hdr, [8, 16])
    func `Colour spaces of AVIF files are tagged in the stream and in the file`(
        _ c: SpaceCase, _ bits: Int
    ) async throws {
        let data = try ImageCase(40, 30).smooth(bits: bits, space: c.name).avifData()
        let stream = try await probed(data, extension: "avif")
        #expect(stream["pix_fmt"] == (bits == 8 ? "yuv420p" : "yuv420p10le"))
        #expect(stream["color_range"] == "pc")
        #expect(stream["color_primaries"] == Self.primaries[c.primaries])
        #expect(stream["color_transfer"] == Self.transfers[c.transfer])
        #expect(stream["color_space"] == Self.matrices[c.primaries])
        let boxes = Boxes(data)
        let color = try #require(boxes.properties("colr").first)
        #expect(boxes.text(color.lowerBound) == "nclx")
        let matrix = c.primaries == 9 ? 9 : 1
        #expect(
            [4, 6, 8].map { boxes.number(color.lowerBound + $0, 2) } == [Int(c.primaries), Int(c.transfer), matrix])
        #expect(boxes.bytes[color.lowerBound + 10] & 0x80 != 0)
    }

    @Test(arguments: SpaceCase.hdr, [80, 95])
    func `Colour spaces of AVIF files do not change the samples`(_ c: SpaceCase, _ quality: Int) async throws {
        let image = ImageCase(64, 49).smooth(bits: 16, space: c.name)
        let data = try image.avifData(quality: quality)
        // The matrix is linear in the samples, whatever their curve: only it has to be undone.
        let samples = try await decodedSamples(data, as: "rgb48le", extension: "avif")
        #expect(peakSignalToNoise(samples, image.samples(0..<3), top: 65535) > 34)
    }
}
