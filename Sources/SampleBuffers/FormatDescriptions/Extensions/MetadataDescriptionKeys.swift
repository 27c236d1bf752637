public import Foundation
public import MediaCore

// What descriptions of timed metadata are made of, by Core Media's keys.

/// How timed metadata is coded, as a four-character code.
public typealias CMMetadataFormatType = FourCharCode

/// Items in boxes by the numbers of their keys: `mebx`.
public let kCMMetadataFormatType_Boxed: CMMetadataFormatType = 0x6D65_6278
/// Titles within Internet radio: `icy `.
public let kCMMetadataFormatType_ICY: CMMetadataFormatType = 0x6963_7920
/// ID3 tags: `id3 `.
public let kCMMetadataFormatType_ID3: CMMetadataFormatType = 0x6964_3320
/// Event messages of MPEG-DASH: `emsg`.
public let kCMMetadataFormatType_EMSG: CMMetadataFormatType = 0x656D_7367

/// The keys of boxed metadata: a list of dictionaries.
public var kCMFormatDescriptionExtensionKey_MetadataKeyTable: CFString { "MetadataKeyTable" }
/// The namespace of a key: the number of a four-character code.
public var kCMMetadataFormatDescriptionKey_Namespace: CFString { "MetadataKeyNamespace" }
/// A key's name in its namespace: bytes.
public var kCMMetadataFormatDescriptionKey_Value: CFString { "MetadataKeyValue" }
/// What samples call a key: a number.
public var kCMMetadataFormatDescriptionKey_LocalID: CFString { "MetadataKeyLocalID" }
/// The type of a key's values: bytes, a well-known type's number or a name, as its namespace says.
public var kCMMetadataFormatDescriptionKey_DataType: CFString { "MetadataKeyDataType" }
/// The namespace of the type: the number 0 for well-known ones, 1 for names.
public var kCMMetadataFormatDescriptionKey_DataTypeNamespace: CFString { "MetadataKeyDataTypeNamespace" }
/// The types that the type is a kind of: a list of dictionaries, each with a type and its namespace.
public var kCMMetadataFormatDescriptionKey_ConformingDataTypes: CFString { "MetadataKeyConformingDataTypes" }
/// The language of a key's values by BCP 47: bytes.
public var kCMMetadataFormatDescriptionKey_LanguageTag: CFString { "MetadataKeyLanguageTag" }
/// What those need who decode a key's values: bytes.
public var kCMMetadataFormatDescriptionKey_SetupData: CFString { "MetadataKeySetupData" }

/// Key space and key as one text, as of `AVMetadataIdentifier`: text.
public var kCMMetadataFormatDescriptionMetadataSpecificationKey_Identifier: CFString { "MetadataIdentifier" }
/// The type of values, such as `kCMMetadataBaseDataType_SInt8`: text.
public var kCMMetadataFormatDescriptionMetadataSpecificationKey_DataType: CFString { "MetadataDataType" }
/// The language of values by BCP 47: text.
public var kCMMetadataFormatDescriptionMetadataSpecificationKey_ExtendedLanguageTag: CFString {
    "MetadataExtendedLanguageTag"
}
/// What those need who decode values: bytes.
public var kCMMetadataFormatDescriptionMetadataSpecificationKey_SetupData: CFString { "MetadataSetupData" }
