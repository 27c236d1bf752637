/// Tells from a packet's own bytes whether decoding can start there.
///
/// A container's key-frame flag is a claim: files without a sync-sample table
/// flag every sample, and H.264 files flag recovery points, which start a
/// decoder but do not promise a clean picture.
package struct EntryClassifier: Sendable {
    package enum Entry: Sendable, Equatable {
        /// Every picture shown from this one on decodes as in a linear pass.
        case clean
        /// An intra picture that does not reset the decoder: pictures shown from
        /// it on should be clean, which has to be proved.
        case recovery
        /// Pictures become whole in the course of the next ones (intra refresh).
        case gradual
        /// Decoding cannot start here.
        case none
    }

    private let codec: String
    private let units: NALUnits
    private let isIntraOnly: Bool

    /// Makes a classifier for one stream's packets.
    ///
    /// - Parameter isIntraOnly: Whether each picture is coded on its own.
    package init(codec: String, extradata: [UInt8], isIntraOnly: Bool = false) {
        self.codec = codec
        self.isIntraOnly = isIntraOnly
        units = NALUnits(codec: codec, extradata: extradata)
    }

    /// Whether the pictures of a codec are looked into, rather than the container believed.
    package static func readsPictures(of codec: String) -> Bool {
        ["h264", "hevc", "mpeg4", "mpeg1video", "mpeg2video", "vp8", "vp9", "av1"].contains(codec)
    }

    /// What a packet that the container flags as a key frame really is.
    package func classify(_ packet: Packet) -> Entry {
        guard packet.isKey else { return .none }
        return packet.withBytes { bytes in
            switch codec {
            case "h264": h264(bytes)
            case "hevc": hevc(bytes)
            case "mpeg4": mpeg4(bytes)
            case "mpeg1video", "mpeg2video": mpegVideo(bytes)
            case "vp8": bytes.first.map { $0 & 1 == 0 } ?? false ? .clean : .none
            case "vp9": vp9(bytes)
            case "av1": av1(bytes)
            // The container's word, which has to be proved.
            default: isIntraOnly ? .clean : .recovery
            }
        }
    }

    // MARK: H.264 and HEVC

    private func h264(_ bytes: UnsafeRawBufferPointer) -> Entry {
        var result = Entry.none
        units.forEach(in: bytes) { unit in
            switch unit[unit.startIndex] & 0x1f {
            case 5:
                result = .clean
                return false
            case 6 where Self.hasRecoveryPoint(unit):
                result = .gradual
                return true
            case 1:
                if Self.isIntraSlice(unit) { result = .recovery }
                return false
            default: return true
            }
        }
        return result
    }

    private func hevc(_ bytes: UnsafeRawBufferPointer) -> Entry {
        var result = Entry.none
        units.forEach(in: bytes) { unit in
            let type = (unit[unit.startIndex] >> 1) & 0x3f
            if (16...21).contains(type) { result = .clean }
            return type > 31
        }
        return result
    }

    /// Whether an SEI unit holds a recovery-point message (payload type 6).
    private static func hasRecoveryPoint(_ unit: Slice<UnsafeRawBufferPointer>) -> Bool {
        var index = unit.startIndex + 1
        while index + 1 < unit.endIndex {
            var type = 0
            while index < unit.endIndex, unit[index] == 0xff {
                type += 255
                index += 1
            }
            guard index < unit.endIndex else { return false }
            type += Int(unit[index])
            index += 1
            var size = 0
            while index < unit.endIndex, unit[index] == 0xff {
                size += 255
                index += 1
            }
            guard index < unit.endIndex else { return false }
            size += Int(unit[index])
            index += 1
            if type == 6 { return true }
            index += size
        }
        return false
    }

    /// Whether a slice header says I or SI (ISO/IEC 14496-10, 7.3.3).
    private static func isIntraSlice(_ unit: Slice<UnsafeRawBufferPointer>) -> Bool {
        var bits = BitReader(bytes: UnsafeRawBufferPointer(rebasing: unit.dropFirst().prefix(16)))
        guard bits.readExpGolomb() != nil, let type = bits.readExpGolomb() else { return false }
        return type % 5 == 2 || type % 5 == 4
    }

    // MARK: Others

    private func mpeg4(_ bytes: UnsafeRawBufferPointer) -> Entry {
        // Packed streams hold places with pictures of a few bytes that are not coded at all.
        guard bytes.count > 20 else { return .none }
        var position = 0
        while let start = NALUnits.startCode(in: bytes, from: position) {
            guard start + 1 < bytes.count else { return .none }
            if bytes[start] == 0xb6 { return bytes[start + 1] >> 6 == 0 ? .clean : .none }
            position = start
        }
        return .none
    }

    private func mpegVideo(_ bytes: UnsafeRawBufferPointer) -> Entry {
        var position = 0
        while let start = NALUnits.startCode(in: bytes, from: position) {
            guard start + 2 < bytes.count else { return .none }
            if bytes[start] == 0 { return (bytes[start + 2] >> 3) & 7 == 1 ? .clean : .none }
            position = start
        }
        return .none
    }

    /// Whether the first frame header says key frame (AV1 specification, 5.9).
    private func av1(_ bytes: UnsafeRawBufferPointer) -> Entry {
        var result = Entry.none
        AV1Units.forEach(in: bytes) { type, _, payload in
            guard type == 3 || type == 6 else { return true }
            if let first = payload.first, first & 0xe0 == 0 { result = .clean }
            return false
        }
        return result
    }

    private func vp9(_ bytes: UnsafeRawBufferPointer) -> Entry {
        var bits = BitReader(bytes: bytes)
        guard bits.read(2) == 2, let low = bits.read(1), let high = bits.read(1) else { return .none }
        if low == 1, high == 1 { _ = bits.read(1) }
        return bits.read(1) == 0 && bits.read(1) == 0 ? .clean : .none
    }
}
