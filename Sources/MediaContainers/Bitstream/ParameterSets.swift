package import MediaCore

/// The parameter sets that decoders of H.264 and HEVC are set up with, and how long the lengths of units are that movies
/// put before them.
///
/// Source: ISO/IEC 14496-15, 5.3.3.1 (`avcC`) and 8.3.3.1 (`hvcC`).
package struct ParameterSets: Hashable, Sendable {
    /// `h264` or `hevc`.
    package let codec: Codec
    /// Units with their headers: of HEVC those of video, of sequences, of pictures, then others.
    package private(set) var units: [[UInt8]]
    /// Bytes of a unit's length: 1, 2 or 4.
    package let lengthSize: Int
    private let format: SequencePictureFormat
    /// What they were read from, if that is as movies have it.
    private var original: [UInt8]?

    /// Pixels that are shown.
    package var size: (width: Int, height: Int) { (format.width, format.height) }

    /// Sets that belong together.
    ///
    /// - Returns: `nil` without those that a decoder needs, for ones that are damaged and for other lengths.
    package init?(_ units: [[UInt8]], of codec: Codec, lengthSize: Int) {
        guard [1, 2, 4].contains(lengthSize), codec == .h264 || codec == .hevc,
            units.allSatisfy({ $0.count > (codec == .h264 ? 0 : 1) && $0.count <= Int(UInt16.max) })
        else { return nil }
        let needed: [UInt8] = codec == .h264 ? [7, 8] : [32, 33, 34]
        let types = units.map { Self.type(of: $0, codec) }
        guard zip(units, types).allSatisfy({ $0.count > 3 || $1 != needed[codec == .h264 ? 0 : 1] }) else { return nil }
        guard needed.allSatisfy(types.contains), let index = types.firstIndex(of: codec == .h264 ? 7 : 33),
            let format = Self.format(units[index], codec)
        else { return nil }
        (self.codec, self.lengthSize, self.format) = (codec, lengthSize, format)
        self.units = units.indices.sorted { (types[$0], $0) < (types[$1], $1) }.map { units[$0] }
    }

    private static func type(of unit: [UInt8], _ codec: Codec) -> UInt8 {
        codec == .h264 ? unit[0] & 0x1f : unit[0] >> 1 & 0x3f
    }

    private static func format(_ unit: [UInt8], _ codec: Codec) -> SequencePictureFormat? {
        unit.withUnsafeBytes { bytes in
            let payload = NALUnits.unescaped(
                UnsafeRawBufferPointer(rebasing: bytes.dropFirst(codec == .h264 ? 1 : 2)), limit: 1024)
            return codec == .h264 ? SequencePictureFormat(h264: payload) : SequencePictureFormat(hevc: payload)
        }
    }

    // MARK: As movies have them

    /// Reads the content of `avcC` or `hvcC`, or units that follow start codes.
    package init?(configuration: [UInt8], of codec: Codec) {
        guard configuration.count > 4, let units = Self.units(ofConfiguration: configuration, of: codec) else {
            return nil
        }
        if Self.hasStartCodes(configuration) {
            self.init(units, of: codec, lengthSize: 4)
            return
        }
        let lengthOffset = codec == .h264 ? 4 : 21
        guard configuration.count > lengthOffset else { return nil }
        self.init(units, of: codec, lengthSize: Int(configuration[lengthOffset] & 3) + 1)
        original = configuration
    }

    /// Whether `avcC` and `hvcC` have a place for each.
    package var canBeTold: Bool {
        let types = units.map { Self.type(of: $0, codec) }
        return types.allSatisfy { codec == .h264 ? [7, 8, 13].contains($0) : (32...40).contains($0) }
    }

    private static func hasStartCodes(_ configuration: [UInt8]) -> Bool {
        configuration.starts(with: [0, 0, 1]) || configuration.starts(with: [0, 0, 0, 1])
    }

    /// The sets that `avcC` or `hvcC` list, or that follow start codes; `nil` if they are damaged.
    static func units(ofConfiguration configuration: [UInt8], of codec: Codec) -> [[UInt8]]? {
        guard hasStartCodes(configuration) else { return units(in: configuration, codec) }
        var units: [[UInt8]] = []
        configuration.withUnsafeBytes { bytes in
            NALUnits(codec: codec, extradata: []).forEach(in: bytes) { unit in
                units.append(Array(unit))
                return true
            }
        }
        return units
    }

    private static func units(in bytes: [UInt8], _ codec: Codec) -> [[UInt8]]? {
        var (position, units): (Int, [[UInt8]]) = (codec == .h264 ? 5 : 22, [])
        func take(_ count: Int) -> Bool {
            for _ in 0..<count {
                guard position + 2 <= bytes.count else { return false }
                let size = Int(bytes[position]) << 8 | Int(bytes[position + 1])
                guard size > 0, position + 2 + size <= bytes.count else { return false }
                units.append(Array(bytes[(position + 2)..<(position + 2 + size)]))
                position += 2 + size
            }
            return true
        }
        guard position < bytes.count else { return nil }
        if codec == .h264 {
            for mask in [UInt8(0x1f), 0xff] {
                guard position < bytes.count else { return nil }
                position += 1
                guard take(Int(bytes[position - 1] & mask)) else { return nil }
            }
            // Extensions come after what profiles with chroma say of that.
            if position + 3 < bytes.count {
                position += 4
                _ = take(Int(bytes[position - 1]))
            }
            return units
        }
        let arrays = Int(bytes[position])
        position += 1
        for _ in 0..<arrays {
            guard position + 3 <= bytes.count else { return nil }
            position += 3
            guard take(Int(bytes[position - 2]) << 8 | Int(bytes[position - 1])) else { return nil }
        }
        return units
    }

    /// The content of `avcC` or `hvcC`; `nil` for more sets than it can count.
    package var configuration: [UInt8]? { original ?? (codec == .h264 ? avcC : hvcC) }

    private func units(ofType type: UInt8) -> [[UInt8]] { units.filter { Self.type(of: $0, codec) == type } }

    private static func counted(_ units: [[UInt8]]) -> [UInt8] {
        units.flatMap { [UInt8($0.count >> 8), UInt8($0.count & 255)] + $0 }
    }

    private var avcC: [UInt8]? {
        let (sequences, pictures, extensions) = (units(ofType: 7), units(ofType: 8), units(ofType: 13))
        guard let first = sequences.first, sequences.count < 32, pictures.count < 256, extensions.count < 256 else {
            return nil
        }
        var bytes: [UInt8] = [1, first[1], first[2], first[3], 0xfc | UInt8(lengthSize - 1)]
        bytes += [0xe0 | UInt8(sequences.count)] + Self.counted(sequences)
        bytes += [UInt8(pictures.count)] + Self.counted(pictures)
        if SequencePictureFormat.profilesWithChroma.contains(UInt32(first[1])) {
            bytes += [0xfc | format.chromaFormat, 0xf8 | (format.lumaDepth - 8), 0xf8 | (format.chromaDepth - 8)]
            bytes += [UInt8(extensions.count)] + Self.counted(extensions)
        }
        return bytes
    }

    private var hvcC: [UInt8]? {
        let payload = units(ofType: 33).first.map { unit in
            unit.withUnsafeBytes { NALUnits.unescaped(UnsafeRawBufferPointer(rebasing: $0.dropFirst(2)), limit: 13) }
        }
        guard let payload, payload.count == 13, format.lumaDepth < 16, format.chromaDepth < 16 else { return nil }
        // Profile, compatibility, constraints and level are as in the set, after its first byte.
        var bytes: [UInt8] = [1] + payload[1...]
        bytes += [0xf0, 0, 0xfc, 0xfc | format.chromaFormat, 0xf8 | (format.lumaDepth - 8)]
        bytes += [0xf8 | (format.chromaDepth - 8), 0, 0]
        bytes.append(format.temporalLayerCount << 3 | (format.layersAreNested ? 4 : 0) | UInt8(lengthSize - 1))
        var types: [UInt8] = []
        for unit in units where !types.contains(Self.type(of: unit, codec)) { types.append(Self.type(of: unit, codec)) }
        bytes.append(UInt8(clamping: types.count))
        for type in types {
            let own = units(ofType: type)
            // Only those that pictures are decoded by are all here.
            bytes.append((32...34).contains(type) ? 0x80 | type : type)
            bytes += [UInt8(truncatingIfNeeded: own.count >> 8), UInt8(truncatingIfNeeded: own.count)]
            bytes += Self.counted(own)
        }
        return bytes
    }
}

