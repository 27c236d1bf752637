internal import MediaIO

/// A key of boxed metadata: what values with its number mean, and how they are stored.
package struct BoxedMetadataKey: Hashable, Sendable {
    /// How values are stored.
    package enum DataType: Hashable, Sendable {
        /// By QuickTime's numbers of well-known types.
        case wellKnown(UInt32)
        /// By a name in reverse domain order.
        case named(String)
        /// By what is not known.
        case other(namespace: UInt32, [UInt8])
    }

    /// What samples call it; 0 in no key.
    package var localID: UInt32
    /// `mdta`, `uiso` and so on; `fiel` for what is part of another key's values.
    package var namespace: FourCC
    /// Its name in the namespace.
    package var value: [UInt8]
    package var dataType: DataType?
    /// A BCP 47 tag; `nil` if the file names no language.
    package var languageTag: String?
    /// What programs leave for those who decode values; `nil` for nothing.
    package var setupData: [UInt8]?
    /// The well-known types that the type of its values is a kind of.
    package var conformingTypes: [UInt32]

    /// A key of its facts.
    package init(
        localID: UInt32, namespace: FourCC, value: [UInt8], dataType: DataType?, languageTag: String? = nil,
        setupData: [UInt8]? = nil, conformingTypes: [UInt32] = []
    ) {
        (self.localID, self.namespace, self.value, self.dataType) = (localID, namespace, value, dataType)
        (self.languageTag, self.setupData, self.conformingTypes) = (languageTag, setupData, conformingTypes)
    }

    /// Reads a box of the key table, whose type is the number; `nil` if it declares no key, or one that is out of use.
    init?(_ box: Box, _ reader: BoxReader) {
        guard box.type.rawValue != 0 else { return nil }
        let boxes = reader.boxes(in: box.content)
        func content(_ type: FourCC) -> [UInt8]? {
            boxes.first { $0.type == type }.map { reader.bytes(of: $0) }
        }
        guard let declaration = content("keyd"), let namespace = declaration.fourCC(at: 0) else { return nil }
        self.init(
            localID: box.type.rawValue, namespace: namespace, value: Array(declaration.dropFirst(4)),
            dataType: content("dtyp").flatMap { DataType($0) })
        languageTag = content("loca").flatMap { bytes in
            String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self).flatMap { $0.isEmpty ? nil : $0 }
        }
        setupData = content("setu")
        if let types = boxes.first(where: { $0.type == "ctps" }) {
            conformingTypes = reader.boxes(in: types.content).compactMap { box in
                guard case .wellKnown(let code) = DataType(reader.bytes(of: box)) else { return nil }
                return code
            }
        }
    }

    /// The box.
    var box: [UInt8] {
        var content = [UInt8].box("keyd", namespace.bytes + value)
        if let dataType { content += .box("dtyp", dataType.bytes) }
        if let languageTag { content += .box("loca", Array(languageTag.utf8) + [0]) }
        if let setupData { content += .box("setu", setupData) }
        if !conformingTypes.isEmpty {
            content += .box("ctps", conformingTypes.flatMap { [UInt8].box("dtyp", DataType.wellKnown($0).bytes) })
        }
        return .box(FourCC(rawValue: localID), content)
    }
}

extension BoxedMetadataKey.DataType {
    /// What some bytes mean in a namespace: 0 counts well-known types, 1 has names.
    package init?(namespace: UInt32, _ content: [UInt8]) {
        switch namespace {
        case 0: if let code = content.bigEndian32(at: 0) { self = .wellKnown(code) } else { return nil }
        case 1: if let name = String(validating: content, as: UTF8.self) { self = .named(name) } else { return nil }
        default: self = .other(namespace: namespace, content)
        }
    }

    /// The namespace, and the bytes in it.
    package var parts: (namespace: UInt32, content: [UInt8]) {
        switch self {
        case .wellKnown(let code):
            var content: [UInt8] = []
            content.append(bigEndian: code)
            return (0, content)
        case .named(let name): return (1, Array(name.utf8))
        case .other(let namespace, let content): return (namespace, content)
        }
    }

    /// Reads the content of `dtyp`.
    init?(_ content: [UInt8]) {
        guard let namespace = content.bigEndian32(at: 0) else { return nil }
        self.init(namespace: namespace, Array(content.dropFirst(4)))
    }

    /// The content of `dtyp`.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(bigEndian: parts.namespace)
        return bytes + parts.content
    }
}

/// What a track of boxed metadata says of its samples: the keys that their values have.
///
/// Source: ISO/IEC 14496-12, multiplexed metadata; QuickTime File Format, timed metadata media.
package struct BoxedMetadataDescription: Hashable, Sendable {
    package private(set) var keys: [BoxedMetadataKey] = []
    /// Where keys are by their numbers; of several with one number the first counts.
    private var places: [UInt32: Int] = [:]

    /// The type of such sample descriptions.
    static let type: FourCC = "mebx"
    /// What comes before the boxes of a sample description.
    private static let fields = 8
    /// More keys than these are damage.
    private static let maximumKeys = 4096

    /// A description of its keys.
    package init(keys: [BoxedMetadataKey]) { for key in keys { append(key) } }

    /// Adds a key at the end.
    package mutating func append(_ key: BoxedMetadataKey) {
        if places[key.localID] == nil { places[key.localID] = keys.count }
        keys.append(key)
    }

    /// The key of a number.
    package subscript(localID: UInt32) -> BoxedMetadataKey? { places[localID].map { keys[$0] } }

    /// Reads a sample description; `nil` for one of another kind.
    package init?(_ entry: SampleEntry) {
        guard entry.type == Self.type, entry.content.count >= Self.fields else { return nil }
        let reader = BoxReader(file: RandomAccessFile(bytes: Array(entry.content.dropFirst(Self.fields))))
        let table = reader.boxes(in: 0..<reader.file.byteCount).first { $0.type == "keys" }
        guard let table else { return nil }
        self.init(
            keys: reader.boxes(in: table.content).prefix(Self.maximumKeys).compactMap { BoxedMetadataKey($0, reader) })
    }

    /// The sample description.
    var entry: SampleEntry {
        // Six bytes that mean nothing, then the first of the data references.
        SampleEntry(type: Self.type, content: [0, 0, 0, 0, 0, 0, 0, 1] + .box("keys", keys.flatMap(\.box)))
    }

    // MARK: Samples

    /// A value in a sample.
    package struct Value: Hashable, Sendable {
        /// The key's number.
        package var localID: UInt32
        package var bytes: [UInt8]

        package init(localID: UInt32, bytes: [UInt8]) { (self.localID, self.bytes) = (localID, bytes) }
    }

    /// The values in a sample.
    ///
    /// Damage ends them; what has no number means nothing.
    package static func values(in sample: [UInt8]) -> [Value] {
        let reader = BoxReader(file: RandomAccessFile(bytes: sample))
        return reader.boxes(in: 0..<reader.file.byteCount).filter { $0.type.rawValue != 0 }.map {
            Value(localID: $0.type.rawValue, bytes: reader.bytes(of: $0, limit: .max))
        }
    }

    /// A sample of values; one of none, which says that nothing holds any more, is a box that means nothing.
    package static func sample(of values: [Value]) -> [UInt8] {
        guard !values.isEmpty else { return .box(.none, []) }
        return values.flatMap { [UInt8].box(FourCC(rawValue: $0.localID), $0.bytes) }
    }
}
