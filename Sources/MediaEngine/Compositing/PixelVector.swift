internal import MediaAsset

/// The steps between the four components of a pixel in memory and vectors of numbers.
///
/// Written with bit patterns, because the standard library's conversions between vectors go lane by lane on processors
/// that are asked for nothing newer than SSE2.
package enum PixelVector {
    /// A float of this size has steps of 1: its lowest bits are a whole number.
    private static let anchor = SIMD4<Float>(repeating: 8_388_608)

    /// The four components at an address, which need not be aligned.
    @inline(__always) package static func load(_ pointer: UnsafePointer<UInt16>) -> SIMD4<UInt16> {
        UnsafeRawPointer(pointer).loadUnaligned(as: SIMD4<UInt16>.self)
    }

    @inline(__always) package static func widened(_ pixel: SIMD4<UInt16>) -> SIMD4<UInt32> {
        unsafeBitCast(interleaved(pixel, high: 0), to: SIMD4<UInt32>.self)
    }

    /// The components as floats from 0 to 65535, exactly.
    @inline(__always) static func floats(_ pixel: SIMD4<UInt16>) -> SIMD4<Float> {
        unsafeBitCast(interleaved(pixel, high: 0x4B00), to: SIMD4<Float>.self) - anchor
    }

    /// Whole numbers as floats, which hold 24 bits of them.
    @inline(__always) static func floats(_ values: SIMD4<UInt32>) -> SIMD4<Float> {
        let exponent = SIMD4<UInt32>(repeating: 0x4B00_0000)
        let low = unsafeBitCast(values & 0xFFFF | exponent, to: SIMD4<Float>.self) - anchor
        let high = unsafeBitCast(values &>> 16 | exponent, to: SIMD4<Float>.self) - anchor
        return high * 65536 + low
    }

    @inline(__always) private static func interleaved(_ pixel: SIMD4<UInt16>, high: UInt16) -> SIMD8<UInt16> {
        SIMD8(pixel.x, high, pixel.y, high, pixel.z, high, pixel.w, high)
    }

    /// The nearest whole numbers to floats that lie between 0 and 65535, or a fraction of a step outside.
    @inline(__always) package static func rounded(_ values: SIMD4<Float>) -> SIMD4<UInt16> {
        unsafeBitCast(values + anchor, to: SIMD8<UInt16>.self).evenHalf
    }

    @inline(__always) package static func store(_ pixel: SIMD4<UInt16>, at pointer: UnsafeMutablePointer<UInt16>) {
        UnsafeMutableRawPointer(pointer).storeBytes(of: pixel, as: SIMD4<UInt16>.self)
    }

    /// A value between two others.
    @inline(__always) package static func mix(
        _ first: SIMD4<Float>, _ second: SIMD4<Float>, _ fraction: Float
    ) -> SIMD4<Float> {
        first + (second - first) * fraction
    }

    /// A pixel whose components are multiplied by alpha, laid over another one.
    @inline(__always) package static func over(
        _ pixel: SIMD4<Float>, _ share: Float, _ below: SIMD4<UInt16>
    ) -> SIMD4<UInt16> {
        let above = pixel * share
        return rounded(above + floats(below) * (1 - above.w * (1 / 65535)))
    }
}
