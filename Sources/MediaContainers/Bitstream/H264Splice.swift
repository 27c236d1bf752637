internal import MediaCore

/// Has pictures of H.264 follow those of another piece.
///
/// A decoder that comes to a recovery point from other pictures takes its frame numbers and picture order counts for a
/// continuation of theirs: it conceals frames that were never there, and shows what follows in a wrong order, or not at
/// all. So the picture that a piece begins with becomes an IDR picture, and numbers and counts of those up to the next
/// point where both begin anew are told from its own. Nothing else of the pictures changes.
///
/// Source: ISO/IEC 14496-10, 7.3.3, 7.4.1.2.4, 8.2.1.
struct H264Splice {
    private struct Base {
        let frameNumber: Int
        let orderCount: Int
        let field: H264SliceHeader.Field?

        init(_ header: H264SliceHeader) {
            (frameNumber, field) = (header.frameNumber, header.field)
            orderCount = header.orderCountLow + min(0, header.orderCountDelta)
        }
    }

    private let units: NALUnits
    private let identifier: UInt32
    private var parameters: H264ParameterTable
    /// Frame number and order count of the picture that became an IDR picture.
    private var base: Base?
    /// Whether the pictures are told from nothing before them.
    private var isDone = false

    /// - Parameters:
    ///   - extradata: The codec configuration of the stream, `avcC` or start codes.
    ///   - piece: Which piece it is: those of neighbours have to be told apart.
    init(extradata: [UInt8], piece: Int) {
        units = NALUnits(codec: .h264, extradata: extradata)
        parameters = H264ParameterTable(extradata: extradata)
        // Encoders count from 0.
        identifier = 40 + UInt32(piece & 1)
    }

