internal import MediaIO
internal import MediaMetadata

/// A picture as FLAC's PICTURE blocks and `METADATA_BLOCK_PICTURE` comments hold it.
///
/// Source: RFC 9639, section 8.8.
struct FLACPicture {
    /// The key of all pictures.
    static let key = "METADATA_BLOCK_PICTURE"
    /// The MIME type of a picture that is elsewhere: its data is an address.
    static let linkType = "-->"

    var type: UInt32
    var mimeType: ArraySlice<UInt8>
    var description: ArraySlice<UInt8>
    var geometry: PictureGeometry
    var data: ArraySlice<UInt8>

    /// Reads a picture, `nil` if one of its lengths reaches past the end.
    init?(parsing bytes: ArraySlice<UInt8>) {
        var rest = bytes
        guard let type = Self.popNumber(from: &rest), let mimeType = Self.popBytes(from: &rest),
            let description = Self.popBytes(from: &rest), let width = Self.popNumber(from: &rest),
            let height = Self.popNumber(from: &rest), let depth = Self.popNumber(from: &rest),
            let colors = Self.popNumber(from: &rest), let data = Self.popBytes(from: &rest)
        else { return nil }
        (self.type, self.mimeType, self.description, self.data) = (type, mimeType, description, data)
        geometry = PictureGeometry(width: width, height: height, bitsPerPixel: depth, paletteSize: colors)
    }

    private static func popNumber(from bytes: inout ArraySlice<UInt8>) -> UInt32? {
        guard let number = bytes.bigEndian32(at: 0) else { return nil }
        bytes = bytes.dropFirst(4)
        return number
    }

    private static func popBytes(from bytes: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let count = popNumber(from: &bytes), Int(count) <= bytes.count else { return nil }
        defer { bytes = bytes.dropFirst(Int(count)) }
        return bytes.prefix(Int(count))
    }

    /// The block's content.
    func encoded() -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(32 + mimeType.count + description.count + data.count)
        bytes.append(bigEndian: type)
        bytes.append(bigEndian: UInt32(truncatingIfNeeded: mimeType.count))
        bytes += mimeType
        bytes.append(bigEndian: UInt32(truncatingIfNeeded: description.count))
        bytes += description
        for number in [geometry.width, geometry.height, geometry.bitsPerPixel, geometry.paletteSize] {
            bytes.append(bigEndian: number)
        }
        bytes.append(bigEndian: UInt32(truncatingIfNeeded: data.count))
        bytes += data
        return bytes
    }
}

// MARK: Entries

extension FLACPicture {
    /// "Cover (front)": what a picture is taken for that does not say.
    private static let usualType: UInt32 = 3

    /// Whether an entry is a picture: one of bytes, or of an address.
    static func isPicture(_ entry: MetadataEntry) -> Bool {
        guard entry.keySpace == .vorbisComment, entry.key.text.uppercased() == key else { return false }
        if case .data = entry.value { return true }
        return entry.extras[.valueURI] != nil
    }

    /// The value type of a MIME type; if that is not known, of the bytes.
    static func dataType(ofMIMEType mimeType: String, _ bytes: [UInt8]) -> String {
        MetadataDataType.ofPicture(mimeType: mimeType) ?? MetadataDataType.ofPicture(bytes) ?? MetadataDataType.raw
    }

    /// The picture as an entry.
    var entry: MetadataEntry {
        let mimeText = TextCoding.utf8OrLatin1(mimeType.prefix(1 << 16))
        var extras = geometry.extras
        extras[.pictureType] = .text(PictureType.label(of: type))
        extras[.info] = .text(TextCoding.utf8OrLatin1(description.prefix(1 << 20)))
        extras[.dataType] = .text(mimeText)
        extras[.dataTypeNamespace] = .text(MetadataDataType.mimeTypeNamespace)
        if mimeText == Self.linkType {
            let address = TextCoding.utf8OrLatin1(data.prefix(1 << 16))
            extras[.valueURI] = .text(address)
            return MetadataEntry(.vorbisComment, .text(Self.key), .text(address), extras: extras)
        }
        let bytes = Array(data)
        return MetadataEntry(
            .vorbisComment, .text(Self.key), .data(bytes), dataType: Self.dataType(ofMIMEType: mimeText, bytes),
            extras: extras)
    }

