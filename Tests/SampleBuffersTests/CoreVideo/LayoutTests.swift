import Foundation
import MediaCore
import SampleBuffers
import Testing

/// Layouts that were computed by hand.
struct LayoutTests {
    /// A plane as it has to be.
    struct Plane: Equatable {
        var width: Int
        var height: Int
        var bytesPerRow: Int
        var offset: Int
    }

    struct Case: CustomTestStringConvertible {
        var name: String
        var format: OSType
        var width: Int
        var height: Int
        var planes: [Plane]
        var byteCount: Int
        var testDescription: String { "\(name) \(width)x\(height)" }
    }

    @Test(arguments: [
        Case(
            name: "BGRA", format: kCVPixelFormatType_32BGRA, width: 100, height: 50,
            planes: [Plane(width: 100, height: 50, bytesPerRow: 448, offset: 0)], byteCount: 22400),
        Case(
            name: "RGB", format: kCVPixelFormatType_24RGB, width: 100, height: 2,
            planes: [Plane(width: 100, height: 2, bytesPerRow: 320, offset: 0)], byteCount: 640),
        Case(
            name: "l64r", format: kCVPixelFormatType_64RGBALE, width: 10, height: 1,
            planes: [Plane(width: 10, height: 1, bytesPerRow: 128, offset: 0)], byteCount: 128),
        Case(
            name: "L008", format: kCVPixelFormatType_OneComponent8, width: 65, height: 1,
            planes: [Plane(width: 65, height: 1, bytesPerRow: 128, offset: 0)], byteCount: 128),
        Case(
            name: "L00f", format: kCVPixelFormatType_OneComponent32Float, width: 16, height: 3,
            planes: [Plane(width: 16, height: 3, bytesPerRow: 64, offset: 0)], byteCount: 192),
        // 1920 is 30 times 64; half the samples, twice the bytes.
        Case(
            name: "420v", format: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, width: 1920, height: 1080,
            planes: [
                Plane(width: 1920, height: 1080, bytesPerRow: 1920, offset: 0),
                Plane(width: 960, height: 540, bytesPerRow: 1920, offset: 2_073_600),
            ], byteCount: 3_110_400),
        Case(
            name: "420f", format: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, width: 5, height: 3,
            planes: [
                Plane(width: 5, height: 3, bytesPerRow: 64, offset: 0),
                Plane(width: 3, height: 2, bytesPerRow: 64, offset: 192),
            ], byteCount: 320),
        Case(
            name: "x420", format: kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange, width: 1920, height: 1080,
            planes: [
                Plane(width: 1920, height: 1080, bytesPerRow: 3840, offset: 0),
                Plane(width: 960, height: 540, bytesPerRow: 3840, offset: 4_147_200),
            ], byteCount: 6_220_800),
        Case(
            name: "422v", format: kCVPixelFormatType_422YpCbCr8BiPlanarVideoRange, width: 131, height: 3,
            planes: [
                Plane(width: 131, height: 3, bytesPerRow: 192, offset: 0),
                Plane(width: 66, height: 3, bytesPerRow: 192, offset: 576),
            ], byteCount: 1152),
        Case(
            name: "x422", format: kCVPixelFormatType_422YpCbCr10BiPlanarVideoRange, width: 33, height: 1,
            planes: [
                Plane(width: 33, height: 1, bytesPerRow: 128, offset: 0),
                Plane(width: 17, height: 1, bytesPerRow: 128, offset: 128),
            ], byteCount: 256),
        Case(
            name: "444v", format: kCVPixelFormatType_444YpCbCr8BiPlanarVideoRange, width: 33, height: 2,
            planes: [
                Plane(width: 33, height: 2, bytesPerRow: 64, offset: 0),
                Plane(width: 33, height: 2, bytesPerRow: 128, offset: 128),
            ], byteCount: 384),
        Case(
            name: "y420", format: kCVPixelFormatType_420YpCbCr8Planar, width: 101, height: 51,
            planes: [
                Plane(width: 101, height: 51, bytesPerRow: 128, offset: 0),
                Plane(width: 51, height: 26, bytesPerRow: 64, offset: 6528),
                Plane(width: 51, height: 26, bytesPerRow: 64, offset: 8192),
            ], byteCount: 9856),
        // 17 pairs of 4 bytes, though the last pixel has no partner.
        Case(
            name: "2vuy", format: kCVPixelFormatType_422YpCbCr8, width: 33, height: 2,
            planes: [Plane(width: 33, height: 2, bytesPerRow: 128, offset: 0)], byteCount: 256),
    ])
    func `Planes of a pixel buffer follow one another in aligned rows`(_ c: Case) throws {
        let layout = try PixelBufferLayout(pixelFormat: c.format, width: c.width, height: c.height)
        #expect(
            layout.planes.map {
                Plane(width: $0.width, height: $0.height, bytesPerRow: $0.bytesPerRow, offset: $0.offset)
            } == c.planes)
        #expect(layout.byteCount == c.byteCount)
        #expect(layout.alignment == 64)
        #expect(layout.isPlanar == (c.planes.count > 1))
    }

    @Test func `Pixels take as many bytes as their format says`() throws {
        func bytes(_ format: OSType) throws -> [Int] {
            try PixelBufferLayout(pixelFormat: format, width: 4, height: 4).planes.map(\.bytesPerPixel)
        }
        #expect(try bytes(kCVPixelFormatType_32ARGB) == [4])
        #expect(try bytes(kCVPixelFormatType_24BGR) == [3])
        #expect(try bytes(kCVPixelFormatType_64ARGB) == [8])
        #expect(try bytes(kCVPixelFormatType_OneComponent16) == [2])
        #expect(try bytes(kCVPixelFormatType_OneComponent16Half) == [2])
        #expect(try bytes(kCVPixelFormatType_422YpCbCr8_yuvs) == [2])
        #expect(try bytes(kCVPixelFormatType_420YpCbCr8BiPlanarFullRange) == [1, 2])
        #expect(try bytes(kCVPixelFormatType_420YpCbCr10BiPlanarFullRange) == [2, 4])
        #expect(try bytes(kCVPixelFormatType_420YpCbCr8PlanarFullRange) == [1, 1, 1])
    }

    @Test func `Rows and planes of a pixel buffer are aligned as asked for`() throws {
        let layout = try PixelBufferLayout(
            pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, width: 10, height: 3, rowAlignment: 16,
            planeAlignment: 256)
        #expect(layout.planes.map(\.bytesPerRow) == [16, 16])
        #expect(layout.planes.map(\.offset) == [0, 256])
        #expect(layout.byteCount == 288)
        #expect(layout.alignment == 256)
    }

    @Test func `Extended pixels lie in the rows, those of subsampled planes rounded up`() throws {
        // (3 + 8 + 1) × (1 + 6 + 2) pixels of luma, (2 + 4 + 1) × (1 + 3 + 1) of chroma.
        let layout = try PixelBufferLayout(
            pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, width: 8, height: 6, rowAlignment: 1,
            planeAlignment: 1, extended: ExtendedPixels(left: 3, right: 1, top: 1, bottom: 2))
        #expect(layout.planes.map(\.bytesPerRow) == [12, 14])
        #expect(layout.planes.map(\.offset) == [12 + 3, 108 + 14 + 4])
        #expect(layout.byteCount == 108 + 70)
    }
}
