internal import MediaContainers
internal import MediaIO
internal import MediaMetadata

/// A value with its type and language: the `data` box of iTunes and QuickTime metadata.
///
/// Source: QuickTime File Format, "Well-known types"; mp4v2 and mutagen for
/// what iTunes writes.
struct DataBox: Hashable {
    /// A number of `wellKnownTypes`; beyond 24 bits it is of a set that is not known.
    var type: UInt32
    /// Country and language, 16 bits each; zero for all.
    var locale: UInt32
    var payload: [UInt8]

    init(type: UInt32, locale: UInt32 = 0, payload: [UInt8]) {
        self.type = type
        self.locale = locale
        self.payload = payload
    }

    /// Reads a box's content.
    init?(_ content: [UInt8]) {
        guard let type = content.bigEndian32(at: 0), let locale = content.bigEndian32(at: 4) else { return nil }
        self.init(type: type, locale: locale, payload: Array(content[8...]))
    }

    /// The whole box.
    var bytes: [UInt8] {
        var content: [UInt8] = []
        content.append(bigEndian: type)
        content.append(bigEndian: locale)
        return .box("data", content + payload)
    }

    // MARK: Values

    private static let implicit: UInt32 = 0
    private static let signed: UInt32 = 21
    private static let unsigned: UInt32 = 22

    /// Types whose name does not depend on the value's size.
    private static let wellKnownTypes: [UInt32: String] = [
        0: MetadataDataType.raw, 1: MetadataDataType.utf8, 2: MetadataDataType.utf16, 4: MetadataDataType.utf8,
        5: MetadataDataType.utf16, 12: MetadataDataType.gif, 13: MetadataDataType.jpeg, 14: MetadataDataType.png,
        23: MetadataDataType.float32, 24: MetadataDataType.float64, 27: MetadataDataType.bmp,
        65: MetadataDataType.int8, 66: MetadataDataType.int16, 67: MetadataDataType.int32,
        70: MetadataDataType.pointFloat32, 71: MetadataDataType.dimensionsFloat32,
        72: MetadataDataType.rectangleFloat32, 74: MetadataDataType.int64, 75: MetadataDataType.uint8,
        76: MetadataDataType.uint16, 77: MetadataDataType.uint32, 78: MetadataDataType.uint64,
        79: MetadataDataType.affineTransformFloat64,
    ]

    private static let signedTypes = [
        1: MetadataDataType.int8, 2: MetadataDataType.int16, 3: MetadataDataType.int32, 4: MetadataDataType.int32,
        8: MetadataDataType.int64,
    ]
    private static let unsignedTypes = [
        1: MetadataDataType.uint8, 2: MetadataDataType.uint16, 3: MetadataDataType.uint32, 4: MetadataDataType.uint32,
        8: MetadataDataType.uint64,
    ]

    /// The bytes that an integer of a named type takes.
    private static let widths: [String: Int] = [
        MetadataDataType.int8: 1, MetadataDataType.int16: 2, MetadataDataType.int32: 4, MetadataDataType.int64: 8,
        MetadataDataType.uint8: 1, MetadataDataType.uint16: 2, MetadataDataType.uint32: 4, MetadataDataType.uint64: 8,
    ]

    /// The value and the name of its type, as far as they are known.
    ///
    /// - Parameter key: The iTunes key, which gives values without a type one.
    func value(forITunesKey key: FourCC? = nil) -> (value: MetadataValue, dataType: String?) {
        var name = Self.wellKnownTypes[type]
        switch type {
        case Self.signed: name = Self.signedTypes[payload.count]
        case Self.unsigned: name = Self.unsignedTypes[payload.count]
        case Self.implicit:
            guard let key, let implied = Self.impliedValue(payload, key: key) else { break }
            return implied
        default: break
        }
        return (name.flatMap { Self.value(payload, named: $0) } ?? .data(payload), name)
    }

    private static func value(_ payload: [UInt8], named name: String) -> MetadataValue? {
        switch name {
        case MetadataDataType.utf8: return .text(TextCoding.utf8OrLatin1(payload))
        case MetadataDataType.utf16: return .text(TextCoding.utf16(payload, isBigEndian: true))
        case MetadataDataType.float32:
            guard payload.count == 4, let bits = payload.bigEndian32(at: 0) else { return nil }
            return .real(Double(Float(bitPattern: bits)))
        case MetadataDataType.float64:
            guard payload.count == 8, let bits = payload.bigEndian64(at: 0) else { return nil }
            return .real(Double(bitPattern: bits))
        default:
            guard let width = widths[name], payload.count == width || payload.count == 3 && width == 4 else {
                return nil
            }
            let isSigned = !isUnsigned(name)
            let isNegative = isSigned && (payload.first ?? 0) >= 0x80
            let bits = payload.reduce(isNegative ? UInt64.max : 0) { $0 << 8 | UInt64($1) }
            return isSigned ? .integer(Int64(bitPattern: bits)) : Int64(exactly: bits).map { .integer($0) }
        }
    }

