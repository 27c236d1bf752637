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
