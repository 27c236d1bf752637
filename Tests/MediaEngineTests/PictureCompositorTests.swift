import Foundation
import MediaAsset
import MediaCore
import MediaImage
import TestSupport
import Testing

@testable import MediaEngine

/// A picture of noise: the hardest for interpolation, since neighbours have nothing in common.
func noise(_ width: Int, _ height: Int, alpha: Bool = false, padding: Int = 0, seed: UInt64 = 7) throws -> PicturePixels
{
    var random = SeededGenerator(seed: seed)
    let stride = 4 * width + padding
    let components = (0..<(stride * height)).map { _ in UInt16(random.int(0...65535)) }
    return try #require(
        PicturePixels(components, width: width, height: height, rowStride: stride, hasAlpha: alpha))
}

/// The greatest difference from the reference, in steps of 16 bits.
func difference(
    _ layers: [PictureLayer], width: Int = 40, height: Int = 30, background: CanvasColor = .black,
    reference: SIMD4<Double> = SIMD4(0, 0, 0, 65535), threads: Int = 1
) throws -> Double {
    let compositor = try #require(
        PictureCompositor(width: width, height: height, background: background, threads: threads))
    let drawn = compositor.compose(layers)
    let expected = ReferenceCompositor(width: width, height: height, background: reference).compose(layers)
    #expect(drawn.count == 4 * expected.count)
    return drawn.indices.reduce(0) { max($0, abs(Double(drawn[$1]) - expected[$1 / 4][$1 % 4])) }
}

/// Steps of 16 bits that rounding takes away: once for each layer, and for alpha and means.
let tolerance = 4.0

