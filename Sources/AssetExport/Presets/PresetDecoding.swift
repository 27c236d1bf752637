public import Foundation
internal import MediaAsset
internal import MediaEngine
internal import MediaIO

/// A key of a preset's document.
struct PresetKey: CodingKey {
    let stringValue: String
    let intValue: Int? = nil
    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
}

/// One object of a preset's document, whose keys are all known and whose values are in range.
struct PresetObject {
    private let container: KeyedDecodingContainer<PresetKey>

    init(_ decoder: any Decoder, keys: [String]) throws {
        container = try decoder.container(keyedBy: PresetKey.self)
        let unknown = container.allKeys.map(\.stringValue).filter { !keys.contains($0) }.min()
        if let unknown { throw error(unknown, "there is no such key; allowed are \(keys.joined(separator: ", "))") }
    }

    func has(_ key: String) -> Bool { container.contains(PresetKey(key)) }

    func error(_ key: String, _ reason: String) -> DecodingError {
        DecodingError.dataCorrupted(
            .init(codingPath: container.codingPath + [PresetKey(key)], debugDescription: reason))
    }

    func value<Value: Decodable>(_ key: String, as type: Value.Type = Value.self) throws -> Value {
        guard has(key) else { throw error(key, "is missing") }
        return try container.decode(Value.self, forKey: PresetKey(key))
    }

    func optional<Value: Decodable>(_ key: String, as type: Value.Type = Value.self) throws -> Value? {
        try container.decodeIfPresent(Value.self, forKey: PresetKey(key))
    }

    func number<Value: Decodable & Comparable>(_ key: String, in range: ClosedRange<Value>) throws -> Value? {
        guard let value = try optional(key, as: Value.self) else { return nil }
        guard range.contains(value) else {
            throw error(key, "must be from \(Self.text(range.lowerBound)) to \(Self.text(range.upperBound))")
        }
        return value
    }

    /// A text of the allowed ones.
    func choice(_ key: String, of allowed: [String]) throws -> String? {
        guard let value = try optional(key, as: String.self) else { return nil }
        guard allowed.contains(value) else { throw error(key, "must be one of \(allowed.joined(separator: ", "))") }
        return value
    }

    func choice<Value: RawRepresentable<String> & CaseIterable>(_ key: String, or initial: Value) throws -> Value {
        try choice(key, of: Value.allCases.map(\.rawValue)).flatMap { Value(rawValue: $0) } ?? initial
    }

    func required<Value>(_ key: String, _ value: Value?) throws -> Value {
        guard let value else { throw error(key, "is missing") }
        return value
    }

    /// A number as a person writes it.
    private static func text(_ number: some Any) -> String {
        let text = "\(number)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}

/// The value of an encoder's option: a text, a number or a truth value.
private struct OptionValue: Decodable {
    let text: String

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            self.text = text
        } else if let flag = try? container.decode(Bool.self) {
            text = flag ? "1" : "0"
        } else if let number = try? container.decode(Int.self) {
            text = String(number)
        } else if let number = try? container.decode(Double.self) {
            text = String(number)
        } else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "must be a text, a number, true or false")
        }
    }
}

/// An object whose keys are free, each with a value.
private struct OpenObject<Value: Decodable>: Decodable {
    let values: [String: Value]

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: PresetKey.self)
        values = try Dictionary(
            container.allKeys.map { ($0.stringValue, try container.decode(Value.self, forKey: $0)) },
            uniquingKeysWith: { first, _ in first })
    }
}

extension PresetObject {
    /// Options of an encoder.
    ///
    /// - Parameter separators: Characters that would end a value.
    func options(_ key: String, separators: String = "") throws -> [String: String] {
        guard let object = try optional(key, as: OpenObject<OptionValue>.self) else { return [:] }
        for (name, value) in object.values.sorted(by: { $0.key < $1.key }) {
            let place = "\(key).\(name)"
            let isPlain =
                !name.isEmpty && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "_-".contains($0)) }
            guard isPlain else { throw error(place, "a name is made of letters, digits, - and _") }
            guard !EncoderTraits.namesFile(name) else { throw error(place, "options that name files are not allowed") }
            guard !EncoderTraits.isField(name) else { throw error(place, "a field of its own says this") }
            let allowed = "_-.,+=:()".filter { !separators.contains($0) }
            guard value.text.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) || allowed.contains($0) }) else {
                throw error(place, "a value is made of letters, digits and \(allowed)")
            }
        }
        return object.values.mapValues(\.text)
    }

    /// Bit rates by the number of channels.
    func bitRates(_ key: String) throws -> [Int: Int64] {
        guard let object = try optional(key, as: OpenObject<Int64>.self) else { return [:] }
        var result: [Int: Int64] = [:]
        for (name, rate) in object.values {
            guard let channels = Int(name), (1...16).contains(channels), String(channels) == name else {
                throw error("\(key).\(name)", "the number of channels must be from 1 to 16")
            }
            guard Self.audioBitRates.contains(rate) else {
                throw error(
                    "\(key).\(name)",
                    "must be from \(Self.audioBitRates.lowerBound) to \(Self.audioBitRates.upperBound)")
            }
            result[channels] = rate
        }
        return result
    }

    private static let audioBitRates: ClosedRange<Int64> = 6_000...4_000_000
}

