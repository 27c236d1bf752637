internal import Foundation

/// What the directories of a TIFF file, or of Exif data, say in Image I/O's words.
///
/// Source: TIFF 6.0, section 2; EXIF 2.32 (CIPA DC-008), 4.6.
struct MetadataDirectory {
    /// Text, numbers and lists of numbers by their keys.
    private(set) var picture: [String: Any] = [:]
    private(set) var exposure: [String: Any] = [:]
    private(set) var position: [String: Any] = [:]
    /// The JPEG file of a small picture that comes along.
    private(set) var thumbnail: [UInt8]?

    /// More entries of a directory than this are not read; cameras write some dozens.
    private static let maximumEntries = 512
    /// More numbers in one entry than this are not read.
    private static let maximumValues = 4096

    /// - Returns: `nil` for bytes that do not begin as such data do.
    init?(_ bytes: [UInt8]) {
        var reader = ByteReader(bytes: bytes)
        reader.isLittle = bytes.first == 0x49
        guard bytes.starts(with: reader.isLittle ? [0x49, 0x49] : [0x4d, 0x4d]), reader.number(2, 2) == 42,
            let first = reader.number(4, 4)
        else { return nil }
        picture = Self.values(of: first, MetadataTag.picture, reader)
        if let exif = Self.whole(0x8769, of: first, reader) {
            exposure = Self.values(of: exif, MetadataTag.exposure, reader)
        }
        if let gps = Self.whole(0x8825, of: first, reader) {
            position = Self.values(of: gps, MetadataTag.position, reader)
        }
        // The second directory is that of the small picture.
        guard let count = reader.number(first, 2), let next = reader.number(first + 2 + 12 * count, 4), next != 0,
            let start = Self.whole(0x0201, of: next, reader), let length = Self.whole(0x0202, of: next, reader)
        else { return }
        thumbnail = reader.part(start, length).map { Array($0) }
    }

    /// What is said nowhere else: the picture's resolution in dots for each inch.
    var resolution: (x: Double, y: Double)? {
        guard let x = picture["XResolution"] as? Double, let y = picture["YResolution"] as? Double, x > 0, y > 0 else {
            return nil
        }
        return picture["ResolutionUnit"] as? Int == 3 ? (x * 2.54, y * 2.54) : (x, y)
    }

    private struct Entry {
        var type: Int, count: Int, place: Int
    }

    private static func entry(_ number: UInt16, of directory: Int, _ reader: ByteReader) -> Entry? {
        guard let count = reader.number(directory, 2) else { return nil }
        for index in 0..<min(count, maximumEntries) {
            let place = directory + 2 + 12 * index
            guard let tag = reader.number(place, 2) else { return nil }
            guard tag == number else { continue }
            guard let type = reader.number(place + 2, 2), let values = reader.number(place + 4, 4),
                let size = [1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 9: 4, 10: 8][type], values > 0,
                values <= 1 << 20
            else { return nil }
            guard values * size > 4 else { return Entry(type: type, count: values, place: place + 8) }
            guard let far = reader.number(place + 8, 4), reader.part(far, values * size) != nil else { return nil }
            return Entry(type: type, count: values, place: far)
        }
        return nil
    }

    private static func whole(_ number: UInt16, of directory: Int, _ reader: ByteReader) -> Int? {
        entry(number, of: directory, reader).flatMap { numbers(of: $0, reader).first }.flatMap { Int(exactly: $0) }
    }

    private static func numbers(of entry: Entry, _ reader: ByteReader) -> [Double] {
        (0..<min(entry.count, maximumValues)).compactMap { index in
            func signed(_ value: Int) -> Double { Double(Int32(truncatingIfNeeded: value)) }
            switch entry.type {
            case 1, 6, 7: return reader.number(entry.place + index, 1).map { Double($0) }
            case 3: return reader.number(entry.place + 2 * index, 2).map { Double($0) }
            case 4: return reader.number(entry.place + 4 * index, 4).map { Double($0) }
            case 9: return reader.number(entry.place + 4 * index, 4).map(signed)
            case 5, 10:
                guard let over = reader.number(entry.place + 8 * index, 4),
                    let under = reader.number(entry.place + 8 * index + 4, 4), under != 0
                else { return nil }
                return entry.type == 5 ? Double(over) / Double(under) : signed(over) / signed(under)
            default: return nil
            }
        }
    }

    private static func values(of directory: Int, _ tags: [MetadataTag], _ reader: ByteReader) -> [String: Any] {
        var values: [String: Any] = [:]
        for tag in tags {
            guard let entry = entry(tag.number, of: directory, reader) else { continue }
            values[tag.key] = value(of: entry, tag.kind, reader)
        }
        return values
    }

    private static func value(of entry: Entry, _ kind: MetadataTag.Kind, _ reader: ByteReader) -> Any? {
        let numbers = kind == .ascii ? [] : numbers(of: entry, reader)
        switch kind {
        case .ascii, .comment:
            guard var text = reader.part(entry.place, entry.count) else { return nil }
            if kind == .comment { text = text.dropFirst(8) }
            return String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
        case .byte, .short, .long: return numbers.first.flatMap { Int(exactly: $0) }
        case .shorts: return numbers.compactMap { Int(exactly: $0) }
        case .rational, .srational: return numbers.first
        case .rationals: return numbers
        case .degrees:
            guard numbers.count == 3 else { return nil }
            return numbers[0] + numbers[1] / 60 + numbers[2] / 3600
        case .clock:
            guard numbers.count == 3, numbers.allSatisfy({ $0 >= 0 && $0 < 100 }) else { return nil }
            return numbers.map { String(format: "%02d", Int($0)) }.joined(separator: ":")
        }
    }
}
