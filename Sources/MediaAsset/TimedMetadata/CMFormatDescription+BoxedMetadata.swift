internal import Foundation
package import MediaContainers
internal import MediaIO
package import SampleBuffers

extension CMFormatDescription {
    /// A description of boxed metadata.
    package convenience init(_ metadata: BoxedMetadataDescription) {
        self.init(
            mediaType: .metadata, mediaSubType: MediaSubType(rawValue: kCMMetadataFormatType_Boxed),
            dimensions: CMVideoDimensions(width: 0, height: 0), extensions: Extensions(metadata))
    }

    /// The keys of boxed metadata; `nil` for samples of another kind, and where a file's description was not read.
    package var boxedMetadata: BoxedMetadataDescription? {
        mediaType == .metadata ? kept("keys") { readKeys() } : nil
    }

    private func readKeys() -> BoxedMetadataDescription? {
        guard mediaType == .metadata, mediaSubType.rawValue == kCMMetadataFormatType_Boxed,
            case .list(let table) = extensions.values[Self.keyTable]
        else { return nil }
        let keys = table.compactMap { BoxedMetadataKey($0) }
        return keys.count == table.count ? BoxedMetadataDescription(keys: keys) : nil
    }

    static let keyTable = String(describing: kCMFormatDescriptionExtensionKey_MetadataKeyTable)
}

extension CMFormatDescription.Extensions {
    init(_ metadata: BoxedMetadataDescription) {
        self.init(values: [CMFormatDescription.keyTable: .list(metadata.keys.map(\.propertyList))])
    }
}

/// The names of a key's facts.
private enum Fact {
    static let namespace = String(describing: kCMMetadataFormatDescriptionKey_Namespace)
    static let value = String(describing: kCMMetadataFormatDescriptionKey_Value)
    static let localID = String(describing: kCMMetadataFormatDescriptionKey_LocalID)
    static let dataType = String(describing: kCMMetadataFormatDescriptionKey_DataType)
    static let dataTypeNamespace = String(describing: kCMMetadataFormatDescriptionKey_DataTypeNamespace)
    static let conformingDataTypes = String(describing: kCMMetadataFormatDescriptionKey_ConformingDataTypes)
    static let languageTag = String(describing: kCMMetadataFormatDescriptionKey_LanguageTag)
    static let setupData = String(describing: kCMMetadataFormatDescriptionKey_SetupData)
}

extension BoxedMetadataKey {
    /// The key as one of a key table.
    var propertyList: PropertyListValue {
        var facts: [String: PropertyListValue] = [
            Fact.namespace: .integer(Int(namespace.rawValue)), Fact.value: .data(Data(value)),
            Fact.localID: .integer(Int(localID)),
        ]
        for (name, fact) in dataType?.facts ?? [:] { facts[name] = fact }
        if let languageTag { facts[Fact.languageTag] = .data(Data(languageTag.utf8)) }
        if let setupData { facts[Fact.setupData] = .data(Data(setupData)) }
        if !conformingTypes.isEmpty {
            facts[Fact.conformingDataTypes] = .list(
                conformingTypes.map { .dictionary(BoxedMetadataKey.DataType.wellKnown($0).facts) })
        }
        return .dictionary(facts)
    }

    /// A key of a key table; `nil` where it lacks its number, namespace or name.
    init?(_ propertyList: PropertyListValue) {
        guard case .dictionary(let facts) = propertyList, let localID = facts[Fact.localID]?.code, localID != 0,
            let namespace = facts[Fact.namespace]?.code, case .data(let value) = facts[Fact.value]
        else { return nil }
        self.init(
            localID: localID, namespace: FourCC(rawValue: namespace), value: [UInt8](value),
            dataType: DataType(facts))
        if case .data(let tag) = facts[Fact.languageTag] { languageTag = String(decoding: tag, as: UTF8.self) }
        if case .data(let data) = facts[Fact.setupData] { setupData = [UInt8](data) }
        guard case .list(let types) = facts[Fact.conformingDataTypes] else { return }
        conformingTypes = types.compactMap { type in
            guard case .dictionary(let facts) = type, case .wellKnown(let code) = DataType(facts) else { return nil }
            return code
        }
    }
}

extension BoxedMetadataKey.DataType {
    fileprivate var facts: [String: PropertyListValue] {
        let (namespace, content) = parts
        return [Fact.dataTypeNamespace: .integer(Int(namespace)), Fact.dataType: .data(Data(content))]
    }

    fileprivate init?(_ facts: [String: PropertyListValue]) {
        guard let namespace = facts[Fact.dataTypeNamespace]?.code, case .data(let data) = facts[Fact.dataType] else {
            return nil
        }
        self.init(namespace: namespace, [UInt8](data))
    }
}

extension PropertyListValue {
    /// A number of 32 bits, which clients also store as signed ones.
    fileprivate var code: UInt32? {
        guard case .integer(let number) = self else { return nil }
        return UInt32(exactly: number) ?? Int32(exactly: number).map { UInt32(bitPattern: $0) }
    }
}
