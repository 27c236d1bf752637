// Code as applications on Apple's platforms have it, for pictures in memory; only the import differs.
import Foundation
import OpenAVFoundation

/// The mean colour of a picture, read from its bytes as frame extractors do.
struct ColorMeter {
    enum Order { case bgra, argb, rgba, abgr }

    func order(of image: CGImage) -> Order? {
        guard image.bitsPerPixel == 32, image.bitsPerComponent == 8 else { return nil }
        let isLittle = image.bitmapInfo.intersection(.byteOrderMask) == .byteOrder32Little
        switch image.alphaInfo {
        case .first, .premultipliedFirst, .noneSkipFirst: return isLittle ? .bgra : .argb
        case .last, .premultipliedLast, .noneSkipLast: return isLittle ? .abgr : .rgba
        default: return nil
        }
    }

    func mean(of image: CGImage) -> (red: Double, green: Double, blue: Double)? {
        guard let data = image.dataProvider?.data as Data?, let order = order(of: image) else { return nil }
        let places: (Int, Int, Int) =
            switch order {
            case .bgra: (2, 1, 0)
            case .argb: (1, 2, 3)
            case .rgba: (0, 1, 2)
            case .abgr: (3, 2, 1)
            }
        var sums = (0, 0, 0)
        for y in 0..<image.height {
            for x in 0..<image.width {
                let start = y * image.bytesPerRow + x * image.bitsPerPixel / 8
                sums.0 += Int(data[start + places.0])
                sums.1 += Int(data[start + places.1])
                sums.2 += Int(data[start + places.2])
            }
        }
        let area = Double(image.width * image.height)
        return (Double(sums.0) / area, Double(sums.1) / area, Double(sums.2) / area)
    }
}

/// Pixels of a renderer of one's own, as a picture.
struct RawPicture {
    var width: Int
    var height: Int
    var bytes: [UInt8]

    func image() -> CGImage? {
        guard let provider = CGDataProvider(data: NSData(data: Data(bytes))) else { return nil }
        return CGImage(
            width: width, height: height, bitsPerComponent: 8, bitsPerPixel: 32, bytesPerRow: width * 4,
            space: CGColorSpaceCreateDeviceRGB(),
            bitmapInfo: CGBitmapInfo(rawValue: CGImageAlphaInfo.premultipliedLast.rawValue), provider: provider,
            decode: nil, shouldInterpolate: true, intent: .defaultIntent)
    }
}

extension CGImage {
    func resized(to size: CGSize) -> CGImage? {
        guard let space = CGColorSpace(name: CGColorSpace.sRGB),
            let context = CGContext(
                data: nil, width: Int(size.width), height: Int(size.height), bitsPerComponent: 8, bytesPerRow: 0,
                space: space, bitmapInfo: CGImageAlphaInfo.noneSkipLast.rawValue)
        else { return nil }
        context.interpolationQuality = .high
        context.draw(self, in: CGRect(origin: .zero, size: size))
        return context.makeImage()
    }

    /// Turned clockwise by a quarter.
    func turnedRight() -> CGImage? {
        guard
            let context = CGContext(
                data: nil, width: height, height: width, bitsPerComponent: 8, bytesPerRow: height * 4,
                space: colorSpace ?? CGColorSpaceCreateDeviceRGB(),
                bitmapInfo: CGImageAlphaInfo.premultipliedFirst.rawValue | CGBitmapInfo.byteOrder32Little.rawValue)
        else { return nil }
        context.translateBy(x: 0, y: CGFloat(width))
        context.rotate(by: -.pi / 2)
        context.draw(self, in: CGRect(x: 0, y: 0, width: width, height: height))
        return context.makeImage()
    }

    /// Bytes R, G, B, A from the upper left, as machine learning wants them.
    func rgbaBytes() -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: width * height * 4)
        bytes.withUnsafeMutableBytes { buffer in
            let context = CGContext(
                data: buffer.baseAddress, width: width, height: height, bitsPerComponent: 8, bytesPerRow: width * 4,
                space: CGColorSpaceCreateDeviceRGB(), bitmapInfo: CGImageAlphaInfo.premultipliedLast.rawValue)
            context?.draw(self, in: CGRect(x: 0, y: 0, width: width, height: height))
        }
        return bytes
    }
}

/// Pictures side by side, each in a frame, on a background, with a badge.
struct Strip {
    var tile: CGSize
    var border: CGFloat

    func draw(_ images: [CGImage]) -> CGImage? {
        let width = Int(tile.width) * images.count
        guard
            let context = CGContext(
                data: nil, width: width, height: Int(tile.height), bitsPerComponent: 8, bytesPerRow: 0,
                space: CGColorSpaceCreateDeviceRGB(), bitmapInfo: CGImageAlphaInfo.premultipliedLast.rawValue)
        else { return nil }
        context.setFillColor(CGColor(red: 0, green: 0, blue: 1, alpha: 1))
        context.fill(CGRect(x: 0, y: 0, width: width, height: Int(tile.height)))
        for (index, image) in images.enumerated() {
            context.saveGState()
            context.translateBy(x: CGFloat(index) * tile.width, y: 0)
            let frame = CGRect(origin: .zero, size: tile).insetBy(dx: border, dy: border)
            context.clip(to: frame)
            context.draw(image, in: CGRect(origin: .zero, size: tile))
            context.restoreGState()
        }
        // A badge of half-transparent red at the lower left.
        context.setFillColor(red: 1, green: 0, blue: 0, alpha: 0.5)
        context.fill(CGRect(x: 0, y: 0, width: border, height: border))
        context.setStrokeColor(CGColor.white)
        context.setLineWidth(2)
        context.stroke(CGRect(x: 0, y: 0, width: width, height: Int(tile.height)))
        context.clear(CGRect(x: width - 4, y: 0, width: 4, height: 4))
        return context.makeImage()
    }
}