    /// The value of an iTunes item that states no type, by its key.
    private static func impliedValue(_ payload: [UInt8], key: FourCC) -> (MetadataValue, String?)? {
        if let width = ITunesKeys.integerWidths[key] {
            guard payload.count == width, let name = signedTypes[width], let value = value(payload, named: name) else {
                return nil
            }
            return (value, name)
        }
        guard ITunesKeys.isText(key), !payload.contains(0), let text = String(validating: payload, as: UTF8.self) else {
            return nil
        }
        return (.text(text), MetadataDataType.utf8)
    }

    // MARK: Types by name

    /// The name of a well-known type whose values need no more to be understood.
    static func name(ofWellKnownType code: UInt32) -> String? { wellKnownTypes[code] }

    /// The well-known type of a name.
    static func wellKnownType(named name: String) -> UInt32? {
        wellKnownTypes.filter { $0.value == name }.keys.min()
    }

    /// Whether a value of a named type can have so many bytes.
    static func isLength(_ count: Int, ofType name: String) -> Bool {
        if let width = widths[name] ?? realWidths[name] ?? shapeWidths[name] { return count == width }
        return true
    }

    /// The bytes of a number of a named type; `nil` where it does not fit, or the type is none of numbers.
    static func bytes(of number: Int64, type name: String) -> [UInt8]? {
        guard let width = widths[name] else {
            return realWidths[name] == nil ? nil : bytes(of: Double(number), type: name)
        }
        guard fits(number, width: width, isUnsigned: isUnsigned(name)), number >= 0 || !isUnsigned(name) else {
            return nil
        }
        return (0..<width).map { UInt8(truncatingIfNeeded: number >> Int64(8 * (width - 1 - $0))) }
    }

    /// The bytes of a number of a named type; `nil` where it does not fit, or the type is none of numbers.
    static func bytes(of number: Double, type name: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        switch realWidths[name] {
        case 4:
            guard Float(number).isFinite || !number.isFinite else { return nil }
            bytes.append(bigEndian: Float(number).bitPattern)
        case 8: bytes.append(bigEndian: number.bitPattern)
        default: return Int64(exactly: number).flatMap { Self.bytes(of: $0, type: name) }
        }
        return bytes
    }

    private static let realWidths = [MetadataDataType.float32: 4, MetadataDataType.float64: 8]
    private static let shapeWidths = [
        MetadataDataType.pointFloat32: 8, MetadataDataType.dimensionsFloat32: 8, MetadataDataType.rectangleFloat32: 16,
        MetadataDataType.affineTransformFloat64: 72,
    ]

    private static func isUnsigned(_ name: String) -> Bool { name.contains("uint") }

    // MARK: Writing

    /// The box of an entry's value, in the type that the entry names or else the usual one for its key.
    init(_ entry: MetadataEntry) {
        var stated: UInt32?
        if case .integer(let number) = entry.extras[.dataType] { stated = UInt32(exactly: number) }
        locale = ItemLocale.number(for: entry)
        var iTunesKey: FourCC?
        if case .code(let code) = entry.key, entry.keySpace == .iTunes { iTunesKey = FourCC(rawValue: code) }
        if stated == nil, let key = iTunesKey, let pair = Self.pair(entry.value, key: key) {
            (type, payload) = (Self.implicit, pair)
            return
        }
        switch entry.value {
        case .text(let text):
            let isWide = entry.dataType == MetadataDataType.utf16
            payload = isWide ? TextCoding.utf16BigEndian(text) : Array(text.utf8)
            let allowed: [UInt32] = isWide ? [2, 5] : [1, 4, 0]
            // Text without a type is recognized only by its key.
            let keeps = stated.map { allowed.contains($0) && ($0 != 0 || iTunesKey.map(ITunesKeys.isText) == true) }
            type = keeps == true ? stated ?? allowed[0] : allowed[0]
        case .integer(let number):
            (type, payload) = Self.integer(number, entry, iTunesKey: iTunesKey, stated: stated)
        case .real(let number):
            let isShort = entry.dataType == MetadataDataType.float32
            type = isShort ? 23 : 24
            payload = []
            if isShort {
                payload.append(bigEndian: Float(number).bitPattern)
            } else {
                payload.append(bigEndian: number.bitPattern)
            }
        case .data(let bytes):
            payload = bytes
            type = Self.typeOfData(bytes, entry, stated: stated)
        }
    }

