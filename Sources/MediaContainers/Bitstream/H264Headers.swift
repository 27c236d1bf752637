internal import MediaCore

/// What of an H.264 sequence parameter set tells how pictures refer to each
/// other (ISO/IEC 14496-10, 7.3.2.1).
struct H264SequenceParameters: Sendable {
    var id: UInt32
    var hasSeparateColorPlanes = false
    var chromaFormat: UInt32 = 1
    var frameNumberBits: Int
    var orderCountType: UInt32
    var orderCountBits = 0
    /// Whether slice headers say nothing of order counts of type 1.
    var hasOrderCountsByNumber = false
    /// Whether order counts of type 1 depend on where in a cycle a picture stands.
    var hasCycleOfOrderCounts = false
    var maximumReferences: Int
    /// Whether numbers of frames may be missing, as where a temporal layer was left out.
    var allowsGaps: Bool
    /// Whether no frame is coded as two fields.
    var hasFramesOnly: Bool

    /// - Returns: `nil` if it is damaged.
    init?(payload: [UInt8]) {
        guard let parsed = BitReader.reading(payload, { Self(&$0) }) else { return nil }
        self = parsed
    }

    private init?(_ bits: inout BitReader) {
        guard let profile = bits.read(8), bits.read(16) != nil, let id = bits.readExpGolomb() else { return nil }
        self.id = id
        if [100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135].contains(profile) {
            guard let format = bits.readExpGolomb(), format <= 3 else { return nil }
            chromaFormat = format
            if format == 3 { hasSeparateColorPlanes = bits.readFlag() ?? false }
            guard bits.readExpGolomb() != nil, bits.readExpGolomb() != nil, bits.read(1) != nil,
                let hasMatrix = bits.readFlag()
            else { return nil }
            if hasMatrix, !Self.skipScalingLists(format == 3 ? 12 : 8, &bits) { return nil }
        }
        guard let frameBits = bits.readExpGolomb(), frameBits <= 12, let type = bits.readExpGolomb() else { return nil }
        frameNumberBits = Int(frameBits) + 4
        orderCountType = type
        if type == 0 {
            guard let count = bits.readExpGolomb(), count <= 12 else { return nil }
            orderCountBits = Int(count) + 4
        } else if type == 1 {
            guard let isByNumber = bits.readFlag(), bits.readSignedExpGolomb() != nil,
                bits.readSignedExpGolomb() != nil, let count = bits.readExpGolomb(), count < 256,
                (0..<count).allSatisfy({ _ in bits.readSignedExpGolomb() != nil })
            else { return nil }
            (hasOrderCountsByNumber, hasCycleOfOrderCounts) = (isByNumber, count > 1)
        } else if type != 2 {
            return nil
        }
        guard let references = bits.readExpGolomb(), references <= 16, let allowsGaps = bits.readFlag(),
            bits.readExpGolomb() != nil, bits.readExpGolomb() != nil, let hasFramesOnly = bits.readFlag()
        else { return nil }
        (maximumReferences, self.allowsGaps, self.hasFramesOnly) = (Int(references), allowsGaps, hasFramesOnly)
    }

    static func skipScalingLists(_ count: Int, _ bits: inout BitReader) -> Bool {
        for list in 0..<count {
            guard let isPresent = bits.readFlag() else { return false }
            guard isPresent else { continue }
            var (last, next) = (8, 8)
            for _ in 0..<(list < 6 ? 16 : 64) {
                if next != 0 {
                    guard let delta = bits.readSignedExpGolomb() else { return false }
                    next = (last + delta + 256) & 255
                }
                if next != 0 { last = next }
            }
        }
        return true
    }
}

/// What of a picture parameter set slice headers depend on (7.3.2.2).
struct H264PictureParameters: Sendable {
    var id: UInt32
    var sequenceID: UInt32
    var hasBottomOrderCount: Bool
    var activeReferences: (list0: Int, list1: Int)
    var isWeightedP: Bool
    var weightedB: UInt32
    var hasRedundantCount: Bool
    var usesCABAC: Bool
    var hasDeblockingControl: Bool

