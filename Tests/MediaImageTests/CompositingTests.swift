import Foundation
import MediaCore
import MediaImage
import MediaTestSupport
import Testing

/// Clear parts used to come out of JPEG in whatever colour is stored under them.
@Suite(.serialized) struct `An image laid over a colour` {
    private static let backgrounds = [RGBColor.black, .white, RGBColor(red: 255, green: 0, blue: 128)]

    @Test(arguments: backgrounds)
    func `An image laid over a colour has the nearest code to the exact mixture`(_ background: RGBColor) throws {
        // Every pair of a value and an alpha.
        let pixels = (0..<(256 * 256)).flatMap { pixel -> [UInt8] in
            let (value, alpha) = (UInt8(pixel % 256), UInt8(pixel / 256))
            return [value, 255 - value, value, alpha]
        }
        let image = try #require(CGImage(width: 256, height: 256, hasAlpha: true, pixels: pixels))
        let result = image.composited(over: background)
        #expect(!result.hasAlpha && result.width == 256 && result.height == 256)
        let under = [background.red, background.green, background.blue].map(Int.init)
        var wrong = 0
        for pixel in 0..<(256 * 256) {
            let (value, alpha) = (pixel % 256, pixel / 256)
            for (component, color) in [value, 255 - value, value].enumerated() {
                let mixture = color * alpha + under[component] * (255 - alpha)
                // The nearest whole number; 255 is odd, so that there are no ties.
                let distance = abs(Int(result.pixels[3 * pixel + component]) * 255 - mixture)
                if distance > 127 { wrong += 1 }
            }
        }
        #expect(wrong == 0)
    }

    @Test func `An image laid over a colour keeps its 16 bits and its colour space`() throws {
        let space = CGColorSpace(name: CGColorSpace.displayP3)
        let codes: [UInt16] = [65535, 0, 1000, 32768, 12345, 54321, 7, 65535, 1, 2, 3, 0]
        let pixels = codes.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
        let image = try #require(
            CGImage(width: 3, height: 1, hasAlpha: true, pixels: pixels, bitsPerComponent: 16, colorSpace: space))
        let result = image.composited(over: .white)
        #expect(result.bitsPerComponent == 16 && result.colorSpace == space && !result.hasAlpha)
        let found = stride(from: 0, to: 18, by: 2).map { Int(result.pixels[$0]) + Int(result.pixels[$0 + 1]) << 8 }
        // 65535 × 32768 / 65535 + 32767 = 65535, 0 + 32767, 1000 × 32768 / 65535 + 32767 = 33267.008.
        #expect(found == [65535, 32767, 33267, 12345, 54321, 7, 65535, 65535, 65535])
    }

    @Test func `An image without alpha stays the same over a colour`() {
        let image = ImageCase(5, 4).noise
        #expect(image.composited(over: .white) === image)
    }

    @Test(arguments: backgrounds)
    func `A JPEG file shows the image laid over the background colour`(_ background: RGBColor) async throws {
        // Red under clear parts, which nobody is meant to see; the lower half is opaque green.
        let pixels = (0..<(32 * 32)).flatMap { $0 < 512 ? [255, 0, 0, 0] as [UInt8] : [0, 255, 0, 255] as [UInt8] }
        let image = try #require(CGImage(width: 32, height: 32, hasAlpha: true, pixels: pixels))
        let found = try await decoded(
            image.jpegData(quality: 95, background: background), as: "rgb24", extension: "jpg")
        let expected = [background.red, background.green, background.blue]
        #expect(zip(found[..<3], expected).allSatisfy { abs(Int($0) - Int($1)) <= 2 }, "\(found[..<3])")
        let last = Array(found.suffix(3))
        #expect(zip(last, [0, 255, 0]).allSatisfy { abs(Int($0) - $1) <= 2 }, "\(last)")
    }
}

@Suite(.serialized) struct `Parts of an image` {
    private let image = ImageCase(9, 7, alpha: true).noise

