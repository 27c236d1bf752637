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

/// The content of `hvcC`.
///
/// Source: ISO/IEC 14496-15, 8.3.3.1.
package enum HEVCConfiguration {
    private static let prefixMessage: UInt8 = 39

    /// What follows the headers of the units with messages that a configuration lists.
    package static func messageUnits(in configuration: [UInt8]) -> [ArraySlice<UInt8>] {
        var units: [ArraySlice<UInt8>] = []
        var reader = configuration.dropFirst(22)
        guard configuration.first == 1, let arrays = reader.popFirst() else { return [] }
        for _ in 0..<arrays {
            guard let kind = reader.popFirst(), let count = number(&reader) else { return units }
            for _ in 0..<count {
                guard let length = number(&reader), length <= reader.count else { return units }
                // Two bytes are the unit's header.
                if kind & 0x3f == prefixMessage { units.append(reader.prefix(length).dropFirst(2)) }
                reader = reader.dropFirst(length)
            }
        }
        return units
    }

    private static func number(_ bytes: inout ArraySlice<UInt8>) -> Int? {
        guard let high = bytes.popFirst(), let low = bytes.popFirst() else { return nil }
        return Int(high) << 8 | Int(low)
    }
}

/// Whether an HEVC track has alpha in a layer of its own, which FFmpeg leaves undecoded.
///
/// Source: ISO/IEC 23008-2, F.14.2.8 (alpha channel information); ISO/IEC 14496-15 (`hvcC`).
package enum HEVCAlpha {
    private static let alphaChannelInformation = 165

    /// - Parameter configuration: The content of `hvcC`.
    package static func isAnnounced(in configuration: [UInt8]) -> Bool {
        HEVCConfiguration.messageUnits(in: configuration).contains { isAlpha($0) }
    }

    /// Whether one of a unit's messages switches alpha on.
    private static func isAlpha(_ unit: ArraySlice<UInt8>) -> Bool {
        for message in SEIMessages(unit) where message.type == alphaChannelInformation {
            // Its first bit cancels what was said before.
            let payload = unit[message.payload]
            return (payload.first ?? 0x80) & 0x80 == 0
        }
        return false
    }
}