    /// - Returns: `nil` if it is damaged or has slice groups.
    init?(payload: [UInt8]) {
        guard let parsed = BitReader.reading(payload, { Self(&$0) }) else { return nil }
        self = parsed
    }

    private init?(_ bits: inout BitReader) {
        guard let id = bits.readExpGolomb(), let sequence = bits.readExpGolomb(), let cabac = bits.readFlag(),
            let bottom = bits.readFlag(), bits.readExpGolomb() == 0,
            let list0 = bits.readExpGolomb(), list0 < 32, let list1 = bits.readExpGolomb(), list1 < 32,
            let weightedP = bits.readFlag(), let weightedB = bits.read(2),
            bits.readSignedExpGolomb() != nil, bits.readSignedExpGolomb() != nil, bits.readSignedExpGolomb() != nil,
            let deblocking = bits.readFlag(), bits.read(1) != nil, let redundant = bits.readFlag()
        else { return nil }
        (self.id, sequenceID, hasBottomOrderCount) = (id, sequence, bottom)
        activeReferences = (Int(list0) + 1, Int(list1) + 1)
        (isWeightedP, self.weightedB, hasRedundantCount) = (weightedP, weightedB, redundant)
        (usesCABAC, hasDeblockingControl) = (cabac, deblocking)
    }
}

/// A slice header (7.3.3).
struct H264SliceHeader: Sendable {
    enum Kind: UInt32, Sendable {
        case p = 0
        case b, i, sp, si
    }

    /// A step of building a list: `difference` for short-term pictures, or a long-term number.
    enum Modification: Sendable {
        case difference(Int)
        case longTerm(UInt32)
    }

    enum Field: Sendable { case top, bottom }

    /// A memory management control operation (7.4.3.3).
    enum Marking: Sendable {
        case unmarkShort(difference: Int)
        case unmarkLong(UInt32)
        case makeLong(difference: Int, index: UInt32)
        case limitLong(UInt32)
        /// Nothing before it is referred to, and numbers and order counts begin anew.
        case reset
        case makeCurrentLong(UInt32)
    }

    let kind: Kind
    let isIDR: Bool
    let isReference: Bool
    let firstMacroblock: UInt32
    let frameNumber: Int
    /// `nil` for a whole frame.
    var field: Field?
    var orderCountLow = 0
    var orderCountDelta = 0
    /// Whether order counts depend on how many pictures came before.
    var hasUnequalOrderCounts = false
    var active = (list0: 0, list1: 0)
    var modifications: [[Modification]] = [[], []]
    var isLongTerm = false
    /// `nil` for the sliding window.
    var markings: [Marking]?
    let usesCABAC: Bool
    /// Where things stand, in bits after the unit's first byte.
    struct Places: Sendable {
        var frameNumber = 0..<0
        /// What IDR pictures have here.
        var identifier = 0
        /// Empty where there is none.
        var orderCount = 0..<0
        var markings = 0..<0
    }

    private(set) var places = Places()
    /// Bits of the header after the unit's first byte.
    private(set) var length = 0

    /// - Returns: `nil` if it is damaged or uses what is not followed here.
    init?(
        unitHeader: UInt8, payload: [UInt8], sequences: [UInt32: H264SequenceParameters],
        pictures: [UInt32: H264PictureParameters]
    ) {
        guard let parsed = BitReader.reading(payload, { Self(unitHeader, &$0, sequences, pictures) }) else {
            return nil
        }
        self = parsed
    }