/// What a sequence parameter set of H.264 or HEVC says of the pictures.
///
/// Source: ISO/IEC 14496-10, 7.3.2.1.1; ISO/IEC 23008-2, 7.3.2.2.1.
struct SequencePictureFormat: Hashable {
    /// Pixels that are shown.
    var width: Int
    var height: Int
    /// 0 for grey, 1 for 4:2:0, 2 for 4:2:2, 3 for 4:4:4.
    var chromaFormat: UInt8
    /// Bits of a sample.
    var lumaDepth: UInt8
    var chromaDepth: UInt8
    /// Of HEVC, how many layers in time there are, and whether all can be switched to anywhere.
    var temporalLayerCount: UInt8 = 1
    var layersAreNested = true

    private init(
        coded: (width: Int, height: Int), cropped: (width: Int, height: Int), chroma: UInt32, luma: UInt32,
        chromaDepth: UInt32
    ) {
        (width, height) = (coded.width - cropped.width, coded.height - cropped.height)
        (chromaFormat, lumaDepth) = (UInt8(clamping: chroma), UInt8(clamping: luma + 8))
        self.chromaDepth = UInt8(clamping: chromaDepth + 8)
    }

    /// More pixels a side than these are damage: no level of either codec allows half as many.
    private static let maximumSide: UInt32 = 1 << 16
    /// Profiles of H.264 whose sets say how chroma is sampled.
    static let profilesWithChroma: Set<UInt32> = [100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135]

