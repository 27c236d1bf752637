package import MediaCore

/// Tells which coded pictures no other picture is predicted from.
///
/// Where that cannot be told, a picture counts as one that others need.
package struct DisposablePictures: Sendable {
    private let codec: Codec
    private let units: NALUnits
    private let isIntraOnly: Bool
    /// The highest temporal layer of HEVC, whose pictures alone have none above them that may refer to them.
    private let highestLayer: Int?

    package init(codec: Codec, extradata: [UInt8], isIntraOnly: Bool) {
        (self.codec, self.isIntraOnly) = (codec, isIntraOnly)
        units = NALUnits(codec: codec, extradata: extradata)
        // numTemporalLayers of the configuration record (ISO/IEC 14496-15, 8.3.3.1); zero for not known.
        let layers = codec == .hevc && units.lengthSize != nil ? Int(extradata[21] >> 3 & 7) : 0
        highestLayer = layers > 0 ? layers - 1 : nil
    }

    package func contains(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if isIntraOnly { return true }
        switch codec {
        case .h264: return isDisposable(h264: bytes)
        case .hevc: return isDisposable(hevc: bytes)
        case .mpeg1Video, .mpeg2Video: return CodedPicture.mpegVideo(bytes)?.isBidirectional ?? false
        default: return false
        }
    }

    /// A reference count of zero says so in each slice (ISO/IEC 14496-10, 7.4.1).
    private func isDisposable(h264 bytes: UnsafeRawBufferPointer) -> Bool {
        var result = false
        units.forEach(in: bytes) { unit in
            let header = unit[unit.startIndex]
            guard (1...5).contains(header & 0x1f) else { return true }
            result = header & 0x60 == 0
            return result
        }
        return result
    }

    /// Even types below 16 are not referred to from their own layer (ITU-T H.265, 7.4.2.2).
    private func isDisposable(hevc bytes: UnsafeRawBufferPointer) -> Bool {
        guard let highestLayer else { return false }
        var result = false
        units.forEach(in: bytes) { unit in
            let type = unit[unit.startIndex] >> 1 & 0x3f
            guard type < 32, unit.count > 1 else { return true }
            let layer = Int(unit[unit.startIndex + 1] & 7) - 1
            result = type < 16 && type % 2 == 0 && layer >= highestLayer
            return false
        }
        return result
    }
}
