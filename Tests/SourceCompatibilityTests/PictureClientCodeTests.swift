import Foundation
import OpenAVFoundation
import Testing

private func fixture(_ name: String) -> URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Fixtures/\(name)")
}

/// Four pixels: red, green; blue, white.
private let square = RawPicture(
    width: 2, height: 2, bytes: [255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 255, 255, 255, 255])

@Suite struct `Code written for Core Graphics` {
    @Test func `Code written for Core Graphics finds the bytes of stills in Apple's layout`() async throws {
        let generator = AVAssetImageGenerator(asset: AVURLAsset(url: fixture("movie.mov")))
        let image = try await generator.image(at: .zero).image
        #expect(image.bitsPerPixel == 32 && image.bitsPerComponent == 8 && image.bytesPerRow >= 320 * 4)
        #expect(image.alphaInfo == .noneSkipFirst && image.bitmapInfo.contains(.byteOrder32Little))
        #expect(image.bitmapInfo.rawValue == 0x2006)
        let data = try #require(image.dataProvider?.data as Data?)
        #expect(data.count == image.bytesPerRow * image.height)
        // The same pixels by our own packed ones.
        for pixel in stride(from: 0, to: image.width * image.height, by: 97) {
            let start = pixel / image.width * image.bytesPerRow + pixel % image.width * 4
            #expect(Array(data[start..<(start + 3)]) == image.pixels[(3 * pixel)..<(3 * pixel + 3)].reversed())
            #expect(data[start + 3] == 255)
        }
        let mean = try #require(ColorMeter().mean(of: image))
        let expected = (0..<3).map { component in
            stride(from: component, to: image.pixels.count, by: 3).reduce(0) { $0 + Int(image.pixels[$1]) }
        }.map { Double($0) / Double(image.width * image.height) }
        #expect([mean.red, mean.green, mean.blue] == expected)
    }

    @Test func `Code written for Core Graphics finds alpha premultiplied`() async throws {
        let generator = AVAssetImageGenerator(asset: AVURLAsset(url: fixture("alpha-png.mov")))
        let image = try await generator.image(at: .zero).image
        #expect(image.alphaInfo == .premultipliedFirst && image.bitmapInfo.contains(.byteOrder32Little))
        let data = try #require(image.dataProvider?.data as Data?)
        for pixel in stride(from: 0, to: image.width * image.height, by: 31) {
            let own = Array(image.pixels[(4 * pixel)..<(4 * pixel + 4)]).map { Double($0) }
            let expected = [own[2], own[1], own[0]].map { UInt8(($0 * own[3] / 255).rounded()) } + [UInt8(own[3])]
            #expect(Array(data[(4 * pixel)..<(4 * pixel + 4)]) == expected)
        }
    }

    @Test func `Code written for Core Graphics makes images of bytes, and crops them`() throws {
        let image = try #require(square.image())
        #expect(image.pixels == square.bytes)
        #expect(image.dataProvider?.data as Data? == Data(square.bytes))
        #expect(image.bitmapInfo == CGBitmapInfo(rawValue: CGImageAlphaInfo.premultipliedLast.rawValue))
        let corner = try #require(image.cropping(to: CGRect(x: 1, y: 0, width: 5, height: 1)))
        #expect(corner.width == 1 && corner.height == 1 && corner.pixels == [0, 255, 0, 255])
        #expect(image.cropping(to: CGRect(x: 0.4, y: 0.4, width: 0.8, height: 0.2))?.width == 2)
        #expect(image.cropping(to: CGRect(x: 2, y: 0, width: 1, height: 1)) == nil)
        #expect(image.cropping(to: .null) == nil)
    }

