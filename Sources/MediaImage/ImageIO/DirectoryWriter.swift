internal import Foundation

/// Writes the directories of a TIFF file or of Exif data, the lower byte of numbers first.
///
/// Source: TIFF 6.0, section 2; EXIF 2.32 (CIPA DC-008), 4.6.
struct DirectoryWriter {
    private struct Entry {
        var tag: UInt16, type: UInt16, count: Int, bytes: [UInt8]
    }

    private var picture: [Entry] = []
    private var exposure: [Entry] = []
    private var position: [Entry] = []

    /// Whether nothing would be written.
    var isEmpty: Bool { picture.isEmpty && exposure.isEmpty && position.isEmpty }

    init() {}

    /// What of an image's properties belongs into directories.
    init(_ properties: ImageProperties) {
        var first = properties.group(kCGImagePropertyTIFFDictionary)
        if let code = properties.number(kCGImagePropertyOrientation) { first[kCGImagePropertyTIFFOrientation] = code }
        if let x = properties.number(kCGImagePropertyDPIWidth), let y = properties.number(kCGImagePropertyDPIHeight) {
            first[kCGImagePropertyTIFFXResolution] = x
            first[kCGImagePropertyTIFFYResolution] = y
            first[kCGImagePropertyTIFFResolutionUnit] = 2
        }
        picture = Self.entries(first, MetadataTag.picture)
        exposure = Self.entries(properties.group(kCGImagePropertyExifDictionary), MetadataTag.exposure)
        position = Self.entries(properties.group(kCGImagePropertyGPSDictionary), MetadataTag.position)
    }

    // MARK: Values

    mutating func set(_ tag: UInt16, shorts values: [Int]) {
        picture.removeAll { $0.tag == tag }
        picture.append(Entry(tag: tag, type: 3, count: values.count, bytes: values.flatMap { Self.little($0, 2) }))
    }

    mutating func set(_ tag: UInt16, long value: Int) {
        picture.removeAll { $0.tag == tag }
        picture.append(Entry(tag: tag, type: 4, count: 1, bytes: Self.little(value, 4)))
    }

    mutating func set(_ tag: UInt16, bytes: [UInt8]) {
        picture.removeAll { $0.tag == tag }
        picture.append(Entry(tag: tag, type: 7, count: bytes.count, bytes: bytes))
    }

