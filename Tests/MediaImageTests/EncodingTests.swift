import Foundation
import MediaCore
import MediaImage
import MediaTestSupport
import Testing

@Suite(.serialized) struct `PNG files` {
    @Test(arguments: [
        ImageCase(1, 1), ImageCase(1, 1, alpha: true), ImageCase(3, 2), ImageCase(33, 17), ImageCase(64, 48),
        ImageCase(101, 7, alpha: true), ImageCase(1, 200), ImageCase(257, 1, alpha: true),
    ])
    func `PNG files hold exactly the pixels`(_ c: ImageCase) async throws {
        let image = c.noise
        let format = c.hasAlpha ? "rgba" : "rgb24"
        #expect(try await decoded(image.pngData(), as: format, extension: "png") == image.pixels)
    }

    @Test(arguments: [-3, 0, 1, 2, 6, 9, 40])
    func `PNG files hold the same pixels at every level`(_ level: Int) async throws {
        let image = ImageCase(90, 61).gradient
        let pixels = try await decoded(image.pngData(compressionLevel: level), as: "rgb24", extension: "png")
        #expect(pixels == image.pixels)
    }

    @Test func `PNG files are smaller when compressed`() throws {
        let image = ImageCase(200, 150).gradient
        let sizes = try [0, 2, 9].map { try image.pngData(compressionLevel: $0).count }
        #expect(sizes[0] > image.pixels.count)
        #expect(sizes[1] < sizes[0] / 2)
        #expect(sizes[2] <= sizes[1])
    }

    @Test func `PNG files state their size and kind`() throws {
        for c in [ImageCase(33, 17), ImageCase(300, 2, alpha: true)] {
            let chunks = try #require(PNGChunk.all(in: c.noise.pngData()))
            #expect(chunks.first?.type == "IHDR")
            #expect(chunks.last?.type == "IEND")
            let size = [
                0, 0, UInt8(c.width >> 8), UInt8(c.width & 255), 0, 0, UInt8(c.height >> 8), UInt8(c.height & 255),
            ]
            #expect(chunks.first?.data == size + [8, c.hasAlpha ? 6 : 2, 0, 0, 0])
        }
    }

    @Test func `PNG files carry text, beyond ASCII as UTF-8`() async throws {
        let image = ImageCase(5, 4).noise
        let texts = [
            ("Title", "Grüße, 世界 🎬"), ("Requested Time", "1001/30000"), ("Comment", ""),
            ("Source", "line one\nline two"),
        ]
        let data = try image.pngData(text: texts.map { (keyword: $0.0, text: $0.1) })
        let found = try #require(PNGChunk.all(in: data)).compactMap(\.text)
        #expect(found.map(\.keyword) == texts.map(\.0))
        #expect(found.map(\.text) == texts.map(\.1))
        // Latin letters in the chunk that all programs read.
        #expect(
            try #require(PNGChunk.all(in: data)).filter { $0.text != nil }.map(\.type) == [
                "iTXt", "tEXt", "tEXt", "tEXt",
            ])
        #expect(try await decoded(data, as: "rgb24", extension: "png") == image.pixels)
    }

    @Test func `PNG files cut keywords that are too long and drop NUL bytes`() throws {
        let long = String(repeating: "k", count: 200)
        let data = try ImageCase(2, 2).noise.pngData(text: [(keyword: long, text: "a\0b")])
        let found = try #require(PNGChunk.all(in: data)).compactMap(\.text)
        #expect(found.map(\.keyword) == [String(repeating: "k", count: 79)])
        #expect(found.map(\.text) == ["ab"])
    }

    /// The library that compresses mixes its own address into what it does before a stream's first flush, which is seen
    /// in one of thousands of encodings: so the first byte has to be flushed, and an empty block follows it.
    @Test func `PNG files begin with a flushed block, so that their bytes do not vary`() throws {
        let chunks = try #require(PNGChunk.all(in: ImageCase(320, 240).gradient.pngData()))
        let first = try #require(chunks.first { $0.type == "IDAT" })
        #expect(first.data.count < 40)
        #expect(first.data.suffix(4) == [0, 0, 0xff, 0xff])
    }

    @Test func `PNG files take long text`() throws {
        let long = String(repeating: "世", count: 50_000)
        let data = try ImageCase(2, 2).noise.pngData(text: [(keyword: "Comment", text: long)])
        #expect(PNGChunk.all(in: data)?.compactMap(\.text).map(\.text) == [long])
    }
}

@Suite(.serialized) struct `JPEG files` {
    private func peakSignalToNoise(_ image: CGImage, quality: Int) async throws -> Double {
        let pixels = try await decoded(image.jpegData(quality: quality), as: "rgb24", extension: "jpg")
        try #require(pixels.count == image.width * image.height * 3)
        let step = image.hasAlpha ? 4 : 3
        var sum = 0
        for pixel in 0..<(image.width * image.height) {
            for component in 0..<3 {
                let difference = Int(pixels[pixel * 3 + component]) - Int(image.pixels[pixel * step + component])
                sum += difference * difference
            }
        }
        guard sum > 0 else { return .infinity }
        return 10 * log10(255 * 255 * Double(pixels.count) / Double(sum))
    }

