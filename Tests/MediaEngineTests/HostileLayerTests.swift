import Foundation
import MediaAsset
import MediaCore
import TestSupport
import Testing

@testable import MediaEngine

@Suite struct `Layers that make no sense` {
    private static let numbers: [Double] = [
        0, -0.0, 1, -1, 1e-300, 1e300, -1e300, 1e-9, 1e9, .greatestFiniteMagnitude, .leastNonzeroMagnitude, .infinity,
        -.infinity, .nan,
    ]

    @Test func `Layers whose transform leaves no area draw nothing`() throws {
        let pixels = try noise(4, 4)
        let compositor = try #require(PictureCompositor(width: 8, height: 8))
        let empty = compositor.compose([])
        let transforms: [CGAffineTransform] = [
            .init(a: 0, b: 0, c: 0, d: 0, tx: 0, ty: 0), .init(a: 1, b: 1, c: 1, d: 1, tx: 0, ty: 0),
            .init(scaleX: 1, y: 0), .init(scaleX: .nan, y: 1), .init(scaleX: .infinity, y: 1),
            .init(translationX: .nan, y: 0), .init(translationX: 0, y: .infinity),
            .init(scaleX: .leastNonzeroMagnitude, y: .leastNonzeroMagnitude),
        ]
        for transform in transforms {
            #expect(compositor.compose([PictureLayer(pixels, transform: transform)]) == empty)
        }
        let crops = [
            CGRect.zero, .null, CGRect(x: 1, y: 1, width: 0, height: 2), CGRect(x: 9, y: 0, width: 2, height: 2),
            CGRect(x: Double.nan, y: 0, width: 2, height: 2), CGRect(x: 0, y: 0, width: 2, height: Double.nan),
        ]
        for crop in crops {
            #expect(compositor.compose([PictureLayer(pixels, cropRectangle: crop)]) == empty, "\(crop)")
        }
        for size in [CGSize.zero, CGSize(width: -1, height: 2), CGSize(width: Double.nan, height: 2)] {
            #expect(compositor.compose([PictureLayer(pixels, size: size)]) == empty)
        }
    }

    @Test(arguments: 0..<300) func `Layers with extreme numbers never trap`(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        func number() -> Double {
            random.int(0...2) == 0 ? Self.numbers[random.int(0...(Self.numbers.count - 1))] : random.double(-50...50)
        }
        let compositor = try #require(PictureCompositor(width: 9, height: 7))
        let layer = PictureLayer(
            try noise(random.int(1...6), random.int(1...5), alpha: seed % 2 == 0),
            size: seed % 3 == 0 ? CGSize(width: number(), height: number()) : nil,
            transform: .init(a: number(), b: number(), c: number(), d: number(), tx: number(), ty: number()),
            cropRectangle: seed % 4 == 0
                ? CGRect(x: number(), y: number(), width: number(), height: number()) : .infinite,
            opacity: seed % 5 == 0 ? number() : 1)
        #expect(compositor.compose([layer]).count == compositor.componentCount)
    }

    @Test func `Layers enlarged or reduced to a point are drawn`() throws {
        let compositor = try #require(PictureCompositor(width: 8, height: 8))
        let pixels = try noise(4, 4)
        // One pixel of the picture over all of the canvas.
        let drawn = compositor.compose([
            PictureLayer(pixels, transform: .init(a: 1e12, b: 0, c: 0, d: 1e12, tx: -0.5e12, ty: -0.5e12))
        ])
        for first in stride(from: 0, to: drawn.count, by: 4) { #expect(drawn[first] == pixels.components[0]) }
        let point = try difference([PictureLayer(pixels, transform: .init(a: 1e-3, b: 0, c: 0, d: 1e-3, tx: 3, ty: 3))])
        #expect(point <= tolerance)
    }

    @Test func `Layers with too few pixels are refused`() {
        #expect(PicturePixels([], width: 0, height: 0, hasAlpha: false) == nil)
        #expect(PicturePixels([0, 0, 0], width: 1, height: 1, hasAlpha: false) == nil)
        #expect(PicturePixels([0, 0, 0, 0], width: 1, height: 2, hasAlpha: false) == nil)
        #expect(PicturePixels([0, 0, 0, 0], width: 1, height: 1, rowStride: 2, hasAlpha: false) == nil)
        #expect(PicturePixels([0, 0, 0, 0], width: 1, height: 1, rowStride: 100, hasAlpha: false) != nil)
        #expect(PicturePixels([0, 0, 0, 0], width: .max, height: .max, rowStride: .max, hasAlpha: false) == nil)
        #expect(PictureCompositor(width: 0, height: 5) == nil)
        #expect(PictureCompositor(width: 16385, height: 5) == nil)
    }
}
