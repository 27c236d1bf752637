extension H264References {
    /// A copy of a sample with the headers of its slices and next to nothing of their data.
    ///
    /// A decoder that gets it keeps its books as if it had got the whole: frame
    /// numbers, order, reference marking. The picture is worth nothing.
    func hollow(_ source: UnsafeRawBufferPointer, _ picture: ReferringPicture) -> [UInt8]? {
        var slices = picture.slices[...]
        var bytes: [UInt8] = []
        units.forEach(in: source) { unit in
            let isSlice = [1, 5].contains(unit[unit.startIndex] & 0x1f)
            let kept = isSlice ? slices.popFirst().map { Self.hollow(unit, $0.headerBits, $0.usesCABAC) } : nil
            let content = kept ?? Array(unit)
            if let size = units.lengthSize {
                bytes += (0..<size).map { UInt8(truncatingIfNeeded: content.count >> (8 * (size - 1 - $0))) }
            } else {
                bytes += [0, 0, 1]
            }
            bytes += content
            return true
        }
        return bytes
    }

    /// A slice whose data end at once.
    ///
    /// FFmpeg's decoder must fail between macroblocks: in the middle of one that
    /// is coded by CAVLC, it would leave coefficients behind for the next picture.
    private static func hollow(_ unit: Slice<UnsafeRawBufferPointer>, _ headerBits: Int, _ usesCABAC: Bool) -> [UInt8] {
        let bytesOfHeader = (headerBits + 7) / 8
        // A CABAC slice is looked at after each macroblock; what is left of the data makes a few.
        // Bytes against start codes lengthen a header by half at most.
        if usesCABAC { return Array(unit.prefix(1 + bytesOfHeader + bytesOfHeader / 2 + 24)) }
        var payload = NALUnits.payload(of: unit, limit: bytesOfHeader)
        guard payload.count == bytesOfHeader, let first = unit.first else { return Array(unit) }
        if headerBits % 8 != 0 { payload[bytesOfHeader - 1] &= 0xff << UInt8(8 - headerBits % 8) }
        // 2^20, as an Exp-Golomb code: a run of skipped macroblocks, or a type, that no picture has; and the stop bit.
        var position = headerBits
        for bit in [Int](repeating: 0, count: 20) + [1] + [Int](repeating: 0, count: 19) + [1, 1] {
            if position / 8 == payload.count { payload.append(0) }
            if bit == 1 { payload[position / 8] |= 0x80 >> UInt8(position % 8) }
            position += 1
        }
        return [first] + NALUnits.escaped(payload)
    }
}
