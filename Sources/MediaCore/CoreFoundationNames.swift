public import Foundation

/// Text: what Core Foundation's function and constants take and give; Foundation's own type.
///
/// - Note: A type of Core Foundation's on Apple's platforms, bridged to `NSString` without cost; here it is one.
public typealias CFString = NSString
/// An address, of a file or of anything else.
public typealias CFURL = NSURL
/// Bytes.
public typealias CFData = NSData
/// A list of objects.
public typealias CFArray = NSArray
/// A list of objects that can change.
public typealias CFMutableArray = NSMutableArray
/// Objects by their keys.
public typealias CFDictionary = NSDictionary
/// Objects by their keys, which can change.
public typealias CFMutableDictionary = NSMutableDictionary
/// A number.
public typealias CFNumber = NSNumber
/// True or false.
public typealias CFBoolean = NSNumber
/// A moment.
public typealias CFDate = NSDate
/// An error.
public typealias CFError = NSError
/// Any object of Core Foundation.
public typealias CFTypeRef = AnyObject
/// An object that can stand in a property list.
public typealias CFPropertyList = AnyObject
/// Seconds.
public typealias CFTimeInterval = Double
/// A place in a list, or how long it is.
public typealias CFIndex = Int

/// The object for true.
public var kCFBooleanTrue: CFBoolean! { NSNumber(value: true) }
/// The object for false.
public var kCFBooleanFalse: CFBoolean! { NSNumber(value: false) }

/// The result of a function of C, 0 for success.
public typealias OSStatus = Int32
/// A four-character code as a number.
public typealias OSType = UInt32
/// The result of a function that did not fail.
public var noErr: OSStatus { 0 }

/// Nanoseconds in a second.
public let NSEC_PER_SEC: UInt64 = 1_000_000_000
/// Nanoseconds in a millisecond.
public let NSEC_PER_MSEC: UInt64 = 1_000_000
/// Nanoseconds in a microsecond.
public let NSEC_PER_USEC: UInt64 = 1000
/// Microseconds in a second.
public let USEC_PER_SEC: UInt64 = 1_000_000
/// Milliseconds in a second.
public let MSEC_PER_SEC: UInt64 = 1000

/// A number that stands for a type of Core Foundation's.
///
/// - Note: The numbers mean nothing here but that types differ; what Swift calls `type(of:)` tells more.
public typealias CFTypeID = UInt

/// Runs a piece of work and gives what it gives.
///
/// - Note: On Apple's platforms objects that the work left to be released later are released at its end. Linux has
///   none: objects go when nobody holds them.
/// - Throws: What the work throws.
public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result { try body() }

/// A number of a file whose highest byte comes first, in this machine's order.
public func CFSwapInt16BigToHost(_ arg: UInt16) -> UInt16 { UInt16(bigEndian: arg) }
/// A number of a file whose highest byte comes first, in this machine's order.
public func CFSwapInt32BigToHost(_ arg: UInt32) -> UInt32 { UInt32(bigEndian: arg) }
/// A number of a file whose highest byte comes first, in this machine's order.
public func CFSwapInt64BigToHost(_ arg: UInt64) -> UInt64 { UInt64(bigEndian: arg) }
/// A number as files have it whose highest byte comes first.
public func CFSwapInt16HostToBig(_ arg: UInt16) -> UInt16 { arg.bigEndian }
/// A number as files have it whose highest byte comes first.
public func CFSwapInt32HostToBig(_ arg: UInt32) -> UInt32 { arg.bigEndian }
/// A number as files have it whose highest byte comes first.
public func CFSwapInt64HostToBig(_ arg: UInt64) -> UInt64 { arg.bigEndian }
/// A number of a file whose lowest byte comes first, in this machine's order.
public func CFSwapInt16LittleToHost(_ arg: UInt16) -> UInt16 { UInt16(littleEndian: arg) }
/// A number of a file whose lowest byte comes first, in this machine's order.
public func CFSwapInt32LittleToHost(_ arg: UInt32) -> UInt32 { UInt32(littleEndian: arg) }
/// A number of a file whose lowest byte comes first, in this machine's order.
public func CFSwapInt64LittleToHost(_ arg: UInt64) -> UInt64 { UInt64(littleEndian: arg) }
/// A number as files have it whose lowest byte comes first.
public func CFSwapInt16HostToLittle(_ arg: UInt16) -> UInt16 { arg.littleEndian }
/// A number as files have it whose lowest byte comes first.
public func CFSwapInt32HostToLittle(_ arg: UInt32) -> UInt32 { arg.littleEndian }
/// A number as files have it whose lowest byte comes first.
public func CFSwapInt64HostToLittle(_ arg: UInt64) -> UInt64 { arg.littleEndian }
/// A number with its bytes in reverse.
public func CFSwapInt16(_ arg: UInt16) -> UInt16 { arg.byteSwapped }
/// A number with its bytes in reverse.
public func CFSwapInt32(_ arg: UInt32) -> UInt32 { arg.byteSwapped }
/// A number with its bytes in reverse.
public func CFSwapInt64(_ arg: UInt64) -> UInt64 { arg.byteSwapped }

/// A range of places: where it starts, and how many there are.
public struct CFRange: Hashable, Sendable {
    /// The first place.
    public var location: CFIndex
    /// How many places.
    public var length: CFIndex

    /// No places, at the start.
    public init() { self.init(location: 0, length: 0) }

    /// A range of its fields, unchecked.
    public init(location: CFIndex, length: CFIndex) { (self.location, self.length) = (location, length) }
}

/// Makes a range of its start and its length.
public func CFRangeMake(_ loc: CFIndex, _ len: CFIndex) -> CFRange { CFRange(location: loc, length: len) }

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
