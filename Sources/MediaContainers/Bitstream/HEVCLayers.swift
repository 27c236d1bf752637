internal import MediaCore

/// Layers of HEVC: the second view of stereo pictures, or their alpha, each with pictures of its own.
///
/// Source: ITU-T H.265, 7.3.1.2 (NAL unit header), 7.3.2.1 (video parameter set).
package enum HEVCLayers {
    private static let videoParameterSet: UInt8 = 32

    /// Whether parameter sets behind start codes announce more layers than the first.
    package static func areAnnounced(in extradata: [UInt8]) -> Bool {
        guard extradata.first == 0 else { return false }
        var isLayered = false
        extradata.withUnsafeBytes { bytes in
            NALUnits(codec: .hevc, extradata: []).forEach(in: bytes) { unit in
                guard unit[unit.startIndex] >> 1 & 0x3f == videoParameterSet else { return true }
                // Behind the header's second byte, a number of four bits and two flags.
                let payload = NALUnits.payload(of: unit, limit: 3)
                guard payload.count == 3 else { return true }
                isLayered = (payload[1] & 3) << 4 | payload[2] >> 4 > 0
                return !isLayered
            }
        }
        return isLayered
    }

    /// Whether a sample begins with a unit of an upper layer, as no access unit does.
    package static func continuesPicture(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var isUpper = false
        NALUnits(codec: .hevc, extradata: []).forEach(in: bytes) { unit in
            guard unit.count >= 2 else { return false }
            isUpper = (unit[unit.startIndex] & 1) << 5 | unit[unit.startIndex + 1] >> 3 > 0
            return false
        }
        return isUpper
    }
}