    /// The format in a set of H.264, without the unit's header; `nil` for one that is damaged.
    init?(h264 payload: [UInt8]) {
        guard let parsed = BitReader.reading(payload, { Self.h264(&$0) }) else { return nil }
        self = parsed
    }

    private static func h264(_ bits: inout BitReader) -> Self? {
        guard let profile = bits.read(8), bits.read(16) != nil, bits.readExpGolomb() != nil else { return nil }
        var (chroma, luma, chromaDepth): (UInt32, UInt32, UInt32) = (1, 0, 0)
        var isApart = false
        if profilesWithChroma.contains(profile) {
            guard let format = bits.readExpGolomb(), format <= 3 else { return nil }
            if format == 3 { isApart = bits.readFlag() ?? false }
            guard let lumaBits = bits.readExpGolomb(), lumaBits <= 6, let chromaBits = bits.readExpGolomb(),
                chromaBits <= 6, bits.read(1) != nil, let hasMatrix = bits.readFlag(),
                !hasMatrix || H264SequenceParameters.skipScalingLists(format == 3 ? 12 : 8, &bits)
            else { return nil }
            (chroma, luma, chromaDepth) = (format, lumaBits, chromaBits)
        }
        guard bits.readExpGolomb() != nil, let orderType = bits.readExpGolomb(), skipOrder(orderType, &bits),
            bits.readExpGolomb() != nil, bits.read(1) != nil, let columns = bits.readExpGolomb(),
            columns < maximumSide / 16,
            let rows = bits.readExpGolomb(), rows < maximumSide / 16, let isOfFrames = bits.readFlag(),
            isOfFrames || bits.read(1) != nil, bits.read(1) != nil
        else { return nil }
        let unit = (
            width: chroma == 0 || chroma == 3 || isApart ? 1 : 2,
            height: (chroma == 1 && !isApart ? 2 : 1) * (isOfFrames ? 1 : 2)
        )
        guard let cropped = window(&bits, unit) else { return nil }
        let coded = (width: Int(columns + 1) * 16, height: Int(rows + 1) * 16 * (isOfFrames ? 1 : 2))
        guard cropped.width < coded.width, cropped.height < coded.height else { return nil }
        return Self(coded: coded, cropped: cropped, chroma: chroma, luma: luma, chromaDepth: chromaDepth)
    }