    @Test func `Code written for Core Graphics is refused what does not fit together`() throws {
        #expect(RawPicture(width: 2, height: 3, bytes: square.bytes).image() == nil)
        #expect(RawPicture(width: 0, height: 2, bytes: square.bytes).image() == nil)
        let space = CGColorSpaceCreateDeviceRGB()
        let provider = try #require(CGDataProvider(data: NSData(data: Data(square.bytes))))
        for (width, height, bytesPerRow) in [
            (Int.max, Int.max, Int.max), (2, .max, 8), (2, 2, 7), (2, 2, -8), (2, 2, .max),
        ] {
            #expect(
                CGImage(
                    width: width, height: height, bitsPerComponent: 8, bitsPerPixel: 32, bytesPerRow: bytesPerRow,
                    space: space, bitmapInfo: [], provider: provider, decode: nil, shouldInterpolate: false,
                    intent: .defaultIntent) == nil)
        }
        for info in [CGImageAlphaInfo.last.rawValue, CGImageAlphaInfo.none.rawValue, 0x1ff, UInt32.max] {
            #expect(
                CGContext(
                    data: nil, width: 2, height: 2, bitsPerComponent: 8, bytesPerRow: 0, space: space, bitmapInfo: info)
                    == nil)
        }
        #expect(
            CGContext(
                data: nil, width: 2, height: 2, bitsPerComponent: 8, bytesPerRow: 7, space: space,
                bitmapInfo: CGImageAlphaInfo.noneSkipLast.rawValue) == nil)
    }

    @Test func `Code written for Core Graphics draws images of the same size without a change`() throws {
        let image = try #require(square.image())
        #expect(image.rgbaBytes() == square.bytes)
        let turned = try #require(image.turnedRight())
        // Blue, red; white, green.
        #expect(turned.rgbaBytes() == [0, 0, 255, 255, 255, 0, 0, 255, 255, 255, 255, 255, 0, 255, 0, 255])
    }

    @Test func `Code written for Core Graphics makes images smaller by averages`() throws {
        let small = try #require(square.image()?.resized(to: CGSize(width: 1, height: 1)))
        // (255 + 0 + 0 + 255) / 4 in each component.
        #expect(
            small.pixels.allSatisfy { abs(Int($0) - 128) <= 1 } && small.alphaInfo == .noneSkipLast, "\(small.pixels)")
    }

    @Test func `Code written for Core Graphics makes thumbnails of stills`() async throws {
        let generator = AVAssetImageGenerator(asset: AVURLAsset(url: fixture("movie.mov")))
        let image = try await generator.image(at: .zero).image
        let small = try #require(image.resized(to: CGSize(width: 80, height: 60)))
        #expect(small.width == 80 && small.height == 60)
        let (before, after) = (ColorMeter().mean(of: image), ColorMeter().mean(of: small))
        let (whole, part) = (try #require(before), try #require(after))
        #expect(abs(whole.red - part.red) < 1 && abs(whole.green - part.green) < 1 && abs(whole.blue - part.blue) < 1)
    }

    @Test func `Code written for Core Graphics draws tiles, badges and frames`() throws {
        let image = try #require(square.image())
        let strip = try #require(Strip(tile: CGSize(width: 20, height: 20), border: 4).draw([image, image]))
        #expect(strip.width == 40 && strip.height == 20)
        let bytes = strip.rgbaBytes()
        func pixel(_ x: Int, _ y: Int) -> [UInt8] { Array(bytes[(4 * (y * 40 + x))..<(4 * (y * 40 + x) + 4)]) }
        // A line of two pixels along the edge: one of them inside.
        #expect(pixel(0, 10) == [255, 255, 255, 255] && pixel(20, 0) == [255, 255, 255, 255])
        #expect(pixel(2, 10) == [0, 0, 255, 255])
        // Half red over blue, at the lower left.
        #expect(pixel(2, 17) == [128, 0, 128, 255])
        #expect(pixel(38, 18) == [0, 0, 0, 0])
        // The upper left of the picture is red, the lower right white.
        #expect(pixel(4, 4) == [255, 0, 0, 255] && pixel(15, 15) == [255, 255, 255, 255])
        #expect(pixel(24, 4) == [255, 0, 0, 255])
    }

    @Test func `Code written for Core Graphics keeps colours under alpha, and blends by its mode`() throws {
        let half = RawPicture(width: 1, height: 1, bytes: [128, 0, 0, 128])
        let image = try #require(half.image())
        // Not multiplied, half a red is red.
        #expect(image.pixels == [255, 0, 0, 128])
        let expected: [(CGBlendMode, [UInt8])] = [
            (.normal, [128, 127, 0, 255]), (.copy, [128, 0, 0, 128]), (.multiply, [0, 127, 0, 255]),
            (.destinationOver, [0, 255, 0, 255]), (.sourceIn, [128, 0, 0, 128]), (.clear, [0, 0, 0, 0]),
        ]
        for (mode, result) in expected {
            let context = try #require(
                CGContext(
                    data: nil, width: 1, height: 1, bitsPerComponent: 8, bytesPerRow: 0,
                    space: CGColorSpaceCreateDeviceRGB(), bitmapInfo: CGImageAlphaInfo.premultipliedLast.rawValue))
            context.setFillColor(CGColor(red: 0, green: 1, blue: 0, alpha: 1))
            context.fill(CGRect(x: 0, y: 0, width: 1, height: 1))
            context.setBlendMode(mode)
            context.draw(image, in: CGRect(x: 0, y: 0, width: 1, height: 1))
            let data = try #require(context.data)
            let bytes = (0..<4).map { data.load(fromByteOffset: $0, as: UInt8.self) }
            #expect(bytes == result, "\(mode)")
        }
    }

    @Test func `Code written for Core Graphics fills turned rectangles by their coverage`() throws {
        let context = try #require(
            CGContext(
                data: nil, width: 100, height: 100, bitsPerComponent: 8, bytesPerRow: 100,
                space: CGColorSpaceCreateDeviceGray(), bitmapInfo: CGImageAlphaInfo.none.rawValue))
        context.setFillColor(gray: 1, alpha: 1)
        context.translateBy(x: 50, y: 50)
        context.rotate(by: .pi / 6)
        context.fill(CGRect(x: -30, y: -20, width: 60, height: 40))
        let data = try #require(context.data)
        let sum = (0..<10000).reduce(0) { $0 + Int(data.load(fromByteOffset: $1, as: UInt8.self)) }
        // The area is 2400 pixels whatever the angle.
        #expect(abs(Double(sum) / 255 - 2400) < 12)
        // At half a pixel, half of it.
        context.concatenate(context.ctm.inverted())
        context.fill(CGRect(x: 0.5, y: 0, width: 0.5, height: 1))
        #expect(data.load(fromByteOffset: 99 * 100, as: UInt8.self) == 128)
    }
}