    /// Gradients compress well: what is lost is chroma at half resolution and rounding.
    @Test(arguments: [(100, 42.0), (95, 38.0), (85, 34.0), (50, 30.0)])
    func `JPEG files are close to their image`(_ quality: Int, _ floor: Double) async throws {
        #expect(try await peakSignalToNoise(ImageCase(160, 120).gradient, quality: quality) > floor)
    }

    @Test(arguments: [ImageCase(1, 1), ImageCase(33, 17), ImageCase(7, 200)])
    func `JPEG files may have any size`(_ c: ImageCase) async throws {
        #expect(try await peakSignalToNoise(c.gradient, quality: 95) > 28)
    }

    @Test func `JPEG files are opaque, with a colour under clear parts`() async throws {
        let image = ImageCase(64, 64, alpha: true).gradient.composited(over: .black)
        #expect(try await peakSignalToNoise(image, quality: 95) > 34)
        #expect(try ImageCase(64, 64, alpha: true).gradient.jpegData() == image.jpegData(quality: 85))
    }

    @Test func `JPEG files are larger at a higher quality`() throws {
        let image = ImageCase(120, 90).noise
        let sizes = try [1, 20, 50, 80, 89, 95, 100].map { try image.jpegData(quality: $0).count }
        #expect(sizes == sizes.sorted())
        #expect(Set(sizes).count == sizes.count)
    }

    @Test func `JPEG files take any number as quality`() throws {
        let image = ImageCase(16, 16).noise
        #expect(try image.jpegData(quality: -5) == image.jpegData(quality: 1))
        #expect(try image.jpegData(quality: 1000) == image.jpegData(quality: 100))
    }

    @Test func `JPEG files hold at most 65500 pixels in a row`() throws {
        #expect(throws: ImageEncodingError.self) { try ImageCase(65_501, 1).gradient.jpegData() }
    }
}

@Suite struct `Pictures in memory` {
    @Test(arguments: [(2, 2, false, 11), (2, 2, true, 12), (0, 5, false, 0), (-1, -1, false, 3), (5, 0, false, 0)])
    func `Images in memory need as many bytes as they have pixels`(
        _ width: Int, _ height: Int, _ hasAlpha: Bool, _ count: Int
    ) {
        let pixels = [UInt8](repeating: 0, count: count)
        #expect(CGImage(width: width, height: height, hasAlpha: hasAlpha, pixels: pixels) == nil)
    }

    @Test func `Images in memory refuse sizes that overflow`() {
        #expect(CGImage(width: .max, height: .max, hasAlpha: false, pixels: []) == nil)
        #expect(CGImage(width: .max, height: 1, hasAlpha: true, pixels: []) == nil)
    }

    @Test func `Images in memory know their layout`() throws {
        let image = try #require(CGImage(width: 3, height: 1, hasAlpha: true, pixels: [UInt8](repeating: 9, count: 12)))
        #expect(image.bitsPerPixel == 32)
        #expect(image.packedBytesPerRow == 12)
        #expect(image.bitsPerComponent == 8)
    }
}

struct OrientationCase: Sendable, CustomTestStringConvertible {
    var swaps: Bool
    var flipsX: Bool
    var flipsY: Bool
    /// The letters of the result, row by row.
    var rows: [String]

    init(_ swaps: Bool, _ flipsX: Bool, _ flipsY: Bool, _ rows: [String]) {
        (self.swaps, self.flipsX, self.flipsY, self.rows) = (swaps, flipsX, flipsY, rows)
    }

    var testDescription: String {
        "\(swaps ? "swapped" : "straight")\(flipsX ? " left-right" : "")\(flipsY ? " top-bottom" : "")"
    }
}

@Suite struct `The eight orientations` {
    // The picture is AB / CD / EF.
    @Test(
        arguments: [
            OrientationCase(false, false, false, ["AB", "CD", "EF"]),
            OrientationCase(false, true, false, ["BA", "DC", "FE"]),
            OrientationCase(false, false, true, ["EF", "CD", "AB"]),
            OrientationCase(false, true, true, ["FE", "DC", "BA"]),
            OrientationCase(true, false, false, ["ACE", "BDF"]), OrientationCase(true, true, false, ["ECA", "FDB"]),
            OrientationCase(true, false, true, ["BDF", "ACE"]), OrientationCase(true, true, true, ["FDB", "ECA"]),
        ], [false, true])
    func `Orientations lay the pixels out`(_ c: OrientationCase, _ hasAlpha: Bool) throws {
        let channels = hasAlpha ? 4 : 3
        let pixels = Array("ABCDEF".utf8).flatMap { letter in (0..<channels).map { letter &+ UInt8($0 * 40) } }
        let image = try #require(CGImage(width: 2, height: 3, hasAlpha: hasAlpha, pixels: pixels))
        let result = image.oriented(
            ImageOrientation(swapsAxes: c.swaps, flipsHorizontally: c.flipsX, flipsVertically: c.flipsY))
        #expect(result.width == c.rows[0].count)
        #expect(result.height == c.rows.count)
        #expect(result.hasAlpha == hasAlpha)
        let expected = Array(c.rows.joined().utf8).flatMap { letter in (0..<channels).map { letter &+ UInt8($0 * 40) } }
        #expect(result.pixels == expected)
    }

    @Test func `The upright orientation gives the same image`() throws {
        let image = try #require(CGImage(width: 1, height: 1, hasAlpha: false, pixels: [1, 2, 3]))
        #expect(image.oriented(.up) === image)
    }
}
