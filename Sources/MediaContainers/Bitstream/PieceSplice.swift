package import MediaCore

/// Has coded pictures follow those of another piece that they were not coded after.
///
/// A picture that decoding can start with does not have to reset a decoder that comes from other pictures: their order
/// counts go on with those before, so that pictures are shown in a wrong order, or not at all.
package struct PieceSplice {
    /// What becomes of a packet.
    package enum Outcome {
        case unchanged
        case changed([UInt8])
        /// Why it cannot follow other pictures.
        case impossible(String)
    }

    private let units: NALUnits
    private var h264: H264Splice?
    private var isFirst = true

    /// - Parameters:
    ///   - extradata: The codec configuration of the stream.
    ///   - piece: Which piece it is: those of neighbours have to be told apart.
    /// - Returns: `nil` for codecs whose keyframes reset decoders.
    package init?(codec: Codec, extradata: [UInt8], piece: Int) {
        units = NALUnits(codec: codec, extradata: extradata)
        switch codec {
        case .h264: h264 = H264Splice(extradata: extradata, piece: piece)
        case .hevc: break
        default: return nil
        }
    }

    /// Takes the next packet of the piece, in decoding order, from the picture that decoding starts with on.
    package mutating func follow(_ bytes: UnsafeRawBufferPointer) -> Outcome {
        defer { isFirst = false }
        return h264?.follow(bytes) ?? (isFirst ? withBrokenLink(bytes) : .unchanged)
    }

    private static let (cleanRandomAccess, brokenLink): (UInt8, UInt8) = (21, 16)
    /// Of a slice's first byte, what says that pictures before are not shown; it counts in broken links alone.
    private static let hidesPictures: UInt8 = 0x40

    /// The first picture as one of a broken link, which HEVC has for the purpose.
    ///
    /// It differs from one of clean random access by the units' type alone. Decoders leave out the leading pictures that
    /// refer to what was coded before. Source: ITU-T H.265, 7.3.6.1, 7.4.2.2 and 8.3.1.
    private func withBrokenLink(_ bytes: UnsafeRawBufferPointer) -> Outcome {
        var (result, hasChanged, isWhole): ([UInt8], Bool, Bool) = ([], false, true)
        units.forEach(in: bytes) { unit in
            var content = Array(unit)
            if content[0] >> 1 & 0x3f == Self.cleanRandomAccess {
                content = brokenLink(NALUnits.withoutTrailingZeros(unit))
                hasChanged = true
            }
            isWhole = units.append(content, to: &result)
            return isWhole
        }
        guard isWhole else { return .impossible("its units are too long") }
        return hasChanged ? .changed(result) : .unchanged
    }

    private func brokenLink(_ unit: Slice<UnsafeRawBufferPointer>) -> [UInt8] {
        var content = Array(unit)
        content[0] = content[0] & 0x81 | Self.brokenLink << 1
        guard content.count > 2, content[2] & Self.hidesPictures != 0 else { return content }
        var payload = NALUnits.unescaped(UnsafeRawBufferPointer(rebasing: unit.dropFirst(2)))
        payload[0] &= ~Self.hidesPictures
        return content[..<2] + NALUnits.escaped(payload)
    }
}