    /// A picture of the older `COVERART` comment, which holds nothing but the picture's bytes.
    static func entry(ofCoverArt bytes: [UInt8], mimeType: String?) -> MetadataEntry {
        var extras: [AVMetadataExtraAttributeKey: MetadataValue] = [:]
        if let mimeType {
            extras[.dataType] = .text(mimeType)
            extras[.dataTypeNamespace] = .text(MetadataDataType.mimeTypeNamespace)
        }
        return MetadataEntry(
            .vorbisComment, .text(key), .data(bytes), dataType: dataType(ofMIMEType: mimeType ?? "", bytes),
            extras: extras)
    }

    /// The picture that an entry describes.
    ///
    /// Width, height and depth come from the picture's own header where that can be read.
    init(_ entry: MetadataEntry) {
        func text(_ key: AVMetadataExtraAttributeKey) -> String? {
            if case .text(let text) = entry.extras[key] { text } else { nil }
        }
        type = Self.type(of: entry.extras[.pictureType])
        description = Array((entry.info ?? "").utf8)[...]
        if let address = text(.valueURI) {
            (mimeType, data) = (Array(Self.linkType.utf8)[...], Array(address.utf8)[...])
            geometry = PictureGeometry(extras: entry.extras)
            return
        }
        let bytes: [UInt8] = if case .data(let bytes) = entry.value { bytes } else { [] }
        data = bytes[...]
        geometry = PictureGeometry(ofPicture: bytes) ?? PictureGeometry(extras: entry.extras)
        mimeType = Array(Self.mimeType(stated: text(.dataType), dataType: entry.dataType, bytes).utf8)[...]
    }

    private static func type(of value: MetadataValue?) -> UInt32 {
        switch value {
        case .integer(let number): UInt32(exactly: number) ?? usualType
        case .text(let text): PictureType.number(of: text) ?? usualType
        default: usualType
        }
    }

    /// The stated MIME type unless the bytes are evidently of another one.
    private static func mimeType(stated: String?, dataType: String?, _ bytes: [UInt8]) -> String {
        let actual = MetadataDataType.ofPicture(bytes)
        if let stated, stated.contains("/"), stated.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) {
            if actual == nil || MetadataDataType.ofPicture(mimeType: stated) == actual { return stated }
        }
        // The default is ID3v2's text for a picture of a type not known.
        return MetadataDataType.mimeType(of: actual ?? dataType) ?? "image/"
    }
}

/// Bytes as text of 64 different characters.
///
/// Source: RFC 4648, section 4.
enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 255, count: 256)
        for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
        return values
    }()

    /// The bytes of a text, `nil` if it holds anything but the 64 characters, white space, and `=` at the end.
    ///
    /// Missing `=` are no fault: some writers leave them out.
    static func decoded(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3)
        var bits: UInt32 = 0
        var count = 0
        var isEnded = false
        for character in text {
            if character == UInt8(ascii: "=") {
                isEnded = true
                continue
            }
            if [0x09, 0x0A, 0x0D, 0x20].contains(character) { continue }
            let value = values[Int(character)]
            guard value < 64, !isEnded else { return nil }
            bits = bits << 6 | UInt32(value)
            count += 1
            if count % 4 == 0 {
                bytes.append(UInt8(truncatingIfNeeded: bits >> 16))
                bytes.append(UInt8(truncatingIfNeeded: bits >> 8))
                bytes.append(UInt8(truncatingIfNeeded: bits))
            }
        }
        switch count % 4 {
        case 0: break
        case 2: bytes.append(UInt8(truncatingIfNeeded: bits >> 4))
        case 3:
            bytes.append(UInt8(truncatingIfNeeded: bits >> 10))
            bytes.append(UInt8(truncatingIfNeeded: bits >> 2))
        default: return nil
        }
        return bytes
    }

    /// The text of bytes.
    static func encoded(_ bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let count = min(3, bytes.count - start)
            var bits: UInt32 = 0
            for offset in 0..<3 { bits = bits << 8 | (offset < count ? UInt32(bytes[start + offset]) : 0) }
            for place in 0..<4 {
                text.append(place > count ? UInt8(ascii: "=") : alphabet[Int(bits >> UInt32(18 - 6 * place) & 63)])
            }
        }
        return text
    }
}