    /// Takes the next packet of the piece, in decoding order.
    mutating func follow(_ bytes: UnsafeRawBufferPointer) -> PieceSplice.Outcome {
        isDone = isDone || holdsIDRSlice(bytes)
        guard !isDone else { return .unchanged }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + 16)
        var objection: String?
        let isBeginning = base == nil
        var reset: H264SliceHeader?
        units.forEach(in: bytes) { unit in
            var content: [UInt8]? = Array(unit)
            switch unit[unit.startIndex] & 0x1f {
            case 7, 8: parameters.read(unit)
            case 1: (content, objection) = numbered(unit, isBeginning: isBeginning, after: &reset)
            case 2...4, 20, 21: objection = "pictures are coded in parts, layers or views"
            default: break
            }
            guard objection == nil, let content else { return false }
            if !units.append(content, to: &result) { objection = "a unit becomes too long" }
            return objection == nil
        }
        if let objection { return .impossible(objection) }
        // A picture without slices, as where several units stand behind one length, is copied with those after it.
        isDone = reset != nil || base == nil
        return result.isEmpty ? .unchanged : .changed(result)
    }

    private func holdsIDRSlice(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var isThere = false
        units.forEach(in: bytes) { unit in
            isThere = unit[unit.startIndex] & 0x1f == 5
            return !isThere
        }
        return isThere
    }

    /// A slice with numbers that are told from the first picture's, or why that cannot be.
    ///
    /// - Parameter reset: A slice of the same packet after which numbers begin anew.
    private mutating func numbered(
        _ unit: Slice<UnsafeRawBufferPointer>, isBeginning: Bool, after reset: inout H264SliceHeader?
    ) -> (content: [UInt8]?, objection: String?) {
        let whole = NALUnits.withoutTrailingZeros(unit)
        guard let header = parameters.header(of: whole) else { return (nil, "a slice header cannot be followed") }
        if let reset, reset.field != header.field { return (Array(whole), nil) }
        if header.resets { reset = header }
        let origin = base ?? Base(header)
        base = origin
        // Of two fields, the first alone becomes one.
        let becomesIDR = isBeginning && header.field == origin.field
        if becomesIDR, let objection = objection(toBeginningWith: header) { return (nil, objection) }
        let content = rewritten(whole, header, from: origin, becomesIDR: becomesIDR)
        return (content, content == nil ? "a slice is damaged" : nil)
    }

    private func objection(toBeginningWith header: H264SliceHeader) -> String? {
        if header.lists > 0 { return "the first picture is predicted from others" }
        guard header.isReference else { return "no picture may refer to the first one" }
        guard !header.hasUnequalOrderCounts else { return "the order of pictures depends on how many came before" }
        return header.longTermIndex ?? 0 > 0 ? "the first picture is kept by a number of its own" : nil
    }

    /// A slice with numbers that are told from others; `nil` if it ends within its header.
    private func rewritten(
        _ unit: Slice<UnsafeRawBufferPointer>, _ header: H264SliceHeader, from base: Base, becomesIDR: Bool
    ) -> [UInt8]? {
        let payload = NALUnits.payload(of: unit, limit: .max)
        let places = header.places
        guard payload.count * 8 > header.length else { return nil }
        var bits = BitWriter()
        bits.append(payload, 0..<places.frameNumber.lowerBound)
        bits.append(header.frameNumber - base.frameNumber, count: places.frameNumber.count)
        bits.append(payload, places.frameNumber.upperBound..<places.identifier)
        if becomesIDR { bits.appendExpGolomb(identifier) }
        bits.append(payload, places.identifier..<places.orderCount.lowerBound(else: places.identifier))
        bits.append(header.orderCountLow - base.orderCount, count: places.orderCount.count)
        let rest = max(places.identifier, places.orderCount.upperBound)
        guard becomesIDR else {
            bits.append(payload, rest..<(payload.count * 8))
            return finished([unit[unit.startIndex]], bits.bytes)
        }
        bits.append(payload, rest..<places.markings.lowerBound)
        // Pictures before it are shown; whether it is a long-term reference.
        bits.append(header.longTermIndex == nil ? 0 : 1, count: 2)
        bits.append(payload, places.markings.upperBound..<header.length)
        if header.usesCABAC {
            while !bits.count.isMultiple(of: 8) { bits.append(1, count: 1) }
            bits.append(payload, ((header.length + 7) / 8 * 8)..<(payload.count * 8))
        } else {
            // The stop bit ends the data wherever it comes to lie.
            guard let last = payload.lastIndex(where: { $0 != 0 }) else { return nil }
            let end = last * 8 + 8 - payload[last].trailingZeroBitCount
            guard end >= header.length else { return nil }
            bits.append(payload, header.length..<end)
        }
        return finished([unit[unit.startIndex] & 0xe0 | 5], bits.bytes)
    }

    private func finished(_ first: [UInt8], _ payload: [UInt8]) -> [UInt8] {
        // No unit ends with a zero.
        first + NALUnits.escaped(payload) + (payload.last == 0 ? [3] : [])
    }
}

/// Puts bits behind each other, most significant first.
private struct BitWriter {
    private(set) var bytes: [UInt8] = []
    private(set) var count = 0

    /// The lowest bits of a value.
    mutating func append(_ value: Int, count: Int) {
        for place in (0..<count).reversed() { append(UInt8(truncatingIfNeeded: value >> place) & 1) }
    }

    /// An unsigned Exp-Golomb code.
    mutating func appendExpGolomb(_ value: UInt32) {
        let code = Int(value) + 1
        let length = Int.bitWidth - code.leadingZeroBitCount
        append(0, count: length - 1)
        append(code, count: length)
    }

    /// Bits of a payload.
    mutating func append(_ payload: [UInt8], _ range: Range<Int>) {
        var position = range.lowerBound
        while position < range.upperBound {
            if position.isMultiple(of: 8), count.isMultiple(of: 8), range.upperBound - position >= 8 {
                let end = range.upperBound / 8
                bytes += payload[(position / 8)..<end]
                count += (end - position / 8) * 8
                position = end * 8
                continue
            }
            append(payload[position / 8] >> (7 - UInt8(position % 8)) & 1)
            position += 1
        }
    }

    private mutating func append(_ bit: UInt8) {
        if count.isMultiple(of: 8) { bytes.append(0) }
        bytes[count / 8] |= bit << (7 - UInt8(count % 8))
        count += 1
    }
}

extension Range<Int> {
    fileprivate func lowerBound(else other: Int) -> Int { isEmpty ? other : lowerBound }
}