    private static func little(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private static func entries(_ properties: ImageProperties, _ tags: [MetadataTag]) -> [Entry] {
        tags.compactMap { tag in
            guard let value = properties.values[tag.key], tag.number != 0x0112 || isOrientation(value) else {
                return nil
            }
            return entry(of: value, tag)
        }
    }

    private static func isOrientation(_ value: Any) -> Bool {
        ImageProperties.number(value).map { (1...8).contains($0) } ?? false
    }

    /// An entry, `nil` for a value that is of no use for it.
    private static func entry(of value: Any, _ tag: MetadataTag) -> Entry? {
        let text = (value as? String) ?? (value as? NSString).map { $0 as String }
        let list = (value as? [Any]) ?? (value as? NSArray).map { Array($0) } ?? [value]
        let numbers = list.compactMap { ImageProperties.number($0) }.filter { $0.isFinite }
        func make(_ type: UInt16, _ values: [Double], _ bytes: (Double) -> [UInt8]) -> Entry? {
            guard !values.isEmpty, values.count <= 64 else { return nil }
            return Entry(tag: tag.number, type: type, count: values.count, bytes: values.flatMap(bytes))
        }
        func whole(_ value: Double, _ bits: Int) -> Int { Int(min(max(0, value.rounded()), Double(1 << bits - 1))) }
        switch tag.kind {
        case .ascii:
            guard let text, text.utf8.count < 32768 else { return nil }
            let bytes = text.utf8.filter { $0 != 0 } + [0]
            return Entry(tag: tag.number, type: 2, count: bytes.count, bytes: bytes)
        case .comment:
            guard let text, text.utf8.count < 32768 else { return nil }
            // Text that is not ASCII has no encoding of a name that all would read; theirs is of no name.
            let name =
                text.utf8.allSatisfy { $0 < 128 } ? Array("ASCII".utf8) + [0, 0, 0] : [UInt8](repeating: 0, count: 8)
            return Entry(tag: tag.number, type: 7, count: 8 + text.utf8.count, bytes: name + Array(text.utf8))
        case .byte: return make(1, Array(numbers.prefix(1))) { little(whole($0, 8), 1) }
        case .short: return make(3, Array(numbers.prefix(1))) { little(whole($0, 16), 2) }
        case .shorts: return make(3, numbers) { little(whole($0, 16), 2) }
        case .long: return make(4, Array(numbers.prefix(1))) { little(whole($0, 32), 4) }
        case .rational: return make(5, Array(numbers.prefix(1))) { fraction(max(0, $0)) }
        case .rationals: return make(5, numbers) { fraction(max(0, $0)) }
        case .srational: return make(10, Array(numbers.prefix(1))) { fraction($0) }
        case .degrees:
            guard let degrees = numbers.first.map({ abs($0) }), degrees <= 180 else { return nil }
            let minutes = (degrees - degrees.rounded(.down)) * 60
            return make(5, [degrees.rounded(.down), minutes.rounded(.down), (minutes - minutes.rounded(.down)) * 60]) {
                fraction($0)
            }
        case .clock:
            let parts = (text ?? "").split(separator: ":").compactMap { Double($0) }
            return parts.count == 3 ? make(5, parts.map { max(0, $0) }) { fraction($0) } : nil
        }
    }

    /// A number as two numbers of 32 bits: whole ones and those of a small denominator exactly.
    private static func fraction(_ value: Double) -> [UInt8] {
        let limited = min(max(value, -2_000_000_000), 2_000_000_000)
        for under in [1, 2, 3, 5, 6, 8, 10, 15, 25, 30, 50, 60, 80, 100, 125, 160, 200, 250, 320, 400, 500, 640, 800] {
            let over = limited * Double(under)
            if abs(over - over.rounded()) < 1e-9, abs(over) < 2_000_000_000 {
                return little(Int(over.rounded()), 4) + little(under, 4)
            }
        }
        // A speed of shutter is one over a whole number.
        if limited > 0, limited < 1, abs(1 / limited - (1 / limited).rounded()) < 1e-6, limited > 1e-9 {
            return little(1, 4) + little(Int((1 / limited).rounded()), 4)
        }
        let under = abs(limited) < 2000 ? 1_000_000 : 1
        return little(Int((limited * Double(under)).rounded()), 4) + little(under, 4)
    }

    // MARK: Layout

    /// The directories, beginning with the file's header.
    ///
    /// - Parameter stripSize: The bytes of a picture that will follow at once; its place and length are entered.
    func data(stripSize: Int? = nil) -> [UInt8] {
        var first = picture
        let own = [(UInt16(0x8769), exposure), (UInt16(0x8825), position)].filter { !$0.1.isEmpty }
        for (tag, _) in own { first.append(Entry(tag: tag, type: 4, count: 1, bytes: [0, 0, 0, 0])) }
        if let stripSize {
            first.append(Entry(tag: 0x0111, type: 4, count: 1, bytes: [0, 0, 0, 0]))
            first.append(Entry(tag: 0x0117, type: 4, count: 1, bytes: Self.little(stripSize, 4)))
        }
        var place = 8 + Self.size(of: first)
        for (tag, entries) in own {
            Self.set(tag, place, in: &first)
            place += Self.size(of: entries)
        }
        if stripSize != nil { Self.set(0x0111, place, in: &first) }
        var result = [0x49, 0x49, 42, 0, 8, 0, 0, 0] + Self.directory(first, at: 8)
        for (_, entries) in own { result += Self.directory(entries, at: result.count) }
        return result
    }

    private static func set(_ tag: UInt16, _ value: Int, in entries: inout [Entry]) {
        for index in entries.indices where entries[index].tag == tag { entries[index].bytes = little(value, 4) }
    }

    private static func size(of entries: [Entry]) -> Int {
        2 + 12 * entries.count + 4
            + entries.filter { $0.bytes.count > 4 }.reduce(0) { $0 + ($1.bytes.count + 1) / 2 * 2 }
    }

    private static func directory(_ entries: [Entry], at start: Int) -> [UInt8] {
        var table = little(entries.count, 2)
        var content: [UInt8] = []
        let contentStart = start + 2 + 12 * entries.count + 4
        for entry in entries.sorted(by: { $0.tag < $1.tag }) {
            table += little(Int(entry.tag), 2) + little(Int(entry.type), 2) + little(entry.count, 4)
            if entry.bytes.count > 4 {
                table += little(contentStart + content.count, 4)
                content += entry.bytes + [UInt8](repeating: 0, count: entry.bytes.count % 2)
            } else {
                table += entry.bytes + [UInt8](repeating: 0, count: 4 - entry.bytes.count)
            }
        }
        return table + [0, 0, 0, 0] + content
    }
}

/// Puts Exif data and the resolution into files that were made without them.
enum MetadataInsertion {
    /// - Parameters:
    ///   - exif: Without the letters that they begin with in a JPEG; none if empty.
    ///   - resolution: Dots for each inch.
    ///   - hasAlpha: What a WebP's header is to say.
    static func adding(
        exif: [UInt8], resolution: (x: Double, y: Double)?, to file: Data, _ format: PictureFormat,
        size: (width: Int, height: Int), hasAlpha: Bool
    ) -> Data {
        switch format {
        case .jpeg: jpeg(Array(file), exif, resolution)
        case .png: png(Array(file), exif, resolution)
        case .webP where !exif.isEmpty: webP(Array(file), exif, size, hasAlpha)
        default: file
        }
    }