    @Test func `Cropped images have the pixels of the original`() throws {
        let part = try #require(image.part(x: 2, y: 3, width: 4, height: 2))
        #expect(part.width == 4 && part.height == 2 && part.hasAlpha)
        let expected = (3..<5).flatMap { row in image.pixels[(row * 36 + 8)..<(row * 36 + 24)] }
        #expect(part.pixels == Array(expected))
        #expect(image.part(x: 0, y: 0, width: 9, height: 7) === image)
    }

    @Test(arguments: [(-1, 0, 2, 2), (0, 0, 10, 7), (8, 0, 2, 1), (0, 6, 1, 2), (0, 0, 0, 1), (3, 3, Int.max, 1)])
    func `Crops that do not lie inside the image are refused`(_ x: Int, _ y: Int, _ width: Int, _ height: Int) {
        #expect(image.part(x: x, y: y, width: width, height: height) == nil)
    }

    @Test func `Padded images stand in the middle of bars`() throws {
        let padded = try #require(image.padded(width: 12, height: 10, color: RGBColor(red: 1, green: 2, blue: 3)))
        #expect(try #require(padded.part(x: 1, y: 1, width: 9, height: 7)).pixels == image.pixels)
        #expect(Array(padded.pixels[..<4]) == [1, 2, 3, 255])
        #expect(Array(padded.pixels.suffix(4)) == [1, 2, 3, 255])
        #expect(image.padded(width: 8, height: 10, color: .black) == nil)
    }

    @Test func `Scaled crops keep each component apart`() throws {
        // Areas of four equal pixels each.
        var pixels: [UInt8] = []
        for pixel in 0..<64 {
            let (column, row) = (pixel % 8 / 2, pixel / 16)
            pixels += [UInt8(column * 60), UInt8(row * 60), 200, UInt8(column * 80)]
        }
        let image = try #require(CGImage(width: 8, height: 8, hasAlpha: true, pixels: pixels))
        let half = try image.scaled(width: 4, height: 4)
        for pixel in 0..<16 {
            let expected = [pixel % 4 * 60, pixel / 4 * 60, 200, pixel % 4 * 80]
            let found = half.pixels[(4 * pixel)..<(4 * pixel + 4)].map { Int($0) }
            #expect(zip(found, expected).allSatisfy { abs($0 - $1) <= 1 }, "\(pixel): \(found) for \(expected)")
        }
        let deep = try ImageCase(40, 30).smooth(bits: 16).scaled(width: 20, height: 15)
        let expected = ImageCase(40, 30).smooth(bits: 16)
        #expect(deep.bitsPerComponent == 16 && deep.pixels.count == 20 * 15 * 6)
        // Slow changes: the middle of four pixels is close to each of them.
        let (found, near) = (Int(deep.pixels[1]), Int(expected.pixels[1]))
        #expect(abs(found - near) <= 2)
    }
}

/// Reads with libavif, which players use: FFmpeg leaves alpha out.
@Suite(.serialized, .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/avifdec"), "needs libavif-bin"))
struct `AVIF files with alpha as libavif reads them` {
    @Test(arguments: [8, 16], [85, 95])
    func `AVIF files have their alpha in libavif's decoder`(_ bits: Int, _ quality: Int) async throws {
        let image = ImageCase(64, 48, alpha: true).smooth(bits: bits)
        let folder = try TemporaryFolder()
        try image.avifData(quality: quality).write(to: folder.url.appendingPathComponent("a.avif"))
        let run = try await CommandRun.run("/usr/bin/avifdec", ["-d", "8", "a.avif", "a.png"], in: folder.url)
        #expect(run.exitCode == 0, "\(run.output)\(run.errorOutput)")
        let rgba = try await CommandRun.ffmpegPixels(of: folder.path("a.png"), options: [], format: "rgba")
        let expected = ImageCase(64, 48, alpha: true).smooth().pixels
        try #require(rgba.count == expected.count)
        let worst = stride(from: 3, to: rgba.count, by: 4).map { abs(Int(rgba[$0]) - Int(expected[$0])) }.max()
        #expect(try #require(worst) <= 12)
    }
}