    /// The bytes of a track's or a disc's number as iTunes writes them: 8 and 6.
    ///
    /// - Parameter value: The pair as text, `2/3`, or as bytes, of which some programs give as many for both.
    /// - Returns: `nil` for other keys, and for what is no pair.
    private static func pair(_ value: MetadataValue, key: FourCC) -> [UInt8]? {
        guard ITunesKeys.pairs.contains(key) else { return nil }
        let count = key == ITunesKeys.disc ? 6 : 8
        switch value {
        case .text(let text): return NumberPair(text)?.bytes(count: count)
        case .data(let bytes):
            guard (5...8).contains(bytes.count), bytes.dropFirst(6).allSatisfy({ $0 == 0 }) else { return nil }
            return Array((bytes + [0, 0, 0]).prefix(count))
        case .integer, .real: return nil
        }
    }

    /// An integer in its named width, else in the usual one of its key, else in the smallest;
    /// wider where it does not fit.
    private static func integer(
        _ number: Int64, _ entry: MetadataEntry, iTunesKey: FourCC?, stated: UInt32?
    ) -> (UInt32, [UInt8]) {
        if iTunesKey.map(ITunesKeys.pairs.contains) == true, let value = UInt16(exactly: number) {
            // Number of how many; one number alone leaves the other open.
            let bytes = [0, 0, UInt8(value >> 8), UInt8(value & 255), 0, 0, 0, 0]
            return (implicit, iTunesKey == ITunesKeys.disc ? Array(bytes.prefix(6)) : bytes)
        }
        if iTunesKey == ITunesKeys.genre, let value = UInt16(exactly: number) {
            return (implicit, [UInt8(value >> 8), UInt8(value & 255)])
        }
        let wanted = entry.dataType.flatMap { widths[$0] } ?? iTunesKey.flatMap { ITunesKeys.integerWidths[$0] } ?? 1
        let isUnsigned = entry.dataType.map(isUnsigned) == true && number >= 0
        let width = [1, 2, 4, 8].first { $0 >= wanted && fits(number, width: $0, isUnsigned: isUnsigned) } ?? 8
        let bytes = (0..<width).map { UInt8(truncatingIfNeeded: number >> Int64(8 * (width - 1 - $0))) }
        let name = isUnsigned ? unsignedTypes[width] : signedTypes[width]
        let isStatedFit = stated.map { wellKnownTypes[$0] == name || $0 == implicit && wanted == width } == true
        let keepsStated = isStatedFit && (stated != implicit || iTunesKey.map { ITunesKeys.integerWidths[$0] } == width)
        return ((keepsStated ? stated : nil) ?? (isUnsigned ? unsigned : signed), bytes)
    }

    private static func fits(_ number: Int64, width: Int, isUnsigned: Bool) -> Bool {
        if width == 8 { return true }
        let limit = Int64(1) << (8 * width - (isUnsigned ? 0 : 1))
        return number < limit && number >= (isUnsigned ? 0 : -limit)
    }

    private static func typeOfData(_ bytes: [UInt8], _ entry: MetadataEntry, stated: UInt32?) -> UInt32 {
        // The number is the file's own word, as long as it does not contradict the name.
        if let stated, entry.dataType == nil || wellKnownTypes[stated] == entry.dataType { return stated }
        if let stated, stated == signed || stated == unsigned, wellKnownTypes.values.contains(entry.dataType ?? "") {
            if widths[entry.dataType ?? ""] != nil { return stated }
        }
        if let name = entry.dataType, let type = wellKnownTypes.filter({ $0.value == name }).keys.min() { return type }
        guard entry.dataType == nil, let picture = MetadataDataType.ofPicture(bytes) else { return implicit }
        return wellKnownTypes.first { $0.value == picture }?.key ?? implicit
    }
}

