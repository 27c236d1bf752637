/// Follows which pictures of an AV1 stream refer to which, from frame headers
/// (AV1 Bitstream & Decoding Process Specification, 5.9.2).
///
/// A packet is a temporal unit, which may hold several frames. The eight slots
/// for reference frames are followed by the packet that last filled them.
struct AV1References: PictureReferences {
    private struct Sequence {
        var hasDecoderModel = false
        var hasEqualPictureInterval = false
        var presentationTimeBits = 0
        var frameIDBits = 0
        var deltaFrameIDBits = 0
        var orderHintBits = 0
        /// 2: chosen for each frame.
        var screenContent: UInt32 = 0
        var integerMotion: UInt32 = 0
    }

    private struct Frame {
        var isKey = false
        var isIntra = false
        var shownSlot: Int?
        var refreshed: UInt32 = 0
        var slots: [Int] = []
    }

    private var sequence: Sequence?
    /// The packet that each slot's frame was made from.
    private var slots: [Int64?] = Array(repeating: nil, count: 8)
    private var hasStarted = false

    init(extradata: [UInt8]) {
        // The configuration box has four bytes in front of its units (AV1-ISOBMFF, 2.3).
        guard extradata.count > 4, extradata[0] == 0x81 else { return }
        extradata.withUnsafeBytes { bytes in
            AV1Units.forEach(in: UnsafeRawBufferPointer(rebasing: bytes[4...])) { type, _, payload in
                if type == 1 { sequence = Self.sequence(payload) }
                return true
            }
        }
    }

    mutating func add(_ bytes: UnsafeRawBufferPointer, number: Int64) -> ReferringPicture? {
        guard let picture = read(bytes, number) else {
            hasStarted = false
            return nil
        }
        return picture
    }

    func hollow(_ bytes: UnsafeRawBufferPointer, _ picture: ReferringPicture) -> [UInt8]? { nil }

    private mutating func read(_ bytes: UnsafeRawBufferPointer, _ number: Int64) -> ReferringPicture? {
        var referred: Set<Int64> = []
        var isReference = false
        var isReadable = true
        AV1Units.forEach(in: bytes) { type, layers, payload in
            switch type {
            case 1: sequence = Self.sequence(payload)
            case 3, 6:
                // Streams of several layers show one frame of each packet only.
                guard layers == 0, let sequence, let frame = Self.frame(payload, sequence) else {
                    isReadable = false
                    return false
                }
                isReadable = apply(frame, number, &referred, &isReference)
                return isReadable
            default: break
            }
            return true
        }
        guard isReadable, hasStarted else { return nil }
        referred.remove(number)
        return ReferringPicture(isReference: isReference, refersTo: referred)
    }

    /// - Returns: Whether all that the frame refers to is known.
    private mutating func apply(
        _ frame: Frame, _ number: Int64, _ referred: inout Set<Int64>, _ isReference: inout Bool
    ) -> Bool {
        if frame.isKey {
            hasStarted = true
            slots = Array(repeating: nil, count: 8)
        }
        if let slot = frame.shownSlot {
            guard let packet = slots[slot] else { return false }
            referred.insert(packet)
            return true
        }
        for slot in frame.slots {
            guard let packet = slots[slot] else { return false }
            referred.insert(packet)
        }
        for slot in 0..<8 where frame.refreshed >> UInt32(slot) & 1 == 1 {
            slots[slot] = number
            isReference = true
        }
        return true
    }

    // MARK: Sequence header (5.5)

    private static func sequence(_ payload: UnsafeRawBufferPointer) -> Sequence? {
        var bits = BitReader(bytes: payload)
        var result = Sequence()
        guard bits.read(3) != nil, bits.read(1) != nil, let isReduced = bits.readFlag() else { return nil }
        // Reduced headers are those of still pictures, which refer to nothing.
        guard !isReduced, readOperatingPoints(&bits, &result), let widthBits = bits.read(4),
            let heightBits = bits.read(4), bits.read(Int(widthBits) + 1) != nil, bits.read(Int(heightBits) + 1) != nil,
            let hasFrameIDs = bits.readFlag()
        else { return nil }
        if hasFrameIDs {
            guard let delta = bits.read(4), let additional = bits.read(3) else { return nil }
            result.deltaFrameIDBits = Int(delta) + 2
            result.frameIDBits = Int(additional) + result.deltaFrameIDBits + 1
        }
        guard bits.read(3 + 4) != nil, let hasOrderHint = bits.readFlag() else { return nil }
        if hasOrderHint, bits.read(2) == nil { return nil }
        guard let choosesScreen = bits.readFlag() else { return nil }
        result.screenContent = 2
        if !choosesScreen {
            guard let value = bits.read(1) else { return nil }
            result.screenContent = value
        }
        result.integerMotion = 2
        if result.screenContent > 0 {
            guard let choosesInteger = bits.readFlag() else { return nil }
            if !choosesInteger {
                guard let value = bits.read(1) else { return nil }
                result.integerMotion = value
            }
        }
        if hasOrderHint {
            guard let count = bits.read(3) else { return nil }
            result.orderHintBits = Int(count) + 1
        }
        return result
    }

