public import Foundation
public import MediaCore

/// The properties of an item that may have to be waited for, and what finds their values.
struct MetadataItemProperties: Sendable {
    typealias Property<Value> = MediaProperty<AVMetadataItem, Value>

    static let all = MetadataItemProperties()
    static let registry = PropertyRegistry<AVMetadataItem>(all)

    let value = Property("value") { try $0.loadValue() }
    let stringValue = Self.afterValue("stringValue") { $0.stringValue }
    let numberValue = Self.afterValue("numberValue") { $0.numberValue }
    let dateValue = Self.afterValue("dateValue") { $0.dateValue }
    let dataValue = Self.afterValue("dataValue") { $0.dataValue }
    let extraAttributes = Self.afterValue("extraAttributes") { $0.extraAttributes }

    /// A property that fails if the value does.
    private static func afterValue<Value>(
        _ name: String, _ find: @escaping @Sendable (AVMetadataItem) -> Value
    ) -> Property<Value> {
        Property(name) { item in
            _ = try item.loadValue()
            return find(item)
        }
    }
}

extension AVMetadataItem: PropertyOwner {
    /// The property that key-value loading knows by a key.
    package func property(forKey key: String) -> KeyedProperty? {
        MetadataItemProperties.registry.property(forKey: key, of: self)
    }
}

extension AVPartialAsyncProperty where Root: AVMetadataItem {
    /// The value: text, a number, a date, or data; `nil` for an item without one.
    public static var value: AVAsyncProperty<Root, (any NSCopying & NSObjectProtocol)?> {
        property(MetadataItemProperties.all.value)
    }
    /// The value as text; `nil` as `AVMetadataItem.stringValue` is.
    public static var stringValue: AVAsyncProperty<Root, String?> { property(MetadataItemProperties.all.stringValue) }
    /// The value as a number; `nil` as `AVMetadataItem.numberValue` is.
    public static var numberValue: AVAsyncProperty<Root, NSNumber?> { property(MetadataItemProperties.all.numberValue) }
    /// The value as a date; `nil` as `AVMetadataItem.dateValue` is.
    public static var dateValue: AVAsyncProperty<Root, Date?> { property(MetadataItemProperties.all.dateValue) }
    /// The value's bytes; `nil` as `AVMetadataItem.dataValue` is.
    public static var dataValue: AVAsyncProperty<Root, Data?> { property(MetadataItemProperties.all.dataValue) }
    /// What belongs to the value, as `AVMetadataItem.extraAttributes`; never `nil`.
    public static var extraAttributes: AVAsyncProperty<Root, [AVMetadataExtraAttributeKey: any Sendable]?> {
        property(MetadataItemProperties.all.extraAttributes)
    }

    private static func property<Value>(
        _ property: MetadataItemProperties.Property<Value>
    ) -> AVAsyncProperty<Root, Value> {
        AVAsyncProperty(property) { $0 }
    }
}