    /// How pictures are ordered.
    private static func skipOrder(_ type: UInt32, _ bits: inout BitReader) -> Bool {
        switch type {
        case 0: return bits.readExpGolomb() != nil
        case 1:
            guard bits.read(1) != nil, bits.readExpGolomb() != nil, bits.readExpGolomb() != nil,
                let count = bits.readExpGolomb(), count < 256
            else { return false }
            return (0..<count).allSatisfy { _ in bits.readExpGolomb() != nil }
        default: return type == 2
        }
    }

    /// What is cut off, in pixels.
    private static func window(
        _ bits: inout BitReader, _ unit: (width: Int, height: Int)
    ) -> (width: Int, height: Int)? {
        guard let isThere = bits.readFlag() else { return nil }
        guard isThere else { return (0, 0) }
        guard let left = bits.readExpGolomb(), let right = bits.readExpGolomb(), let top = bits.readExpGolomb(),
            let bottom = bits.readExpGolomb(), [left, right, top, bottom].allSatisfy({ $0 < maximumSide })
        else { return nil }
        return (Int(left + right) * unit.width, Int(top + bottom) * unit.height)
    }

    /// The format in a set of HEVC, without the unit's header; `nil` for one that is damaged.
    init?(hevc payload: [UInt8]) {
        guard let parsed = BitReader.reading(payload, { Self.hevc(&$0) }) else { return nil }
        self = parsed
    }

    private static func hevc(_ bits: inout BitReader) -> Self? {
        guard bits.read(4) != nil, let layers = bits.read(3), layers <= 6, let areNested = bits.readFlag(),
            skipLevels(Int(layers), &bits), bits.readExpGolomb() != nil, let chroma = bits.readExpGolomb(), chroma <= 3
        else { return nil }
        if chroma == 3 { guard bits.readFlag() != nil else { return nil } }
        let unit = (width: chroma == 1 || chroma == 2 ? 2 : 1, height: chroma == 1 ? 2 : 1)
        guard let width = bits.readExpGolomb(), let height = bits.readExpGolomb(), width > 0, height > 0,
            width < maximumSide, height < maximumSide, let cropped = window(&bits, unit),
            cropped.width < width, cropped.height < height, let luma = bits.readExpGolomb(), luma <= 8,
            let chromaDepth = bits.readExpGolomb(), chromaDepth <= 8
        else { return nil }
        var format = Self(
            coded: (Int(width), Int(height)), cropped: cropped, chroma: chroma, luma: luma,
            chromaDepth: chromaDepth)
        (format.temporalLayerCount, format.layersAreNested) = (UInt8(layers) + 1, areNested)
        return format
    }

    /// Profiles and levels, of all pictures and of layers in time.
    private static func skipLevels(_ layers: Int, _ bits: inout BitReader) -> Bool {
        guard skip(96, &bits) else { return false }
        var sizes = 0
        for _ in 0..<layers {
            guard let hasProfile = bits.readFlag(), let hasLevel = bits.readFlag() else { return false }
            sizes += (hasProfile ? 88 : 0) + (hasLevel ? 8 : 0)
        }
        return skip((layers > 0 ? 2 * (8 - layers) : 0) + sizes, &bits)
    }

    private static func skip(_ count: Int, _ bits: inout BitReader) -> Bool {
        var rest = count
        while rest > 0 {
            guard bits.read(min(rest, 32)) != nil else { return false }
            rest -= 32
        }
        return true
    }
}
