import AssetReadWrite
import Foundation
import MediaCore
import MediaEngine
import MediaImage
import MediaTestSupport
import SampleBuffers
import Testing

/// Images of pixel buffers, and pixel buffers of images.
struct PixelBufferImageTests {
    private func image(of buffer: CVPixelBuffer) throws -> CGImage {
        var made: CGImage?
        #expect(VTCreateCGImageFromCVPixelBuffer(buffer, options: nil, imageOut: &made) == 0)
        return try #require(made)
    }

    /// Pixels that differ from each other.
    private func noise(_ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 13) }
    }

    @Test(arguments: [
        kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange,
        kCVPixelFormatType_32BGRA, kCVPixelFormatType_32RGBA, kCVPixelFormatType_32ARGB, kCVPixelFormatType_24RGB,
        kCVPixelFormatType_422YpCbCr8, kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange,
    ])
    func `An image of a pixel buffer shows the frame`(_ format: OSType) async throws {
        for name in ["movie.mp4", "bt601-tagged.mp4", "bt709-tagged.mp4"] {
            let read = try await Reading.read(
                Fixture(name).asset, [kCVPixelBufferPixelFormatTypeKey as String: format])
            let image = try image(of: #require(read.frames.first).buffer)
            let pixels = try await CommandRun.ffmpegPixels(
                of: Fixture(name).path,
                options: ["-frames:v", "1", "-sws_flags", "accurate_rnd+full_chroma_int+bilinear"])
            try #require(image.pixels.count / (image.hasAlpha ? 4 : 3) == pixels.count / 3)
            let step = image.hasAlpha ? 4 : 3
            var sum = 0
            for pixel in 0..<(pixels.count / 3) {
                for part in 0..<3 { sum += abs(Int(image.pixels[pixel * step + part]) - Int(pixels[pixel * 3 + part])) }
            }
            #expect(Double(sum) / Double(pixels.count) < 1.5, "\(name)")
        }
    }

    @Test func `Pixels are the same after a pixel buffer and back`() throws {
        for hasAlpha in [true, false] {
            let pixels = noise(7 * 5 * (hasAlpha ? 4 : 3))
            let source = try #require(CGImage(width: 7, height: 5, hasAlpha: hasAlpha, pixels: pixels))
            let buffer = try source.makePixelBuffer()
            #expect(CVPixelBufferGetPixelFormatType(buffer) == kCVPixelFormatType_32BGRA)
            let image = try image(of: buffer)
            #expect((image.width, image.height) == (7, 5))
            for pixel in 0..<35 {
                let step = hasAlpha ? 4 : 3
                #expect(Array(image.pixels[(pixel * 4)...].prefix(3)) == Array(pixels[(pixel * step)...].prefix(3)))
                #expect(image.pixels[pixel * 4 + 3] == (hasAlpha ? pixels[pixel * 4 + 3] : 255))
            }
        }
    }

    @Test func `Images of 16 bits keep them in a pixel buffer`() throws {
        let pixels = noise(6 * 4 * 4 * 2)
        let source = try #require(
            CGImage(width: 6, height: 4, hasAlpha: true, pixels: pixels, bitsPerComponent: 16))
        let buffer = try source.makePixelBuffer()
        #expect(CVPixelBufferGetPixelFormatType(buffer) == kCVPixelFormatType_64RGBALE)
        let kept = buffer.withLockedPlanes(.readOnly) { planes in (0..<4).flatMap { Array(planes[0].row($0)) } }
        #expect(kept == pixels)
        let image = try image(of: buffer)
        #expect(image.bitsPerComponent == 8)
        // The higher byte of each, but for rounding.
        for (index, value) in image.pixels.enumerated() { #expect(abs(Int(value) - Int(pixels[2 * index + 1])) <= 1) }
    }

    @Test func `Pixel buffers that cannot be shown are refused`() throws {
        var depth: CVPixelBuffer?
        CVPixelBufferCreate(nil, 4, 4, kCVPixelFormatType_OneComponent32Float, nil, &depth)
        var made: CGImage?
        if let depth {
            #expect(
                VTCreateCGImageFromCVPixelBuffer(depth, options: nil, imageOut: &made) == kCVReturnInvalidPixelFormat)
        }
        #expect(made == nil)
        let long = try #require(
            CGImage(width: 16_385, height: 1, hasAlpha: false, pixels: [UInt8](repeating: 0, count: 3 * 16_385)))
        #expect(throws: (any Error).self) { try long.makePixelBuffer() }
    }
}