    private static func readOperatingPoints(_ bits: inout BitReader, _ result: inout Sequence) -> Bool {
        guard let hasTiming = bits.readFlag() else { return false }
        var delayBits = 0
        if hasTiming {
            guard bits.read(32) != nil, bits.read(32) != nil, let isEqual = bits.readFlag() else { return false }
            result.hasEqualPictureInterval = isEqual
            if isEqual, bits.readExpGolomb() == nil { return false }
            guard let hasModel = bits.readFlag() else { return false }
            result.hasDecoderModel = hasModel
            if hasModel {
                guard let delay = bits.read(5), bits.read(32) != nil, bits.read(5) != nil,
                    let presentation = bits.read(5)
                else { return false }
                delayBits = Int(delay) + 1
                result.presentationTimeBits = Int(presentation) + 1
            }
        }
        guard let hasInitialDelay = bits.readFlag(), let count = bits.read(5) else { return false }
        for _ in 0...count {
            guard bits.read(12) != nil, let level = bits.read(5) else { return false }
            if level > 7, bits.read(1) == nil { return false }
            if result.hasDecoderModel {
                guard let flag = bits.readFlag() else { return false }
                if flag, bits.read(delayBits) == nil || bits.read(delayBits) == nil || bits.read(1) == nil {
                    return false
                }
            }
            if hasInitialDelay {
                guard let flag = bits.readFlag(), !flag || bits.read(4) != nil else { return false }
            }
        }
        return true
    }

    // MARK: Frame header (5.9.2)

    /// - Returns: `nil` if it is damaged or names its references in a way that is not followed here.
    private static func frame(_ payload: UnsafeRawBufferPointer, _ sequence: Sequence) -> Frame? {
        var bits = BitReader(bytes: payload)
        var frame = Frame()
        guard let isRepeated = bits.readFlag() else { return nil }
        if isRepeated {
            guard let slot = bits.read(3) else { return nil }
            frame.shownSlot = Int(slot)
            return frame
        }
        guard let type = bits.read(2), let isShown = bits.readFlag() else { return nil }
        frame.isKey = type == 0
        frame.isIntra = type == 0 || type == 2
        let hasTime = isShown && sequence.hasDecoderModel && !sequence.hasEqualPictureInterval
        if hasTime, bits.read(sequence.presentationTimeBits) == nil { return nil }
        if !isShown, bits.read(1) == nil { return nil }
        var isResilient = true
        if type != 3, !(type == 0 && isShown) {
            guard let flag = bits.readFlag() else { return nil }
            isResilient = flag
        }
        guard bits.read(1) != nil else { return nil }
        var usesScreen = sequence.screenContent == 1
        if sequence.screenContent == 2 {
            guard let flag = bits.readFlag() else { return nil }
            usesScreen = flag
        }
        if usesScreen, sequence.integerMotion == 2, bits.read(1) == nil { return nil }
        if sequence.frameIDBits > 0, bits.read(sequence.frameIDBits) == nil { return nil }
        if type != 3, bits.read(1) == nil { return nil }
        guard sequence.orderHintBits == 0 || bits.read(sequence.orderHintBits) != nil else { return nil }
        if !frame.isIntra, !isResilient, bits.read(3) == nil { return nil }
        // Which operating points carry removal times depends on the layers chosen.
        if sequence.hasDecoderModel {
            guard let hasRemoval = bits.readFlag(), !hasRemoval else { return nil }
        }
        return readReferences(&bits, type, isShown: isShown, isResilient: isResilient, sequence, frame)
    }

    private static func readReferences(
        _ bits: inout BitReader, _ type: UInt32, isShown: Bool, isResilient: Bool, _ sequence: Sequence, _ start: Frame
    ) -> Frame? {
        var frame = start
        frame.refreshed = 0xff
        if type != 3, !(type == 0 && isShown) {
            guard let flags = bits.read(8) else { return nil }
            frame.refreshed = flags
        }
        // A hidden keyframe shown later resets the slots when it is shown; that is not followed.
        if type == 0 { return isShown ? frame : nil }
        if !frame.isIntra || frame.refreshed != 0xff, isResilient, sequence.orderHintBits > 0 {
            for _ in 0..<8 where bits.read(sequence.orderHintBits) == nil { return nil }
        }
        if frame.isIntra { return frame }
        if sequence.orderHintBits > 0 {
            guard let isShort = bits.readFlag(), !isShort else { return nil }
        }
        for _ in 0..<7 {
            guard let slot = bits.read(3) else { return nil }
            frame.slots.append(Int(slot))
            if sequence.frameIDBits > 0, bits.read(sequence.deltaFrameIDBits) == nil { return nil }
        }
        return frame
    }
}

/// Divides packets of AV1 into open bitstream units (AV1 specification, 5.3);
/// nothing is read outside the packet whatever the sizes say.
enum AV1Units {
    /// Calls `body` with each unit's type, its layers and its payload until it returns false.
    static func forEach(
        in bytes: UnsafeRawBufferPointer, _ body: (_ type: UInt8, _ layers: UInt8, UnsafeRawBufferPointer) -> Bool
    ) {
        var position = 0
        while position < bytes.count {
            let header = bytes[position]
            position += 1
            var layers: UInt8 = 0
            if header & 4 != 0, position < bytes.count {
                layers = bytes[position] >> 3
                position += 1
            }
            var size = bytes.count - position
            if header & 2 != 0 {
                size = 0
                for shift in stride(from: 0, to: 56, by: 7) {
                    guard position < bytes.count else { return }
                    let byte = bytes[position]
                    position += 1
                    size |= Int(byte & 0x7f) << shift
                    if byte & 0x80 == 0 { break }
                }
            }
            guard position <= bytes.count, size >= 0, size <= bytes.count - position else { return }
            let payload = UnsafeRawBufferPointer(rebasing: bytes[position..<(position + size)])
            if !body(header >> 3 & 15, layers, payload) { return }
            position += size
        }
    }
}