/// What is known of iTunes keys.
enum ITunesKeys {
    /// The bytes that integers of these keys take.
    static let integerWidths: [FourCC: Int] = {
        var widths: [FourCC: Int] = [:]
        for key: FourCC in ["cpil", "pgap", "pcst", "hdvd", "stik", "rtng", "akID", "shwm"] { widths[key] = 1 }
        for key: FourCC in ["tmpo", "\u{A9}mvi", "\u{A9}mvc"] { widths[key] = 2 }
        for key: FourCC in ["tvsn", "tves", "cnID", "atID", "geID", "sfID", "cmID"] { widths[key] = 4 }
        widths["plID"] = 8
        return widths
    }()

    /// Keys whose value is a number and how many there are.
    static let pairs: Set<FourCC> = ["trkn", disc]
    static let disc: FourCC = "disk"
    static let genre: FourCC = "gnre"
    static let freeForm: FourCC = "----"

    /// Keys without ©, whose value is text even if it states no type.
    private static let textKeys: Set<FourCC> = [
        "aART", "apID", "catg", "cprt", "desc", "egid", "keyw", "ldes", "ownr", "purd", "purl", "soaa", "soal",
        "soar", "soco", "sonm", "sosn", "tven", "tvnn", "tvsh", "xid ",
    ]

    /// Whether a key's value is text even if it states no type.
    static func isText(_ key: FourCC) -> Bool {
        key.rawValue >> 24 == 0xA9 && integerWidths[key] == nil || textKeys.contains(key)
    }
}

/// Country and language of an item's value.
///
/// Zero is any; 1 to 255 number a list of the file's own; others are two
/// letters of ISO 3166, or three of ISO 639 packed into 15 bits.
///
/// Source: QuickTime File Format, "Country list atom", "Language list atom".
enum ItemLocale {
    /// The BCP 47 tag that a language and a country make up; `nil` if no language is named.
    static func tag(of locale: UInt32, languages: [[UInt16]] = [], countries: [[UInt16]] = []) -> String? {
        func resolved(_ number: UInt16, _ lists: [[UInt16]]) -> [UInt16] {
            guard number < 256 else { return [number] }
            let index = Int(number) - 1
            return lists.indices.contains(index) ? lists[index] : []
        }
        let language = resolved(UInt16(locale & 0xFFFF), languages).lazy.compactMap(languageTag).first
        guard let language else { return nil }
        let regions = resolved(UInt16(locale >> 16), countries)
        guard regions.count == 1, let region = regions.first.flatMap(letters) else { return language }
        return language + "-" + region
    }

    /// The number for an entry's language: what the file stated, as long as that means the same.
    static func number(for entry: MetadataEntry) -> UInt32 {
        if case .integer(let number) = entry.extras[.locale], let number = UInt32(exactly: number) {
            if tag(of: number) == entry.languageTag { return number }
        }
        let code = LanguageCodes.iso639(of: entry.languageTag)
        guard code != "und" else { return 0 }
        let region = entry.languageTag?.split(separator: "-").dropFirst().first { $0.utf8.count == 2 }
        let letters = region.map { Array($0.uppercased().utf8) } ?? [0, 0]
        return UInt32(letters[0]) << 24 | UInt32(letters[1]) << 16 | UInt32(packed(code))
    }

    /// The tag of a packed language.
    static func languageTag(_ number: UInt16) -> String? {
        guard number >= 0x400, number < 0x8000 else { return nil }
        let letters = [number >> 10, number >> 5, number].map { UInt8($0 & 31) + 0x60 }
        return LanguageCodes.tag(ofISO639: String(latin1: letters))
    }

    /// Three letters, packed into 15 bits.
    static func packed(_ code: String) -> UInt16 {
        code.utf8.prefix(3).reduce(0) { $0 << 5 | UInt16($1 & 31) }
    }

    private static func letters(_ country: UInt16) -> String? {
        let letters = [UInt8(country >> 8), UInt8(country & 255)]
        guard letters.allSatisfy((UInt8(ascii: "A")...UInt8(ascii: "Z")).contains) else { return nil }
        return String(latin1: letters)
    }

    /// The lists of a `ctry` or `lang` box.
    static func lists(_ content: [UInt8]) -> [[UInt16]] {
        guard let count = content.bigEndian32(at: 4) else { return [] }
        var lists: [[UInt16]] = []
        var offset = 8
        while lists.count < min(count, 255), let size = content.bigEndian16(at: offset) {
            let list = (0..<Int(size)).prefix(256).compactMap { content.bigEndian16(at: offset + 2 + 2 * $0) }
            guard list.count == min(Int(size), 256) else { break }
            lists.append(list)
            offset += 2 + 2 * Int(size)
        }
        return lists
    }
}
