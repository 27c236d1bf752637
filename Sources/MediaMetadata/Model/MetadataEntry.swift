package import MediaCore
internal import MediaIO

/// A key as a file stores it.
package enum MetadataKey: Hashable, Sendable {
    /// Four bytes, the first one in the highest place; ID3v2.2's three follow a zero byte.
    case code(UInt32)
    case text(String)

    /// Four characters of one byte each.
    ///
    /// `@` stands for the byte 0xA9 at the beginning, as in the key constants.
    package init?(fourCharacters text: String) {
        guard let bytes = text.latin1, bytes.count == 4 else { return nil }
        let code = bytes.reduce(0) { $0 << 8 | UInt32($1) }
        self = .code(bytes[0] == UInt8(ascii: "@") ? code & 0x00FF_FFFF | 0xA900_0000 : code)
    }

    /// The key as text: zero bytes at the beginning left out, `@` for 0xA9.
    package var text: String {
        switch self {
        case .text(let text): text
        case .code(let code):
            String(latin1: bytes(of: code).drop { $0 == 0 }.map { $0 == 0xA9 ? UInt8(ascii: "@") : $0 })
        }
    }

    /// The key's bytes, as identifiers encode them.
    var bytes: [UInt8] {
        switch self {
        case .text(let text): Array(text.utf8)
        case .code(let code): bytes(of: code)
        }
    }

    private func bytes(of code: UInt32) -> [UInt8] {
        [UInt8(code >> 24), UInt8(code >> 16 & 255), UInt8(code >> 8 & 255), UInt8(code & 255)]
    }
}

/// A value as a file stores it, as far as its type is known.
package enum MetadataValue: Hashable, Sendable {
    case text(String)
    case integer(Int64)
    case real(Double)
    /// Anything else: pictures, pairs of numbers, types not known.
    case data([UInt8])

    /// Whether files would hold the same bytes for both.
    ///
    /// Unlike `String`, texts that differ only in how letters are composed are different.
    package static func == (left: MetadataValue, right: MetadataValue) -> Bool {
        switch (left, right) {
        case (.text(let left), .text(let right)): left.utf8.elementsEqual(right.utf8)
        case (.integer(let left), .integer(let right)): left == right
        case (.real(let left), .real(let right)): left == right
        case (.data(let left), .data(let right)): left == right
        default: false
        }
    }
}

/// One piece of metadata of a file, of a track or of a moment.
///
/// What readers make and writers take; `AVMetadataItem` is its face for callers.
package struct MetadataEntry: Hashable, Sendable {
    package var keySpace: AVMetadataKeySpace
    package var key: MetadataKey
    package var value: MetadataValue
    /// One of `MetadataDataType`'s names; `nil` where the format has no types.
    package var dataType: String?
    /// BCP 47; `nil` if the file names no language.
    package var languageTag: String?
    package var extras: [AVMetadataExtraAttributeKey: MetadataValue]
    /// Invalid unless the entry belongs to a moment.
    package var time: CMTime
    package var duration: CMTime

    package init(
        _ keySpace: AVMetadataKeySpace, _ key: MetadataKey, _ value: MetadataValue, dataType: String? = nil,
        languageTag: String? = nil, extras: [AVMetadataExtraAttributeKey: MetadataValue] = [:],
        time: CMTime = .invalid, duration: CMTime = .invalid
    ) {
        self.keySpace = keySpace
        self.key = key
        self.value = value
        self.dataType = dataType
        self.languageTag = languageTag
        self.extras = extras
        self.time = time
        self.duration = duration
    }

    /// Key space and key as one text.
    package var identifier: AVMetadataIdentifier { AVMetadataIdentifier(key, keySpace: keySpace) }
    /// The value if it is text.
    package var text: String? { if case .text(let text) = value { text } else { nil } }
    /// A description that belongs to the value.
    package var info: String? { if case .text(let text) = extras[.info] { text } else { nil } }
}

/// The names of value types.
///
/// Source: CoreMedia's `kCMMetadataBaseDataType_…`.
package enum MetadataDataType {
    private static let prefix = "com.apple.metadata.datatype."
    package static let raw = prefix + "raw-data"
    package static let utf8 = prefix + "UTF-8"
    package static let utf16 = prefix + "UTF-16"
    package static let gif = prefix + "GIF"
    package static let jpeg = prefix + "JPEG"
    package static let png = prefix + "PNG"
    package static let bmp = prefix + "BMP"
    package static let float32 = prefix + "float32"
    package static let float64 = prefix + "float64"
    package static let int8 = prefix + "int8"
    package static let int16 = prefix + "int16"
    package static let int32 = prefix + "int32"
    package static let int64 = prefix + "int64"
    package static let uint8 = prefix + "uint8"
    package static let uint16 = prefix + "uint16"
    package static let uint32 = prefix + "uint32"
    package static let uint64 = prefix + "uint64"
    package static let pointFloat32 = prefix + "point-float32"
    package static let dimensionsFloat32 = prefix + "dimensions-float32"
    package static let rectangleFloat32 = prefix + "rectangle-float32"
    package static let affineTransformFloat64 = "com.apple.metadata.affine-transform-float64"

    /// The type without what all types begin with: `UTF-8`.
    package static func shortName(of type: String) -> String {
        type.hasPrefix(prefix) ? String(type.dropFirst(prefix.count)) : type
    }

    /// The type of a short name; a whole name stands for itself.
    package static func named(_ name: String) -> String { name.contains(".") ? name : prefix + name }
}

