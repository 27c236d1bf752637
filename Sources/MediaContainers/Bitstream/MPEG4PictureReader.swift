/// Reads the headers of pictures of MPEG-4 part 2 (ISO/IEC 14496-2, 6.2.3 and 6.2.5).
package struct MPEG4PictureReader {
    /// The bits of a picture's time within its second, from the layer's header.
    private var timeBits: Int?
    /// Pictures that came in the packet of an earlier one.
    ///
    /// Some files for AVI put two pictures into a packet, and after a row of such
    /// a packet without any: each packet then has the decoder take the next picture.
    private var packed: [CodedPicture] = []

    /// - Parameter extradata: The stream's headers, where the container has them.
    package init(extradata: [UInt8] = []) {
        _ = extradata.withUnsafeBytes { pictures(in: $0) }
    }

    /// The picture that is decoded when the decoder gets the next packet, `nil` if there is none.
    package mutating func next(_ bytes: UnsafeRawBufferPointer) -> CodedPicture? {
        packed += pictures(in: bytes)
        guard !packed.isEmpty else { return nil }
        return packed.removeFirst()
    }

    /// Forgets what came before a jump.
    package mutating func restart() { packed = [] }

    /// The coded pictures of a packet; there are places for pictures that are not coded, too.
    private mutating func pictures(in bytes: UnsafeRawBufferPointer) -> [CodedPicture] {
        var pictures: [CodedPicture] = []
        var position = 0
        while pictures.count < 8, let start = NALUnits.startCode(in: bytes, from: position) {
            guard start + 1 < bytes.count else { break }
            let unit = UnsafeRawBufferPointer(rebasing: bytes[(start + 1)...])
            switch bytes[start] {
            case 0x20...0x2f: timeBits = Self.timeBits(ofLayer: unit) ?? timeBits
            case 0xb6 where isCoded(unit) ?? true: pictures.append(CodedPicture(isBidirectional: unit[0] >> 6 == 2))
            default: break
            }
            position = start
        }
        return pictures
    }

    private func isCoded(_ picture: UnsafeRawBufferPointer) -> Bool? {
        guard let timeBits else { return nil }
        var bits = BitReader(bytes: picture)
        guard bits.read(2) != nil else { return nil }
        while let isSecond = bits.readFlag(), isSecond {}
        guard bits.read(1) != nil, bits.read(timeBits) != nil, bits.read(1) != nil else { return nil }
        return bits.readFlag()
    }

    private static func timeBits(ofLayer layer: UnsafeRawBufferPointer) -> Int? {
        var bits = BitReader(bytes: layer)
        guard bits.read(9) != nil, let hasIdentifier = bits.readFlag() else { return nil }
        if hasIdentifier, bits.read(7) == nil { return nil }
        guard let aspect = bits.read(4) else { return nil }
        if aspect == 15, bits.read(16) == nil { return nil }
        guard let hasControl = bits.readFlag() else { return nil }
        if hasControl {
            guard bits.read(3) != nil, let hasBuffer = bits.readFlag() else { return nil }
            if hasBuffer, bits.read(32) == nil || bits.read(32) == nil || bits.read(15) == nil { return nil }
        }
        guard bits.read(2) != nil, bits.read(1) != nil, let resolution = bits.read(16), resolution > 0 else {
            return nil
        }
        return max(1, 16 - UInt16(truncatingIfNeeded: resolution - 1).leadingZeroBitCount)
    }
}