    private init?(
        _ unitHeader: UInt8, _ bits: inout BitReader, _ sequences: [UInt32: H264SequenceParameters],
        _ pictures: [UInt32: H264PictureParameters]
    ) {
        guard let first = bits.readExpGolomb(), let type = bits.readExpGolomb(), let kind = Kind(rawValue: type % 5),
            let id = bits.readExpGolomb(), let picture = pictures[id], let sequence = sequences[picture.sequenceID]
        else { return nil }
        (firstMacroblock, self.kind) = (first, kind)
        isIDR = unitHeader & 0x1f == 5
        isReference = unitHeader & 0x60 != 0
        usesCABAC = picture.usesCABAC
        if sequence.hasSeparateColorPlanes, bits.read(2) == nil { return nil }
        guard let number = bits.read(sequence.frameNumberBits) else { return nil }
        frameNumber = Int(number)
        places.frameNumber = (bits.position - sequence.frameNumberBits)..<bits.position
        if !sequence.hasFramesOnly {
            guard let isField = bits.readFlag() else { return nil }
            if isField {
                guard let isBottom = bits.readFlag() else { return nil }
                field = isBottom ? .bottom : .top
            }
        }
        places.identifier = bits.position
        if isIDR, bits.readExpGolomb() == nil { return nil }
        guard readOrderCount(&bits, sequence, picture), readActive(&bits, picture) else { return nil }
        for list in 0..<lists where !readModifications(&bits, list) { return nil }
        let isWeighted = kind == .b ? picture.weightedB == 1 : lists > 0 && picture.isWeightedP
        if isWeighted, !skipWeights(&bits, hasChroma: sequence.chromaFormat != 0 && !sequence.hasSeparateColorPlanes) {
            return nil
        }
        let start = bits.position
        if isReference, !readMarkings(&bits) { return nil }
        places.markings = start..<bits.position
        guard skipTail(&bits, picture) else { return nil }
        length = bits.position
    }

    /// The reference lists of this kind of slice.
    var lists: Int { kind == .b ? 2 : kind == .p || kind == .sp ? 1 : 0 }

    /// Whether numbers and order counts of the pictures after this one begin anew.
    var resets: Bool {
        isIDR
            || markings?.contains {
                if case .reset = $0 { true } else { false }
            } == true
    }

    /// The number that the picture gets as a long-term reference; `nil` if it becomes none.
    var longTermIndex: UInt32? {
        markings?.lazy.compactMap { if case .makeCurrentLong(let index) = $0 { index } else { nil } }.first
    }

    private mutating func readOrderCount(
        _ bits: inout BitReader, _ sequence: H264SequenceParameters, _ picture: H264PictureParameters
    ) -> Bool {
        hasUnequalOrderCounts = sequence.hasCycleOfOrderCounts
        if sequence.orderCountType == 0 {
            guard let low = bits.read(sequence.orderCountBits) else { return false }
            orderCountLow = Int(low)
            places.orderCount = (bits.position - sequence.orderCountBits)..<bits.position
        }
        if sequence.orderCountType == 1, !sequence.hasOrderCountsByNumber, bits.readSignedExpGolomb() == nil {
            return false
        }
        if sequence.orderCountType < 2, !sequence.hasOrderCountsByNumber, picture.hasBottomOrderCount, field == nil {
            guard let delta = bits.readSignedExpGolomb() else { return false }
            orderCountDelta = delta
        }
        // A redundant picture repeats another one.
        return !picture.hasRedundantCount || bits.readExpGolomb() == 0
    }

    private mutating func readActive(_ bits: inout BitReader, _ picture: H264PictureParameters) -> Bool {
        guard lists > 0 else { return true }
        if kind == .b, bits.read(1) == nil { return false }
        active = (picture.activeReferences.list0, lists == 2 ? picture.activeReferences.list1 : 0)
        guard let isOverridden = bits.readFlag() else { return false }
        guard isOverridden else { return true }
        guard let list0 = bits.readExpGolomb(), list0 < 32 else { return false }
        active.list0 = Int(list0) + 1
        guard lists == 2 else { return true }
        guard let list1 = bits.readExpGolomb(), list1 < 32 else { return false }
        active.list1 = Int(list1) + 1
        return true
    }

    private mutating func readModifications(_ bits: inout BitReader, _ list: Int) -> Bool {
        guard let isModified = bits.readFlag() else { return false }
        guard isModified else { return true }
        for _ in 0..<67 {
            guard let operation = bits.readExpGolomb() else { return false }
            if operation == 3 { return true }
            guard let value = bits.readExpGolomb() else { return false }
            switch operation {
            case 0: modifications[list].append(.difference(-Int(value) - 1))
            case 1: modifications[list].append(.difference(Int(value) + 1))
            case 2: modifications[list].append(.longTerm(value))
            default: return false
            }
        }
        return false
    }

