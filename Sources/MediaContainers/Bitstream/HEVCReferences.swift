internal import MediaCore

/// Tells which pictures of an HEVC stream others may refer to by the types of
/// their NAL units (ITU-T H.265, 7.4.2.2): a picture of a sub-layer refers to
/// lower ones and to the reference pictures of its own.
///
/// Which of those it really refers to is not looked into.
struct HEVCReferences: PictureReferences {
    private struct Stored {
        let packet: Int64
        let layer: UInt8
        let isReference: Bool
    }

    private let units: NALUnits
    private var stored: [Stored] = []
    private var hasStarted = false

    init(extradata: [UInt8]) { units = NALUnits(codec: .hevc, extradata: extradata) }

    mutating func add(_ bytes: UnsafeRawBufferPointer, number: Int64) -> ReferringPicture? {
        guard let (type, layer) = Self.firstSlice(of: bytes, units) else {
            hasStarted = false
            return nil
        }
        let isEntry = (16...21).contains(type)
        if isEntry {
            // Pictures in front of it in presentation order may still refer to what lies before it.
            stored.removeAll()
            hasStarted = true
        }
        guard hasStarted else { return nil }
        // Even types below 16 are sub-layer non-reference pictures.
        let isReference = type >= 16 || type % 2 == 1
        let referred = isEntry ? [] : stored.filter { $0.layer < layer || $0.layer == layer && $0.isReference }
        stored.append(Stored(packet: number, layer: layer, isReference: isReference))
        return ReferringPicture(isReference: isReference, refersTo: Set(referred.map(\.packet)))
    }

    /// The decoder marks its pictures anew with each slice header.
    func hollow(_ bytes: UnsafeRawBufferPointer, _ picture: ReferringPicture) -> [UInt8]? { nil }

    private static func firstSlice(
        of bytes: UnsafeRawBufferPointer, _ units: NALUnits
    ) -> (type: UInt8, layer: UInt8)? {
        var result: (UInt8, UInt8)?
        units.forEach(in: bytes) { unit in
            let type = unit[unit.startIndex] >> 1 & 0x3f
            guard type < 32, unit.count > 1 else { return true }
            let temporal = unit[unit.startIndex + 1] & 7
            if temporal > 0 { result = (type, temporal - 1) }
            return false
        }
        return result
    }
}