@Suite struct `Drawing layers` {
    @Test(arguments: 0..<150) func `Layers of any transform are drawn as in floating point`(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let layers = try (0..<random.int(1...3)).map { index in
            let pixels = try noise(
                random.int(1...50), random.int(1...40), alpha: random.int(0...1) == 1, padding: random.int(0...9),
                seed: UInt64(seed * 10 + index))
            let scale = exp(random.double(-2.5...2))
            var layer = PictureLayer(
                pixels,
                transform: CGAffineTransform(scaleX: scale, y: scale * random.double(0.3...2))
                    .concatenating(.init(rotationAngle: random.double(-4...4)))
                    .concatenating(.init(a: 1, b: random.double(-1...1), c: 0, d: 1, tx: 0, ty: 0))
                    .concatenating(.init(translationX: random.double(-10...40), y: random.double(-10...30))))
            if random.int(0...1) == 1 { layer.opacity = random.double(0...1) }
            if random.int(0...1) == 1 {
                layer.cropRectangle = CGRect(
                    x: random.double(-5...20), y: random.double(-5...20), width: random.double(0.1...40),
                    height: random.double(0.1...40))
            }
            return layer
        }
        #expect(try difference(layers) <= tolerance)
        #expect(
            try difference(layers, background: .clear, reference: .zero, threads: 3) <= tolerance)
    }

    @Test(arguments: 0..<60) func `Layers without rotation are drawn as in floating point`(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let pixels = try noise(random.int(1...60), random.int(1...50), alpha: seed % 3 == 0, seed: UInt64(seed))
        let sizes = [1, 2, 0.5, 0.25, 1 / 3.0, 1.5, 0.7, 10, 0.01]
        let (x, y) = (sizes[random.int(0...8)], sizes[random.int(0...8)])
        let signs = (random.int(0...1) == 1 ? -1.0 : 1, random.int(0...1) == 1 ? -1.0 : 1)
        var layer = PictureLayer(
            pixels,
            transform: .init(
                a: x * signs.0, b: 0, c: 0, d: y * signs.1, tx: random.double(0...40), ty: Double(random.int(0...30))))
        if seed % 2 == 0 { layer.cropRectangle = CGRect(x: 1.25, y: 2, width: 20.5, height: 17.75) }
        #expect(try difference([layer]) <= tolerance)
    }

    @Test func `Layers that are only moved are copied bit by bit`() throws {
        let pixels = try noise(12, 9, padding: 5)
        let compositor = try #require(PictureCompositor(width: 20, height: 16))
        for (x, y) in [(0, 0), (3, 2), (-4, -3), (15, 12), (-11, 8)] {
            let drawn = compositor.compose([
                PictureLayer(pixels, transform: .init(translationX: Double(x), y: Double(y)))
            ])
            for row in 0..<16 {
                for column in 0..<20 {
                    let isInside = (0..<12).contains(column - x) && (0..<9).contains(row - y)
                    let source = (row - y) * pixels.rowStride + 4 * (column - x)
                    let expected = isInside ? Array(pixels.components[source..<(source + 3)]) : [0, 0, 0]
                    let first = 4 * (row * 20 + column)
                    #expect(Array(drawn[first..<(first + 4)]) == expected + [65535])
                }
            }
        }
    }

    @Test(arguments: 0..<8) func `Layers turned by quarters or mirrored keep every bit`(kind: Int) throws {
        let (width, height) = (13, 9)
        let pixels = try noise(width, height)
        let isTurned = kind % 2 == 1
        let size = isTurned ? (width: height, height: width) : (width: width, height: height)
        let turn = CGAffineTransform(rotationAngle: Double(kind % 4) * .pi / 2)
        let mirror = kind >= 4 ? CGAffineTransform(scaleX: -1, y: 1) : .identity
        var transform = turn.concatenating(mirror)
        let box = CGRect(x: 0, y: 0, width: width, height: height).applying(transform)
        transform = transform.concatenating(.init(translationX: -box.minX, y: -box.minY))
        let compositor = try #require(PictureCompositor(width: size.width, height: size.height))
        let drawn = compositor.compose([PictureLayer(pixels, transform: transform)])
        for y in 0..<height {
            for x in 0..<width {
                let point = CGPoint(x: Double(x) + 0.5, y: Double(y) + 0.5).applying(transform)
                let first = 4 * (Int(point.y) * size.width + Int(point.x))
                let source = 4 * (y * width + x)
                #expect(drawn[first..<(first + 3)].elementsEqual(pixels.components[source..<(source + 3)]))
                #expect(drawn[first + 3] == 65535)
            }
        }
    }

    @Test func `Layers are mixed by opacity, and an opacity that is not a number counts as zero`() throws {
        let white = try #require(
            PicturePixels([UInt16](repeating: 65535, count: 16), width: 2, height: 2, hasAlpha: false))
        let compositor = try #require(PictureCompositor(width: 2, height: 2))
        for (opacity, expected) in [(0.5, 32768), (1, 65535), (7, 65535), (0, 0), (-1, 0), (.nan, 0)] as [(Double, Int)]
        {
            let drawn = compositor.compose([PictureLayer(white, opacity: opacity)])
            #expect(abs(Int(drawn[0]) - expected) <= 1)
            #expect(drawn[3] == 65535)
        }
    }

    @Test func `The first layer is drawn on top, and all over the background`() throws {
        func plain(_ red: UInt16, alpha: UInt16) throws -> PicturePixels {
            try #require(PicturePixels([red, 0, 0, alpha], width: 1, height: 1, hasAlpha: true))
        }
        let background = CanvasColor(CGColor(red: 0, green: 0, blue: 1, alpha: 1))
        let compositor = try #require(PictureCompositor(width: 1, height: 1, background: background))
        let drawn = compositor.compose([
            PictureLayer(try plain(65535, alpha: 32768)), PictureLayer(try plain(20000, alpha: 65535)),
        ])
        #expect(abs(Int(drawn[0]) - 42768) <= 2)
        #expect(compositor.compose([]) == [0, 0, 65535, 65535])
        #expect(CanvasColor(nil) == .black)
        #expect(CanvasColor(.white) == CanvasColor(red: 1, green: 1, blue: 1, alpha: 1))
        #expect(CanvasColor(.clear) == .clear)
        #expect(
            CanvasColor(red: .nan, green: -3, blue: 9, alpha: .infinity)
                == CanvasColor(red: 0, green: 0, blue: 1, alpha: 1))
    }

    @Test func `A drawn layer covers as much as its area`() throws {
        let white = try #require(
            PicturePixels([UInt16](repeating: 65535, count: 40), width: 5, height: 2, hasAlpha: false))
        let compositor = try #require(PictureCompositor(width: 40, height: 40, background: .clear))
        for angle in [0.1, 0.5, .pi / 4, 1.2, 3] {
            for scale in [0.3, 1, 2.7] {
                let transform = CGAffineTransform(scaleX: scale, y: scale)
                    .concatenating(.init(rotationAngle: angle)).concatenating(.init(translationX: 20.3, y: 19.8))
                let drawn = compositor.compose([PictureLayer(white, transform: transform)])
                let sum = stride(from: 3, to: drawn.count, by: 4).reduce(0.0) { $0 + Double(drawn[$1]) / 65535 }
                #expect(abs(sum - 10 * scale * scale) < 0.01)
            }
        }
    }

    @Test func `Layers are cropped to fractions of pixels`() throws {
        let white = try #require(
            PicturePixels([UInt16](repeating: 65535, count: 64), width: 4, height: 4, hasAlpha: false))
        let compositor = try #require(PictureCompositor(width: 4, height: 4))
        let drawn = compositor.compose([
            PictureLayer(white, cropRectangle: CGRect(x: 0.25, y: 1, width: 2, height: 1.5))
        ])
        func red(_ x: Int, _ y: Int) -> Double { Double(drawn[4 * (4 * y + x)]) / 65535 }
        #expect(abs(red(0, 1) - 0.75) < 1e-4 && red(1, 1) == 1 && abs(red(2, 1) - 0.25) < 1e-4 && red(3, 1) == 0)
        #expect(red(1, 0) == 0 && abs(red(1, 2) - 0.5) < 1e-4 && abs(red(0, 2) - 0.375) < 1e-4 && red(1, 3) == 0)
    }

    @Test func `Layers take nothing of the cropped pixels into their edges`() throws {
        // Red to the left, green to the right of the cut.
        let components: [UInt16] = [65535, 0, 0, 65535, 65535, 0, 0, 65535, 0, 65535, 0, 65535, 0, 65535, 0, 65535]
        let pixels = try #require(PicturePixels(components, width: 4, height: 1, hasAlpha: false))
        let compositor = try #require(PictureCompositor(width: 40, height: 10))
        let drawn = compositor.compose([
            PictureLayer(
                pixels, transform: .init(scaleX: 10, y: 10), cropRectangle: CGRect(x: 0, y: 0, width: 2, height: 1))
        ])
        for x in 0..<40 {
            #expect(drawn[4 * x] == (x < 20 ? 65535 : 0))
            #expect(drawn[4 * x + 1] == 0)
        }
    }

    @Test(arguments: [0.5, 0.45, 0.3, 0.25, 0.2, 0.11]) func `Layers drawn small are averaged`(scale: Double) throws {
        let components = (0..<100).flatMap { y in
            (0..<100).flatMap { x in [UInt16](repeating: (x + y) % 2 == 0 ? 65535 : 0, count: 4) }
        }
        let board = try #require(PicturePixels(components, width: 100, height: 100, hasAlpha: false))
        let compositor = try #require(PictureCompositor(width: 10, height: 10))
        let drawn = compositor.compose([PictureLayer(board, transform: .init(scaleX: scale, y: scale))])
        for first in stride(from: 0, to: drawn.count, by: 4) { #expect(abs(Double(drawn[first]) / 65535 - 0.5) < 0.06) }
    }

    @Test func `Layers with pixels that are not square are drawn in their display size`() throws {
        let pixels = try noise(10, 10)
        let compositor = try #require(PictureCompositor(width: 20, height: 10))
        #expect(
            compositor.compose([PictureLayer(pixels, size: CGSize(width: 20, height: 10))])
                == compositor.compose([PictureLayer(pixels, transform: .init(scaleX: 2, y: 1))]))
        let wide = PictureLayer(
            pixels, size: CGSize(width: 20, height: 10), cropRectangle: CGRect(x: 3, y: 1, width: 9, height: 7))
        #expect(try difference([wide]) <= tolerance)
    }

    @Test func `A canvas that is used again is drawn over completely`() throws {
        let pixels = try noise(10, 10, alpha: true)
        let compositor = try #require(PictureCompositor(width: 14, height: 12))
        var canvas = compositor.compose([PictureLayer(try noise(14, 12, seed: 3))])
        let layers = [PictureLayer(pixels, transform: .init(translationX: 1.5, y: 1))]
        compositor.compose(layers, into: &canvas)
        #expect(canvas == compositor.compose(layers))
        canvas = []
        compositor.compose(layers, into: &canvas)
        #expect(canvas == compositor.compose(layers))
    }
}