    private func skipWeights(_ bits: inout BitReader, hasChroma: Bool) -> Bool {
        guard bits.readExpGolomb() != nil, !hasChroma || bits.readExpGolomb() != nil else { return false }
        for _ in 0..<(active.list0 + active.list1) {
            for count in hasChroma ? [2, 4] : [2] {
                guard let isPresent = bits.readFlag() else { return false }
                for _ in 0..<(isPresent ? count : 0) where bits.readSignedExpGolomb() == nil { return false }
            }
        }
        return true
    }

    private func skipTail(_ bits: inout BitReader, _ picture: H264PictureParameters) -> Bool {
        guard kind != .sp, kind != .si else { return false }
        if picture.usesCABAC, lists > 0, bits.readExpGolomb() == nil { return false }
        guard bits.readSignedExpGolomb() != nil else { return false }
        guard picture.hasDeblockingControl else { return true }
        guard let deblocking = bits.readExpGolomb() else { return false }
        return deblocking == 1 || bits.readSignedExpGolomb() != nil && bits.readSignedExpGolomb() != nil
    }

    private mutating func readMarkings(_ bits: inout BitReader) -> Bool {
        if isIDR {
            guard bits.read(1) != nil, let isLong = bits.readFlag() else { return false }
            isLongTerm = isLong
            return true
        }
        guard let isAdaptive = bits.readFlag() else { return false }
        guard isAdaptive else { return true }
        var result: [Marking] = []
        for _ in 0..<67 {
            guard let operation = bits.readExpGolomb() else { return false }
            if operation == 0 {
                markings = result
                return true
            }
            if operation == 5 {
                result.append(.reset)
                continue
            }
            guard let value = bits.readExpGolomb() else { return false }
            switch operation {
            case 1: result.append(.unmarkShort(difference: Int(value) + 1))
            case 2: result.append(.unmarkLong(value))
            case 3:
                guard let index = bits.readExpGolomb() else { return false }
                result.append(.makeLong(difference: Int(value) + 1, index: index))
            case 4: result.append(.limitLong(value))
            case 6: result.append(.makeCurrentLong(value))
            default: return false
            }
        }
        return false
    }
}

/// The parameter sets that slice headers are read by.
struct H264ParameterTable: Sendable {
    private(set) var sequences: [UInt32: H264SequenceParameters] = [:]
    private(set) var pictures: [UInt32: H264PictureParameters] = [:]

    /// - Parameter extradata: The codec configuration, `avcC` or start codes.
    init(extradata: [UInt8]) {
        for unit in ParameterSets.units(ofConfiguration: extradata, of: .h264) ?? [] {
            unit.withUnsafeBytes { read($0[...]) }
        }
    }

    /// Takes a unit if it is a parameter set.
    mutating func read(_ unit: Slice<UnsafeRawBufferPointer>) {
        switch unit[unit.startIndex] & 0x1f {
        case 7:
            // One that cannot be read must not leave an older one in force.
            guard let set = H264SequenceParameters(payload: NALUnits.payload(of: unit, limit: 1024)) else {
                sequences.removeAll()
                return
            }
            sequences[set.id] = set
        case 8:
            guard let set = H264PictureParameters(payload: NALUnits.payload(of: unit, limit: 1024)) else {
                pictures.removeAll()
                return
            }
            pictures[set.id] = set
        default: break
        }
    }

    /// The header of a slice; `nil` if it is damaged or uses what is not followed here.
    func header(of unit: Slice<UnsafeRawBufferPointer>) -> H264SliceHeader? {
        H264SliceHeader(
            unitHeader: unit[unit.startIndex], payload: NALUnits.payload(of: unit, limit: 640), sequences: sequences,
            pictures: pictures)
    }
}
