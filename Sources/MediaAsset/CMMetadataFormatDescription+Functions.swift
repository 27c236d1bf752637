public import Foundation
package import MediaContainers
public import MediaCore
internal import MediaIO
internal import MediaMetadata
internal import MetadataFormats
public import SampleBuffers

/// Makes a description of timed metadata of its keys.
///
/// - Parameters:
///   - allocator: `kCFAllocatorDefault` or nil; there are no others.
///   - metadataType: `kCMMetadataFormatType_Boxed`.
///   - keys: Dictionaries by the `kCMMetadataFormatDescriptionKey_…`, each with a namespace, a value and a number that
///     no other has; `nil` for none.
///   - formatDescriptionOut: Is given the description, nothing if it fails.
/// - Returns: 0, or -12710 (`kCMFormatDescriptionError_InvalidParameter`).
public func CMMetadataFormatDescriptionCreateWithKeys(
    allocator: CFAllocator?, metadataType: CMMetadataFormatType, keys: CFArray?,
    formatDescriptionOut: UnsafeMutablePointer<CMMetadataFormatDescription?>
) -> OSStatus {
    formatDescriptionOut.initialize(to: nil)
    guard metadataType == kCMMetadataFormatType_Boxed, case .list(let table) = PropertyListValue(keys ?? NSArray())
    else { return kCMFormatDescriptionError_InvalidParameter }
    let known = table.compactMap { BoxedMetadataKey($0) }
    guard known.count == table.count, Set(known.map(\.localID)).count == known.count else {
        return kCMFormatDescriptionError_InvalidParameter
    }
    formatDescriptionOut.initialize(to: CMFormatDescription(BoxedMetadataDescription(keys: known)))
    return noErr
}

/// Makes a description of timed metadata of what its items are.
///
/// - Parameters:
///   - allocator: `kCFAllocatorDefault` or nil; there are no others.
///   - metadataType: `kCMMetadataFormatType_Boxed`.
///   - metadataSpecifications: Dictionaries by the `kCMMetadataFormatDescriptionMetadataSpecificationKey_…`, each with an
///     identifier and the type of values.
///   - formatDescriptionOut: Is given the description, nothing if it fails.
/// - Returns: 0, or -12710 (`kCMFormatDescriptionError_InvalidParameter`).
public func CMMetadataFormatDescriptionCreateWithMetadataSpecifications(
    allocator: CFAllocator?, metadataType: CMMetadataFormatType, metadataSpecifications: CFArray,
    formatDescriptionOut: UnsafeMutablePointer<CMMetadataFormatDescription?>
) -> OSStatus {
    formatDescriptionOut.initialize(to: nil)
    guard metadataType == kCMMetadataFormatType_Boxed,
        let description = BoxedMetadataDescription(keys: []).adding(metadataSpecifications)
    else { return kCMFormatDescriptionError_InvalidParameter }
    formatDescriptionOut.initialize(to: CMFormatDescription(description))
    return noErr
}

/// Makes a description that has the keys of another, and more.
///
/// - Parameters:
///   - allocator: `kCFAllocatorDefault` or nil; there are no others.
///   - sourceDescription: One of boxed metadata.
///   - metadataSpecifications: As for
///     ``CMMetadataFormatDescriptionCreateWithMetadataSpecifications(allocator:metadataType:metadataSpecifications:formatDescriptionOut:)``;
///     what the other has already is not added.
///   - formatDescriptionOut: Is given the description, nothing if it fails.
/// - Returns: 0, or -12710 (`kCMFormatDescriptionError_InvalidParameter`).
public func CMMetadataFormatDescriptionCreateWithMetadataFormatDescriptionAndMetadataSpecifications(
    allocator: CFAllocator?, sourceDescription: CMMetadataFormatDescription, metadataSpecifications: CFArray,
    formatDescriptionOut: UnsafeMutablePointer<CMMetadataFormatDescription?>
) -> OSStatus {
    formatDescriptionOut.initialize(to: nil)
    guard let description = sourceDescription.boxedMetadata?.adding(metadataSpecifications) else {
        return kCMFormatDescriptionError_InvalidParameter
    }
    formatDescriptionOut.initialize(to: CMFormatDescription(description))
    return noErr
}

