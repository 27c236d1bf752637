public import Foundation

/// A constant that is text, and that is its text as an object: `AVFileType.mp4 as NSString`.
///
/// Beyond AVFoundation, whose constants have it from Objective-C.
public protocol BridgedToNSString: RawRepresentable, _ObjectiveCBridgeable
where RawValue == String, _ObjectiveCType == NSString {
    /// Makes a constant of its text.
    init(rawValue: String)
}

extension BridgedToNSString {
    /// Makes a constant of its text.
    public init(_ rawValue: String) { self.init(rawValue: rawValue) }

    /// The text as an object.
    public func _bridgeToObjectiveC() -> NSString { NSString(string: rawValue) }

    /// Makes a constant of an object that is text.
    public static func _forceBridgeFromObjectiveC(_ source: NSString, result: inout Self?) {
        result = Self(rawValue: String(describing: source))
    }

    /// Makes a constant of an object that is text; it never fails.
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSString, result: inout Self?) -> Bool {
        result = Self(rawValue: String(describing: source))
        return true
    }

    /// Makes a constant of an object that is text, an empty one of none.
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSString?) -> Self {
        Self(rawValue: source.map { String(describing: $0) } ?? "")
    }
}