    private static func big(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
    }

    private static func little(_ value: Int, _ count: Int) -> [UInt8] { big(value, count).reversed() }

    private static func jpeg(_ file: [UInt8], _ exif: [UInt8], _ resolution: (x: Double, y: Double)?) -> Data {
        var file = file
        var place = 2
        // The encoder begins with a JFIF segment.
        if file.count > 20, file[2] == 0xff, file[3] == 0xe0 {
            place = 4 + Int(file[4]) << 8 + Int(file[5])
            if let resolution {
                let dots = [resolution.x, resolution.y].map { Int(min(65535, max(1, $0.rounded()))) }
                file.replaceSubrange(13..<18, with: [1] + big(dots[0], 2) + big(dots[1], 2))
            }
        }
        let content = Array("Exif".utf8) + [0, 0] + exif
        guard !exif.isEmpty, content.count + 2 <= 65535, place <= file.count else { return Data(file) }
        file.insert(contentsOf: [0xff, 0xe1] + big(content.count + 2, 2) + content, at: place)
        return Data(file)
    }

    private static func png(_ file: [UInt8], _ exif: [UInt8], _ resolution: (x: Double, y: Double)?) -> Data {
        var added: [UInt8] = []
        if let resolution {
            // Dots for each metre.
            let dots = [resolution.x, resolution.y].map { Int(min(2_000_000_000, max(1, $0 / 0.0254)).rounded()) }
            added += chunk("pHYs", big(dots[0], 4) + big(dots[1], 4) + [1])
        }
        if !exif.isEmpty { added += chunk("eXIf", exif) }
        // Behind the header of 25 bytes, before everything else.
        guard file.count > 33 else { return Data(file) }
        return Data(file[..<33] + added + file[33...])
    }

    private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let body = Array(name.utf8) + content
        return big(content.count, 4) + body + big(Int(checksum(body)), 4)
    }

    /// Source: PNG Specification (Third Edition), annex D.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var value = UInt32.max
        for byte in bytes {
            value ^= UInt32(byte)
            for _ in 0..<8 { value = value & 1 == 1 ? 0xedb8_8320 ^ value >> 1 : value >> 1 }
        }
        return ~value
    }

    /// Source: RFC 9649, 2.7.
    private static func webP(
        _ file: [UInt8], _ exif: [UInt8], _ size: (width: Int, height: Int), _ hasAlpha: Bool
    ) -> Data {
        guard file.count > 20 else { return Data(file) }
        var body = Array(file[12...])
        if body.starts(with: "VP8X".utf8) {
            body[8] |= 0x08
        } else {
            let flags: [UInt8] = [0x08 | (hasAlpha ? 0x10 : 0), 0, 0, 0]
            let header = flags + little(size.width - 1, 3) + little(size.height - 1, 3)
            body = Array("VP8X".utf8) + little(10, 4) + header + body
        }
        body += Array("EXIF".utf8) + little(exif.count, 4) + exif + [UInt8](repeating: 0, count: exif.count % 2)
        return Data(Array("RIFF".utf8) + little(4 + body.count, 4) + Array("WEBP".utf8) + body)
    }
}

/// Writes a TIFF file: one strip without compression, in 8 or 16 bits, alpha kept.
///
/// Source: TIFF 6.0, sections 6 and 18.
enum TIFFFile {
    /// - Returns: `nil` for a picture of 4 GiB or more, which such a file cannot hold.
    static func data(of image: CGImage, _ properties: ImageProperties) -> Data? {
        var writer = DirectoryWriter(properties)
        let channels = image.hasAlpha ? 4 : 3
        writer.set(0x0100, long: image.width)
        writer.set(0x0101, long: image.height)
        writer.set(0x0102, shorts: [Int](repeating: image.bitsPerComponent, count: channels))
        writer.set(0x0103, shorts: [1])
        writer.set(0x0106, shorts: [2])
        writer.set(0x0115, shorts: [channels])
        writer.set(0x0116, long: image.height)
        writer.set(0x011c, shorts: [1])
        // Alpha that colours are not multiplied by.
        if image.hasAlpha { writer.set(0x0152, shorts: [2]) }
        if let space = image.colorSpace, !space.isSRGB, let profile = space.copyICCData() {
            writer.set(0x8773, bytes: Array(profile))
        }
        guard image.pixels.count < Int(UInt32.max) - 1 << 20 else { return nil }
        // Components of 16 bits are in the machine's order, and so is the file.
        return Data(writer.data(stripSize: image.pixels.count)) + image.pixels
    }
}
