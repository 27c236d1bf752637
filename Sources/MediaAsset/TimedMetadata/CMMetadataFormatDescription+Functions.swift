public import Foundation
internal import MediaContainers
public import MediaCore
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
    formatDescriptionOut.pointee = nil
    guard metadataType == kCMMetadataFormatType_Boxed, case .list(let table) = PropertyListValue(keys ?? NSArray())
    else { return kCMFormatDescriptionError_InvalidParameter }
    let known = table.compactMap { BoxedMetadataKey($0) }
    guard known.count == table.count, Set(known.map(\.localID)).count == known.count else {
        return kCMFormatDescriptionError_InvalidParameter
    }
    formatDescriptionOut.pointee = CMFormatDescription(BoxedMetadataDescription(keys: known))
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
    formatDescriptionOut.pointee = nil
    guard metadataType == kCMMetadataFormatType_Boxed,
        let description = BoxedMetadataDescription(keys: []).adding(metadataSpecifications)
    else { return kCMFormatDescriptionError_InvalidParameter }
    formatDescriptionOut.pointee = CMFormatDescription(description)
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
    formatDescriptionOut.pointee = nil
    guard let description = sourceDescription.boxedMetadata?.adding(metadataSpecifications) else {
        return kCMFormatDescriptionError_InvalidParameter
    }
    formatDescriptionOut.pointee = CMFormatDescription(description)
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
    formatDescriptionOut.pointee = nil
    guard var description = sourceDescription.boxedMetadata, let other = otherSourceDescription.boxedMetadata else {
        return kCMFormatDescriptionError_InvalidParameter
    }
    for key in other.keys { description.add(key) }
    formatDescriptionOut.pointee = CMFormatDescription(description)
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
