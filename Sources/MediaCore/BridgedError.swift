public import Foundation

/// An error that can be caught as an `NSError`, and told apart again after it was.
///
/// Outside of Apple's systems `catch let error as NSError` takes only errors that Foundation can bridge; the compiler
/// takes the clause to be exhaustive nevertheless, so that any other error ends the process. Every error of
/// the library conforms. Its domain is the type's name in `OpenAVFoundation`, and its code 1, unless the type says others;
/// an `NSError` made of it gives it back by `as?`, `is` and `catch let`.
///
/// Beyond AVFoundation, whose errors are `NSError`s from the beginning.
public protocol BridgedError: CustomNSError, Sendable, _ObjectiveCBridgeable where _ObjectiveCType == NSError {}

extension BridgedError {
    /// The type's name in `OpenAVFoundation`, whatever module it is declared in.
    public static var errorDomain: String {
        "OpenAVFoundation." + String(reflecting: Self.self).split(separator: ".").dropFirst().joined(separator: ".")
    }
    /// 1: the type tells all.
    public var errorCode: Int { 1 }
    /// The text for people under `NSLocalizedDescriptionKey`, and the error itself, which casts look for.
    public var errorUserInfo: [String: Any] {
        let text = (self as? any LocalizedError)?.errorDescription ?? String(describing: self)
        return [NSLocalizedDescriptionKey: text, BridgedOriginal.key: BridgedOriginal(self)]
    }

    /// An `NSError` that stands for this one.
    public func _bridgeToObjectiveC() -> NSError {
        NSError(domain: Self.errorDomain, code: errorCode, userInfo: errorUserInfo)
    }

    /// The error that an `NSError` stands for, `nil` if it stands for none of this type.
    public static func _forceBridgeFromObjectiveC(_ source: NSError, result: inout Self?) {
        result = original(of: source)
    }

    /// Whether an `NSError` stands for one of this type, and that one.
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSError, result: inout Self?) -> Bool {
        result = original(of: source)
        return result != nil
    }

    /// The error that an `NSError` stands for; it is an error of the caller's if it stands for none of this type.
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> Self {
        guard let source, let original = original(of: source) else {
            preconditionFailure("an NSError that is no \(Self.self)")
        }
        return original
    }

    private static func original(of source: NSError) -> Self? {
        guard let kept = (source.userInfo[BridgedOriginal.key] as? BridgedOriginal)?.error, type(of: kept) == Self.self
        else { return nil }
        return kept as? Self
    }
}

/// An error in the information of the `NSError` that stands for it.
///
/// In a box, because an error that bridges is bridged wherever it lies in a dictionary: without end, where the
/// dictionary is its own.
///
/// `@unchecked Sendable`: immutable; the superclass is not marked.
final class BridgedOriginal: NSObject, @unchecked Sendable {
    /// Where it lies.
    static let key = "BridgedErrorOriginal"

    let error: any Error

    init(_ error: any Error) {
        self.error = error
        super.init()
    }

    /// Of one type and equal; of one type and alike in print, where the type knows no equality.
    override func isEqual(_ object: Any?) -> Bool {
        guard let other = (object as? BridgedOriginal)?.error, type(of: other) == type(of: error) else { return false }
        let value: Any = error
        if let error = value as? any Equatable { return Self.areEqual(error, other) }
        return String(reflecting: error) == String(reflecting: other)
    }

    override var hash: Int { String(reflecting: type(of: error)).hashValue }

    override var description: String { String(describing: error) }

    private static func areEqual<T: Equatable>(_ one: T, _ other: any Error) -> Bool { one == other as? T }
}

extension NSError {
    /// The error that this one stands for; of errors of Foundation's own, the one that Swift knows.
    package var bridgedOriginal: any Error {
        if let original = (userInfo[BridgedOriginal.key] as? BridgedOriginal)?.error { return original }
        return domain == NSCocoaErrorDomain ? CocoaError(_nsError: self) : self
    }
}

// swift-format-ignore: AvoidRetroactiveConformances
/// Cancelled loads, stills and exports throw it, so that it has to be caught as an `NSError` as well.
///
/// Neither the standard library nor Foundation bridges it outside of Apple's systems.
extension CancellationError: @retroactive CustomNSError, @retroactive _ObjectiveCBridgeable, BridgedError {
    /// What the error is called on Apple's systems.
    public static var errorDomain: String { "Swift.CancellationError" }
    /// 1, as on Apple's systems.
    public var errorCode: Int { 1 }
    /// That something was cancelled.
    public var errorUserInfo: [String: Any] {
        [NSLocalizedDescriptionKey: "The operation was cancelled.", BridgedOriginal.key: BridgedOriginal(self)]
    }
}
