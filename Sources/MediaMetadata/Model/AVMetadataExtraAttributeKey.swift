public import MediaCore

/// A name for what belongs to an item beside its value.
public struct AVMetadataExtraAttributeKey: BridgedToNSString, Hashable, Sendable {
    /// The attribute's name.
    public let rawValue: String
    /// An attribute of its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Where the value can be found, for a value that is an address.
    public static let valueURI = AVMetadataExtraAttributeKey(rawValue: "URL")
    /// What a relative address refers to.
    public static let baseURI = AVMetadataExtraAttributeKey(rawValue: "baseURL")
    /// A description: that of an ID3 comment, of a picture.
    public static let info = AVMetadataExtraAttributeKey(rawValue: "info")
    /// What a picture shows: `Cover (front)`.
    ///
    /// AVFoundation has no constant for it.
    public static let pictureType = AVMetadataExtraAttributeKey(rawValue: "pictureType")
    /// The value's type as the file states it: a number, or a MIME type.
    ///
    /// AVFoundation has no constant for it.
    public static let dataType = AVMetadataExtraAttributeKey(rawValue: "dataType")
    /// Whose types `dataType` is one of.
    ///
    /// AVFoundation has no constant for it.
    public static let dataTypeNamespace = AVMetadataExtraAttributeKey(rawValue: "dataTypeNamespace")
}
