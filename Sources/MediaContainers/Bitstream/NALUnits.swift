package import MediaCore

/// Divides packets of H.264 and HEVC into NAL units.
package struct NALUnits: Sendable {
    /// The size of a NAL unit's length field, `nil` for start codes.
    package let lengthSize: Int?

    package init(codec: Codec, extradata: [UInt8]) {
        switch codec {
        case .h264 where extradata.count > 6 && extradata[0] == 1: lengthSize = Int(extradata[4] & 3) + 1
        case .hevc where extradata.count > 22 && extradata[0] == 1: lengthSize = Int(extradata[21] & 3) + 1
        default: lengthSize = nil
        }
    }

    /// Calls `body` with each NAL unit, its header byte first, until it returns
    /// false; nothing is read outside the packet whatever the lengths say.
    package func forEach(in bytes: UnsafeRawBufferPointer, _ body: (Slice<UnsafeRawBufferPointer>) -> Bool) {
        guard let lengthSize else {
            var position = 0
            while let start = Self.startCode(in: bytes, from: position) {
                guard start < bytes.count else { return }
                let end = Self.startCode(in: bytes, from: start).map { $0 - 3 } ?? bytes.count
                if end > start, !body(bytes[start..<end]) { return }
                position = start
            }
            return
        }
        var position = 0
        while position + lengthSize < bytes.count {
            let length = bytes[position..<(position + lengthSize)].reduce(0) { $0 << 8 | Int($1) }
            let start = position + lengthSize
            let end = min(bytes.count, start + length)
            if end > start, !body(bytes[start..<end]) { return }
            position = start + max(length, 1)
        }
    }

    /// Whether a packet's picture makes those after it count their order anew.
    package func resetPictureOrder(in bytes: UnsafeRawBufferPointer, isHEVC: Bool) -> Bool {
        var resets = false
        forEach(in: bytes) { unit in
            let header = unit[unit.startIndex]
            // IDR pictures; in HEVC also those after a break (BLA).
            resets = isHEVC ? (16...20).contains(header >> 1 & 0x3f) : header & 0x1f == 5
            return !resets
        }
        return resets
    }

    /// The index after the next `00 00 01`.
    package static func startCode(in bytes: UnsafeRawBufferPointer, from position: Int) -> Int? {
        var index = position + 2
        while index < bytes.count {
            if bytes[index] > 1 {
                index += 3
            } else if bytes[index] == 1, bytes[index - 1] == 0, bytes[index - 2] == 0 {
                return index + 1
            } else {
                index += 1
            }
        }
        return nil
    }

    /// The first bytes of a unit without the bytes that keep start codes from
    /// appearing in it (ISO/IEC 14496-10, 7.4.1).
    static func payload(of unit: Slice<UnsafeRawBufferPointer>, limit: Int) -> [UInt8] {
        unescaped(UnsafeRawBufferPointer(rebasing: unit.dropFirst()), limit: limit)
    }

    /// The first bytes of what follows a unit's header, without the bytes that keep start codes from appearing in it.
    package static func unescaped(_ bytes: UnsafeRawBufferPointer, limit: Int = .max) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(min(limit, bytes.count))
        var zeros = 0
        for byte in bytes {
            if zeros >= 2, byte == 3 {
                zeros = 0
                continue
            }
            zeros = byte == 0 ? zeros + 1 : 0
            result.append(byte)
            if result.count == limit { break }
        }
        return result
    }

    /// The payload with the bytes that keep start codes from appearing in it.
    package static func escaped(_ payload: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(payload.count + 8)
        var zeros = 0
        for byte in payload {
            if zeros >= 2, byte <= 3 {
                result.append(3)
                zeros = 0
            }
            zeros = byte == 0 ? zeros + 1 : 0
            result.append(byte)
        }
        return result
    }
}