/// Makes a description that has the keys of two.
///
/// - Parameters:
///   - allocator: `kCFAllocatorDefault` or nil; there are no others.
///   - sourceDescription: One of boxed metadata, whose keys keep their numbers.
///   - otherSourceDescription: Another one.
///   - formatDescriptionOut: Is given the description, nothing if it fails.
/// - Returns: 0, or -12710 (`kCMFormatDescriptionError_InvalidParameter`).
public func CMMetadataFormatDescriptionCreateByMergingMetadataFormatDescriptions(
    allocator: CFAllocator?, sourceDescription: CMMetadataFormatDescription,
    otherSourceDescription: CMMetadataFormatDescription,
    formatDescriptionOut: UnsafeMutablePointer<CMMetadataFormatDescription?>
) -> OSStatus {
    formatDescriptionOut.initialize(to: nil)
    guard var description = sourceDescription.boxedMetadata, let other = otherSourceDescription.boxedMetadata else {
        return kCMFormatDescriptionError_InvalidParameter
    }
    for key in other.keys { description.add(key) }
    formatDescriptionOut.initialize(to: CMFormatDescription(description))
    return noErr
}

/// A key by the number that samples call it; `nil` if there is none.
public func CMMetadataFormatDescriptionGetKeyWithLocalID(
    _ desc: CMMetadataFormatDescription, localKeyID: FourCharCode
) -> CFDictionary? {
    desc.boxedMetadata?[localKeyID]?.propertyList.object as? CFDictionary
}

/// The identifiers of all keys, each once, as text; `nil` for what is no description of boxed metadata.
public func CMMetadataFormatDescriptionGetIdentifiers(_ desc: CMMetadataFormatDescription) -> CFArray? {
    guard let keys = desc.boxedMetadata?.keys else { return nil }
    var identifiers: [String] = []
    for key in keys where !identifiers.contains(key.identifier.rawValue) { identifiers.append(key.identifier.rawValue) }
    return NSArray(array: identifiers.map { NSString(string: $0) })
}

extension BoxedMetadataDescription {
    /// With keys of what items are; `nil` for what makes no sense.
    fileprivate func adding(_ specifications: CFArray) -> BoxedMetadataDescription? {
        guard case .list(let list) = PropertyListValue(specifications) else { return nil }
        var description = self
        for value in list {
            guard case .dictionary(let facts) = value, case .text(let identifier) = facts[Specification.identifier],
                case .text(let type) = facts[Specification.dataType]
            else { return nil }
            var (tag, setup): (String?, [UInt8]?) = (nil, nil)
            if let stated = facts[Specification.languageTag] {
                guard case .text(let text) = stated else { return nil }
                tag = text
            }
            if let stated = facts[Specification.setupData] {
                guard case .data(let data) = stated else { return nil }
                setup = [UInt8](data)
            }
            guard
                let key = BoxedMetadataKey(
                    AVMetadataIdentifier(rawValue: identifier), dataType: type, languageTag: tag, setupData: setup)
            else { return nil }
            description.add(key)
        }
        return description
    }
}

private enum Specification {
    static let identifier = String(describing: kCMMetadataFormatDescriptionMetadataSpecificationKey_Identifier)
    static let dataType = String(describing: kCMMetadataFormatDescriptionMetadataSpecificationKey_DataType)
    static let languageTag = String(
        describing: kCMMetadataFormatDescriptionMetadataSpecificationKey_ExtendedLanguageTag)
    static let setupData = String(describing: kCMMetadataFormatDescriptionMetadataSpecificationKey_SetupData)
}

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
