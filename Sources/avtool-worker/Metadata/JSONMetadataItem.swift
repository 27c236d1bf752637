internal import AVToolCommands
internal import Foundation
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// A piece of metadata as JSON has it, in and out.
struct JSONMetadataItem: Codable {
    let identifier: String
    let keySpace: String?
    let key: String?
    let commonKey: String?
    let locale: String?
    /// The value's type without what all types begin with: `UTF-8`.
    let type: String?
    let value: JSONMetadataValue?
    /// The value for people, where that is not the value itself.
    let display: String?
    /// Bytes of a value that is data.
    let byteCount: Int?
    let extra: [String: JSONMetadataValue]?

    /// - Parameter withData: Whether data are written out, or only their size.
    init(_ entry: MetadataEntry, withData: Bool) {
        identifier = entry.identifier.rawValue
        keySpace = entry.keySpace.rawValue
        key = entry.key.text
        commonKey = entry.commonKey?.rawValue
        locale = entry.languageTag
        type = entry.dataType.map { MetadataDataType.shortName(of: $0) }
        let data: [UInt8]? = if case .data(let bytes) = entry.value { bytes } else { nil }
        value = data == nil || withData ? JSONMetadataValue(entry.value) : nil
        display = entry.displayText
        byteCount = data?.count
        extra =
            entry.extras.isEmpty
            ? nil
            : Dictionary(
                entry.extras.map { ($0.key.rawValue, JSONMetadataValue($0.value)) },
                uniquingKeysWith: { first, _ in first })
    }

    /// The item as writers take it.
    ///
    /// - Throws: If the identifier is none, or the value is missing.
    func entry() throws -> MetadataEntry {
        let name = AVMetadataIdentifier(rawValue: identifier)
        guard let keySpace = name.keySpace, let key = name.key else {
            throw Failure(.invalidJSON, "'\(identifier)' is no metadata identifier")
        }
        guard let value else {
            throw Failure(.invalidJSON, "\(identifier) has no value")
        }
        let dataType = type.map { MetadataDataType.named($0) }
        return MetadataEntry(
            keySpace, key, value.value(ofType: dataType), dataType: dataType, languageTag: locale,
            extras: Dictionary(
                (extra ?? [:]).map { (AVMetadataExtraAttributeKey(rawValue: $0.key), $0.value.value) },
                uniquingKeysWith: { first, _ in first }))
    }
}

/// A value as JSON has it: text, a number, or data as `{"base64": …}`.
struct JSONMetadataValue: Codable {
    let value: MetadataValue

    init(_ value: MetadataValue) { self.value = value }

    /// The value; a whole number is a real one where the type says so, which JSON does not tell.
    func value(ofType type: String?) -> MetadataValue {
        guard case .integer(let number) = value, [MetadataDataType.float32, MetadataDataType.float64].contains(type)
        else { return value }
        return .real(Double(number))
    }

    private enum Key: CodingKey { case base64 }

    init(from decoder: any Decoder) throws {
        if let container = try? decoder.container(keyedBy: Key.self) {
            let text = try container.decode(String.self, forKey: .base64)
            guard let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters) else {
                throw DecodingError.dataCorruptedError(forKey: .base64, in: container, debugDescription: "not base64")
            }
            value = .data([UInt8](data))
            return
        }
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Int64.self) {
            value = .integer(number)
        } else if let number = try? container.decode(Double.self) {
            value = .real(number)
        } else {
            value = .text(try container.decode(String.self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        switch value {
        case .data(let bytes):
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(Data(bytes).base64EncodedString(), forKey: .base64)
        case .text(let text):
            var container = encoder.singleValueContainer()
            try container.encode(text)
        case .integer(let number):
            var container = encoder.singleValueContainer()
            try container.encode(number)
        case .real(let number):
            var container = encoder.singleValueContainer()
            try container.encode(number)
        }
    }
}

extension MetadataEntry {
    /// What a value that is data says, for people: `3/12`, `600x600 JPEG 84 kB`.
    ///
    /// `nil` for text and numbers.
    var displayText: String? {
        guard case .data(let bytes) = value else { return nil }
        if let pair = numberPair { return pair.count > 0 ? "\(pair.number)/\(pair.count)" : "\(pair.number)" }
        return DataSummary.text(of: bytes)
    }
}
