internal import Foundation
internal import MediaAsset
package import MediaCore
package import SampleBuffers

/// A format of pixel buffers whose components are red, green, blue and alpha of equal size.
package struct ComponentFormat {
    package let pixelFormat: OSType
    /// Where red, green, blue and alpha lie, in components; alpha may be missing.
    private let places: [Int]
    private let componentsOfPixel: Int
    private let isDeep: Bool

    package static let usual = ComponentFormat(kCVPixelFormatType_32BGRA, [2, 1, 0, 3], 4)

    private init(_ pixelFormat: OSType, _ places: [Int], _ count: Int, isDeep: Bool = false) {
        (self.pixelFormat, self.places, componentsOfPixel, self.isDeep) = (pixelFormat, places, count, isDeep)
    }

    /// `nil` for formats of other kinds.
    package init?(_ pixelFormat: OSType) {
        switch pixelFormat {
        case kCVPixelFormatType_32BGRA: self = .usual
        case kCVPixelFormatType_32RGBA: self.init(pixelFormat, [0, 1, 2, 3], 4)
        case kCVPixelFormatType_32ARGB: self.init(pixelFormat, [1, 2, 3, 0], 4)
        case kCVPixelFormatType_32ABGR: self.init(pixelFormat, [3, 2, 1, 0], 4)
        case kCVPixelFormatType_24RGB: self.init(pixelFormat, [0, 1, 2], 3)
        case kCVPixelFormatType_64RGBALE: self.init(pixelFormat, [0, 1, 2, 3], 4, isDeep: true)
        default: return nil
        }
    }

    /// A buffer with a picture, multiplied by its alpha.
    package func buffer(of picture: PicturePixels) throws -> CVPixelBuffer {
        let picture = picture.premultiplied(0..<picture.width, 0..<picture.height).pixels
        var made: CVPixelBuffer?
        let code = CVPixelBufferCreate(nil, picture.width, picture.height, pixelFormat, nil, &made)
        guard let buffer = made else {
            throw AVError(.outOfMemory, reason: "there is no memory for a picture (\(code))")
        }
        buffer.withLockedPlanes([]) { planes in
            guard let plane = planes.first else { return }
            for y in 0..<picture.height { write(picture, row: y, to: plane.row(y)) }
        }
        return buffer
    }

    private func write(_ picture: PicturePixels, row y: Int, to row: UnsafeMutableRawBufferPointer) {
        let first = y * picture.rowStride
        for x in 0..<picture.width {
            for (part, place) in places.enumerated() {
                let isOpaque = part == 3 && !picture.hasAlpha
                let value = isOpaque ? 65535 : picture.components[first + 4 * x + part]
                let index = x * componentsOfPixel + place
                if isDeep {
                    row.storeBytes(of: value.littleEndian, toByteOffset: 2 * index, as: UInt16.self)
                } else {
                    row[index] = UInt8((UInt32(value) * 255 + 32767) / 65535)
                }
            }
        }
    }

    /// Red, green, blue and alpha of 16 bits, row by row; `nil` if the buffer's memory is not as large as that.
    package func components(of buffer: CVPixelBuffer) -> [UInt16]? {
        let (width, height) = (buffer.width, buffer.height)
        return buffer.withLockedPlanes(.readOnly) { planes in
            guard let plane = planes.first, plane.width >= width, plane.height >= height else { return nil }
            return [UInt16](unsafeUninitializedCapacity: 4 * width * height) { target, count in
                for y in 0..<height {
                    let row = plane.row(y)
                    for x in 0..<width {
                        for part in 0..<4 {
                            target[4 * (y * width + x) + part] = value(row, x, part)
                        }
                    }
                }
                count = 4 * width * height
            }
        }
    }

    private func value(_ row: UnsafeMutableRawBufferPointer, _ x: Int, _ part: Int) -> UInt16 {
        guard part < places.count else { return 65535 }
        let index = x * componentsOfPixel + places[part]
        return isDeep
            ? UInt16(littleEndian: row.loadUnaligned(fromByteOffset: 2 * index, as: UInt16.self))
            : UInt16(row[index]) * 257
    }
}
