package import MediaContainers
internal import MediaIO
package import MediaMetadata

extension BoxedMetadataKey {
    /// The key space of its name.
    package var keySpace: AVMetadataKeySpace { AVMetadataKeySpace(rawValue: namespace.description) }

    /// Its name in the key space.
    package var key: MetadataKey {
        if keySpace.hasCodes, value.count == 4, let code = value.bigEndian32(at: 0) { return .code(code) }
        return .text(String(validating: value, as: UTF8.self) ?? String(latin1: value))
    }

    /// Key space and name as one text.
    package var identifier: AVMetadataIdentifier { AVMetadataIdentifier(key, keySpace: keySpace) }

    /// The name of the type of its values; `nil` for a type that has none.
    var dataTypeName: String? {
        switch dataType {
        case .wellKnown(let code): DataBox.name(ofWellKnownType: code)
        case .named(let name): name
        case .other, nil: nil
        }
    }

    /// The type by its name.
    static func dataType(named name: String) -> DataType {
        DataBox.wellKnownType(named: name).map { .wellKnown($0) } ?? .named(name)
    }

    /// Types of Apple's that are kinds of others.
    ///
    /// Source: what Core Media's registry of data types knows from the start.
    private static let knownKinds = [
        "com.apple.quicktime.location.ISO6709": MetadataDataType.utf8,
        "com.apple.quicktime.direction": MetadataDataType.utf8, "com.apple.quicktime.uuid": MetadataDataType.utf8,
        "com.apple.quicktime.milli-lux": MetadataDataType.uint32,
    ]

    /// The name of the type that says how values are stored.
    private var storage: String {
        guard let name = dataTypeName else { return MetadataDataType.raw }
        if DataBox.wellKnownType(named: name) != nil { return name }
        return Self.knownKinds[name] ?? conformingTypes.lazy.compactMap { DataBox.name(ofWellKnownType: $0) }.first
            ?? MetadataDataType.raw
    }

    // MARK: Values

    /// What a value's bytes mean.
    func entry(_ bytes: [UInt8]) -> MetadataEntry {
        let box = DataBox(type: DataBox.wellKnownType(named: storage) ?? 0, payload: bytes)
        return MetadataEntry(
            keySpace, key, box.value().value, dataType: dataTypeName, languageTag: languageTag)
    }

    /// The bytes of a value.
    ///
    /// - Throws: Where the type cannot hold it.
    func bytes(of value: MetadataValue) throws(MetadataError) -> [UInt8] {
        switch value {
        case .data(let bytes) where DataBox.isLength(bytes.count, ofType: storage): return bytes
        case .data: break
        case .text(let text):
            if storage == MetadataDataType.utf16 { return TextCoding.utf16BigEndian(text) }
            if storage == MetadataDataType.utf8 { return Array(text.utf8) }
        case .integer(let number):
            if let bytes = DataBox.bytes(of: number, type: storage) { return bytes }
        case .real(let number):
            if let bytes = DataBox.bytes(of: number, type: storage) { return bytes }
        }
        throw MetadataError(
            .unsupported, "\(identifier.rawValue): the type \(dataTypeName ?? "raw data") cannot hold \(value.kind)")
    }
}

extension MetadataValue {
    fileprivate var kind: String {
        switch self {
        case .text: "text"
        case .integer(let number): "the number \(number)"
        case .real(let number): "the number \(number)"
        case .data(let bytes): "\(bytes.count) bytes"
        }
    }
}

extension BoxedMetadataDescription {
    /// What holds during a sample.
    package func entries(in sample: [UInt8]) -> [MetadataEntry] {
        Self.values(in: sample).compactMap { value in self[value.localID]?.entry(value.bytes) }
    }

    /// A sample of what holds at a time.
    ///
    /// - Throws: Where an entry has no key here, or its value is none of the key's type.
    package func sample(of entries: [MetadataEntry]) throws(MetadataError) -> [UInt8] {
        var values: [Value] = []
        for entry in entries {
            guard let key = key(of: entry) else {
                throw MetadataError(
                    .unsupported,
                    "\(entry.identifier.rawValue)\(entry.dataType.map { " of the type \($0)" } ?? ""): the track's "
                        + "description has no such key")
            }
            values.append(Value(localID: key.localID, bytes: try key.bytes(of: entry.value)))
        }
        return Self.sample(of: values)
    }

    /// The key of an entry: of its language, or else of none.
    private func key(of entry: MetadataEntry) -> BoxedMetadataKey? {
        let matching = keys.filter {
            $0.identifier == entry.identifier && (entry.dataType == nil || $0.dataTypeName == entry.dataType)
        }
        return matching.first { $0.languageTag == entry.languageTag } ?? matching.first { $0.languageTag == nil }
            ?? (entry.languageTag == nil ? matching.first : nil)
    }

    /// A description that has a key for each entry.
    ///
    /// - Throws: For entries whose key no identifier names.
    package init(describing entries: [MetadataEntry]) throws(MetadataError) {
        self.init(keys: [])
        for entry in entries {
            guard
                let key = BoxedMetadataKey(
                    entry.identifier, dataType: entry.dataType ?? entry.value.usualType,
                    languageTag: entry.languageTag, setupData: nil)
            else { throw MetadataError(.unsupported, "\(entry.identifier.rawValue) names no key of timed metadata") }
            add(key)
        }
    }

    /// Adds a key with the next number, unless there is one that says the same.
    package mutating func add(_ key: BoxedMetadataKey) {
        var key = key
        key.localID = 0
        let isThere = keys.contains { known in
            var known = known
            known.localID = 0
            return known == key
        }
        guard !isThere else { return }
        key.localID = (keys.map(\.localID).max() ?? 0) &+ 1
        append(key)
    }
}

extension BoxedMetadataKey {
    /// A key without a number of its own yet; `nil` if the identifier is none of a key space of four characters.
    package init?(_ identifier: AVMetadataIdentifier, dataType: String?, languageTag: String?, setupData: [UInt8]?) {
        guard let space = identifier.keySpace?.rawValue.latin1, space.count == 4,
            let namespace = space.bigEndian32(at: 0), let name = identifier.keyBytes, !name.isEmpty
        else { return nil }
        self.init(
            localID: 0, namespace: FourCC(rawValue: namespace), value: name,
            dataType: dataType.map { Self.dataType(named: $0) }, languageTag: languageTag, setupData: setupData)
    }
}

extension MetadataValue {
    /// The type of a value that names none.
    fileprivate var usualType: String {
        switch self {
        case .text: MetadataDataType.utf8
        case .integer(let number): Int32(exactly: number) == nil ? MetadataDataType.int64 : MetadataDataType.int32
        case .real: MetadataDataType.float64
        case .data(let bytes): MetadataDataType.ofPicture(bytes) ?? MetadataDataType.raw
        }
    }
}
