/// How samples lie in a client's memory that decoders and encoders have otherwise: of 24 bits, with the higher byte first,
/// bytes with a sign.
struct PCMPacking {
    /// Bits of a sample: 8, 16, 24, 32 or 64.
    let bits: Int
    /// Whether samples have a sign.
    let isSigned: Bool
    /// Whether the highest byte comes first.
    let isBigEndian: Bool

    /// Bytes of a sample.
    var width: Int { bits / 8 }
    /// Bytes of a sample as decoders and encoders have it.
    var frameWidth: Int { bits == 24 ? 4 : width }

    /// FFmpeg's name of how decoders and encoders have samples.
    static func sampleFormat(isFloat: Bool, bits: Int, isInterleaved: Bool) -> String {
        let name =
            switch (isFloat, bits) {
            case (true, 64): "dbl"
            case (true, _): "flt"
            case (false, 8): "u8"
            case (false, 16): "s16"
            default: "s32"
            }
        return isInterleaved ? name : name + "p"
    }

    /// Makes of samples of a decoder those of a client.
    ///
    /// - Parameter target: With room for as many.
    func pack(_ source: UnsafeRawBufferPointer, to target: UnsafeMutableRawBufferPointer) {
        if bits == 24 { return pack24(source, to: target) }
        target.copyMemory(from: source)
        adjust(target, count: source.count)
    }

    /// Makes of samples of a client those for an encoder.
    ///
    /// - Parameter target: With room for as many.
    func unpack(_ source: UnsafeRawBufferPointer, to target: UnsafeMutableRawBufferPointer) {
        if bits == 24 { return unpack24(source, to: target) }
        target.copyMemory(from: source)
        adjust(target, count: source.count)
    }

    /// Changes sign and order of bytes, which is the same there and back.
    private func adjust(_ bytes: UnsafeMutableRawBufferPointer, count: Int) {
        // Bytes of FFmpeg have none.
        if bits == 8, isSigned { for index in 0..<count { bytes[index] ^= 0x80 } }
        guard isBigEndian, width > 1 else { return }
        for start in stride(from: 0, to: count - width + 1, by: width) {
            for byte in 0..<(width / 2) { bytes.swapAt(start + byte, start + width - 1 - byte) }
        }
    }

    /// The upper three of four bytes.
    private func pack24(_ source: UnsafeRawBufferPointer, to target: UnsafeMutableRawBufferPointer) {
        for index in 0..<(source.count / 4) {
            let value = UInt32(littleEndian: source.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self))
            for byte in 0..<3 {
                let place = isBigEndian ? 2 - byte : byte
                target[3 * index + place] = UInt8(truncatingIfNeeded: value >> UInt32(8 + 8 * byte))
            }
        }
    }

    private func unpack24(_ source: UnsafeRawBufferPointer, to target: UnsafeMutableRawBufferPointer) {
        for index in 0..<(source.count / 3) {
            var value: UInt32 = 0
            for byte in 0..<3 {
                value |= UInt32(source[3 * index + byte]) << UInt32(isBigEndian ? 24 - 8 * byte : 8 + 8 * byte)
            }
            target.storeBytes(of: value, toByteOffset: 4 * index, as: UInt32.self)
        }
    }
}
