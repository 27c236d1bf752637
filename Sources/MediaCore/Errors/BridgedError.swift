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
