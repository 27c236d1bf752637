internal import Foundation

/// The memory of a context: pixels of 8 bits for each component, colours multiplied by alpha.
///
/// Pixels are counted from the upper left. The memory is the client's or its own.
final class BitmapSurface {
    let width: Int
    let height: Int
    let bytesPerRow: Int
    let format: PixelFormat
    let memory: UnsafeMutableRawPointer
    private let ownsMemory: Bool
    private let places: (red: Int, green: Int, blue: Int, alpha: Int?)

    /// - Parameter memory: At least `bytesPerRow × height` bytes; cleared memory of its own if `nil`.
    init?(width: Int, height: Int, bytesPerRow: Int, format: PixelFormat, memory: UnsafeMutableRawPointer?) {
        let (size, overflow) = bytesPerRow.multipliedReportingOverflow(by: height)
        guard !overflow, size > 0 else { return nil }
        if let memory {
            (self.memory, ownsMemory) = (memory, false)
        } else {
            // `calloc` gives no memory where there is not enough, rather than none at all.
            guard let own = calloc(size, 1) else { return nil }
            (self.memory, ownsMemory) = (own, true)
        }
        (self.width, self.height, self.bytesPerRow, self.format) = (width, height, bytesPerRow, format)
        let (colors, rest) = format.places
        places = (colors[0], colors[1], colors[2], rest)
    }

    deinit { if ownsMemory { free(memory) } }

    /// Red, green, blue and alpha from 0 to 1.
    @inline(__always)
    func pixel(_ x: Int, _ y: Int) -> SIMD4<Float> {
        let bytes = (memory + y * bytesPerRow + x * format.bytesPerPixel).assumingMemoryBound(to: UInt8.self)
        let alpha = format.alpha.hasAlpha ? places.alpha.map { bytes[$0] } ?? 255 : 255
        return SIMD4(Float(bytes[places.red]), Float(bytes[places.green]), Float(bytes[places.blue]), Float(alpha))
            / 255
    }

    @inline(__always)
    func set(_ x: Int, _ y: Int, _ color: SIMD4<Float>) {
        let rounded = (color * 255 + 0.5).clamped(lowerBound: .zero, upperBound: SIMD4(repeating: 255))
        store(x, y, UInt8(rounded.x), UInt8(rounded.y), UInt8(rounded.z), UInt8(rounded.w))
    }

    @inline(__always)
    func store(_ x: Int, _ y: Int, _ red: UInt8, _ green: UInt8, _ blue: UInt8, _ alpha: UInt8) {
        let bytes = (memory + y * bytesPerRow + x * format.bytesPerPixel).assumingMemoryBound(to: UInt8.self)
        if format.isGrey {
            bytes[places.red] = red == green && green == blue ? red : .grey(red, green, blue)
        } else {
            (bytes[places.red], bytes[places.green], bytes[places.blue]) = (red, green, blue)
        }
        if let place = places.alpha { bytes[place] = format.alpha.hasAlpha ? alpha : 255 }
    }

    /// The picture so far.
    func image(_ space: CGColorSpace?) -> CGImage? {
        let source = UnsafeRawBufferPointer(start: memory, count: bytesPerRow * height)
        let pixels = format.packed(source, width: width, height: height, bytesPerRow: bytesPerRow)
        return CGImage(
            width: width, height: height, pixels: pixels, format: format, colorSpace: space, bytesPerRow: bytesPerRow)
    }
}