extension ExportPreset {
    /// Reads a document.
    ///
    /// - Parameters:
    ///   - json: The document's text, of a mebibyte at most.
    ///   - path: Where it is from, for errors.
    /// - Throws: ``ExportPresetError`` of the kind `invalid`, with the place in the document. Encoders are not asked:
    ///   see ``checkEncoders(for:path:)``.
    public init(json: Data, path: String? = nil) throws {
        guard json.count <= Self.maximumDocumentSize else {
            throw ExportPresetError(
                .invalid, path: path, "a preset has \(Self.maximumDocumentSize) bytes at most")
        }
        do {
            self = try JSONDecoder().decode(ExportPreset.self, from: json)
        } catch let error as DecodingError {
            throw ExportPresetError(error, in: json, path: path)
        }
    }

    /// The document, its keys in alphabetical order.
    ///
    /// - Throws: An `EncodingError` for a number that JSON does not have.
    public func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self)
    }

    /// Bytes of a preset; the longest of ours has some thousand.
    static let maximumDocumentSize = 1 << 20

    /// Reads a preset, all of whose keys have to be known and whose values have to be in range.
    public init(from decoder: any Decoder) throws {
        let object = try PresetObject(
            decoder,
            keys: [
                "$schema", "name", "description", "avFoundation", "fileTypes", "video", "audio", "subtitles",
                "otherTracks", "chapters", "metadata", "fileLengthLimit",
            ])
        _ = try object.optional("$schema", as: String.self)
        name = try object.value("name")
        guard name.wholeMatch(of: /[A-Za-z0-9][A-Za-z0-9._-]{0,63}/) != nil else {
            throw object.error("name", "must be letters, digits, '.', '-' and '_', 64 at most, a letter or digit first")
        }
        description = try object.value("description")
        guard (1...500).contains(description.count) else {
            throw object.error("description", "must have from 1 to 500 characters")
        }
        avFoundationName = try object.choice("avFoundation", of: AVFoundationPreset.documented)
        fileTypes = try Self.fileTypes(object)
        video = try object.value("video")
        audio = try object.value("audio")
        guard video != .none || audio != .none else {
            throw object.error("audio.mode", "must not be none where video.mode is none")
        }
        subtitles = try object.choice("subtitles", or: .keep)
        otherTracks = try object.choice("otherTracks", or: .keep)
        chapters = try object.choice("chapters", or: .keep)
        metadata = try object.choice("metadata", or: .keep)
        fileLengthLimit = try object.number("fileLengthLimit", in: 10_000...1 << 50)
    }

    private static func fileTypes(_ object: PresetObject) throws -> [AVFileType] {
        let names = try object.value("fileTypes", as: [String].self)
        let types = try names.map { name in
            guard let type = AVFileType(filenameExtension: name), type.isWritable,
                type.preferredFilenameExtension == name
            else { throw object.error("fileTypes", "must be of \(writableTypeNames.joined(separator: ", "))") }
            return type
        }
        guard !types.isEmpty, Set(types).count == types.count else {
            throw object.error("fileTypes", "must name one kind of file or more, each once")
        }
        return types
    }

    /// How documents name the kinds of files that can be written.
    static let writableTypeNames = AVFileType.writable.map(\.preferredFilenameExtension).sorted()

    /// Writes the document.
    public func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: PresetKey.self)
        try object.encode(name, forKey: PresetKey("name"))
        try object.encode(description, forKey: PresetKey("description"))
        try object.encodeIfPresent(avFoundationName, forKey: PresetKey("avFoundation"))
        try object.encode(fileTypes.map(\.preferredFilenameExtension), forKey: PresetKey("fileTypes"))
        try object.encode(video, forKey: PresetKey("video"))
        try object.encode(audio, forKey: PresetKey("audio"))
        try object.encode(subtitles, forKey: PresetKey("subtitles"))
        try object.encode(otherTracks, forKey: PresetKey("otherTracks"))
        try object.encode(chapters, forKey: PresetKey("chapters"))
        try object.encode(metadata, forKey: PresetKey("metadata"))
        try object.encodeIfPresent(fileLengthLimit, forKey: PresetKey("fileLengthLimit"))
    }
}

extension ExportPresetError {
    /// - Parameters:
    ///   - document: What was read.
    ///   - path: The document's file.
    init(_ error: DecodingError, in document: Data, path: String?) {
        func place(_ keys: [any CodingKey]) -> String { keys.map(\.stringValue).joined(separator: ".") }
        switch error {
        case .typeMismatch(let type, let context):
            self.init(.invalid, path: path, keyPath: place(context.codingPath), "must be \(Self.name(of: type))")
        case .valueNotFound(_, let context):
            self.init(.invalid, path: path, keyPath: place(context.codingPath), "must not be null")
        case .keyNotFound(let key, let context):
            self.init(.invalid, path: path, keyPath: place(context.codingPath + [key]), "is missing")
        case .dataCorrupted(let context):
            let error = JSONSyntax.placeOfError(in: document).map { "is not JSON: see \($0)" }
            self.init(.invalid, path: path, keyPath: place(context.codingPath), error ?? context.debugDescription)
        @unknown default:
            self.init(.invalid, path: path, "is not a preset")
        }
    }

    private static func name(of type: any Any.Type) -> String {
        switch type {
        case is String.Type: "a text"
        case is Bool.Type: "true or false"
        case is Int.Type, is Int64.Type: "a whole number"
        case is Double.Type: "a number"
        case is [String].Type, is [Any].Type: "a list"
        default: "an object"
        }
    }
}