/// Finds out which of a file's entries new ones are.
package enum EntryMatches {
    /// What equal entries share, without looking at every byte of pictures.
    private struct Signature: Hashable {
        private static let sampleSize = 64

        let key: MetadataKey
        let byteCount: Int
        let samples: [UInt8]

        init(_ entry: MetadataEntry) {
            key = entry.key
            switch entry.value {
            case .text(let text): (byteCount, samples) = (text.utf8.count, Self.samples(text.utf8))
            case .data(let bytes): (byteCount, samples) = (bytes.count, Self.samples(bytes))
            case .integer, .real: (byteCount, samples) = (0, [])
            }
        }

        private static func samples(_ bytes: some BidirectionalCollection<UInt8>) -> [UInt8] {
            Array(bytes.prefix(sampleSize)) + Array(bytes.suffix(sampleSize))
        }
    }

    /// So many entries of one signature are compared, so that a file of nothing
    /// else is soon done with; one that is missed is merely encoded anew.
    private static let maximumTries = 32

    /// For each new entry the place of the old one that it equals; each old one is taken once, in order.
    package static func places(of newEntries: [MetadataEntry], in oldEntries: [MetadataEntry]) -> [Int?] {
        var candidates: [Signature: [Int]] = [:]
        // From the last to the first, so that the next one is the last of its list.
        for index in oldEntries.indices.reversed() {
            candidates[Signature(oldEntries[index]), default: []].append(index)
        }
        return newEntries.map { entry in
            let signature = Signature(entry)
            let place = candidates[signature]?.suffix(maximumTries).lastIndex { oldEntries[$0] == entry }
            return place.flatMap { candidates[signature]?.remove(at: $0) }
        }
    }
}

/// Bytes of no known type.
public let kCMMetadataBaseDataType_RawData = MetadataDataType.raw
/// UTF-8 text.
public let kCMMetadataBaseDataType_UTF8 = MetadataDataType.utf8
/// UTF-16 text, the high byte first.
public let kCMMetadataBaseDataType_UTF16 = MetadataDataType.utf16
/// A GIF file.
public let kCMMetadataBaseDataType_GIF = MetadataDataType.gif
/// A JPEG file.
public let kCMMetadataBaseDataType_JPEG = MetadataDataType.jpeg
/// A PNG file.
public let kCMMetadataBaseDataType_PNG = MetadataDataType.png
/// A BMP file.
public let kCMMetadataBaseDataType_BMP = MetadataDataType.bmp
/// A number of IEEE 754, 32 bits.
public let kCMMetadataBaseDataType_Float32 = MetadataDataType.float32
/// A number of IEEE 754, 64 bits.
public let kCMMetadataBaseDataType_Float64 = MetadataDataType.float64
/// A signed number of 8 bits.
public let kCMMetadataBaseDataType_SInt8 = MetadataDataType.int8
/// A signed number of 16 bits.
public let kCMMetadataBaseDataType_SInt16 = MetadataDataType.int16
/// A signed number of 32 bits.
public let kCMMetadataBaseDataType_SInt32 = MetadataDataType.int32
/// A signed number of 64 bits.
public let kCMMetadataBaseDataType_SInt64 = MetadataDataType.int64
/// An unsigned number of 8 bits.
public let kCMMetadataBaseDataType_UInt8 = MetadataDataType.uint8
/// An unsigned number of 16 bits.
public let kCMMetadataBaseDataType_UInt16 = MetadataDataType.uint16
/// An unsigned number of 32 bits.
public let kCMMetadataBaseDataType_UInt32 = MetadataDataType.uint32
/// An unsigned number of 64 bits.
public let kCMMetadataBaseDataType_UInt64 = MetadataDataType.uint64
/// Two numbers of IEEE 754, 32 bits each: `x`, `y`.
public let kCMMetadataBaseDataType_PointF32 = MetadataDataType.pointFloat32
/// Two numbers of IEEE 754, 32 bits each: width, height.
public let kCMMetadataBaseDataType_DimensionsF32 = MetadataDataType.dimensionsFloat32
/// Four numbers of IEEE 754, 32 bits each: `x`, `y`, width, height.
public let kCMMetadataBaseDataType_RectF32 = MetadataDataType.rectangleFloat32
/// Nine numbers of IEEE 754, 64 bits each: the rows of a matrix.
public let kCMMetadataBaseDataType_AffineTransformF64 = MetadataDataType.affineTransformFloat64
/// A place as text, by ISO 6709.
public let kCMMetadataDataType_QuickTimeMetadataLocation_ISO6709 = "com.apple.quicktime.location.ISO6709"
/// A direction as text, by ISO 6709.
public let kCMMetadataDataType_QuickTimeMetadataDirection = "com.apple.quicktime.direction"
