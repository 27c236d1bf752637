public import Foundation

/// The domain of the errors that media files and media operations cause.
public let AVFoundationErrorDomain = "AVFoundationErrorDomain"

/// What went wrong with a media file or an operation on it.
///
/// A view of an `NSError` of `AVFoundationErrorDomain`, as in AVFoundation: caught as `AVError`, as one of its codes
/// (`catch AVError.fileFailedToParse`) or as `NSError`. `localizedDescription` is a sentence in one line of printable
/// text, which names the cause where it is known. What the error comes of is under `NSUnderlyingErrorKey`.
public struct AVError: BridgedError, _BridgedStoredNSError {
    /// The error that this is a view of.
    public let _nsError: NSError

    /// Takes an error of `AVFoundationErrorDomain`; one of another domain has a code that says nothing.
    public init(_nsError error: NSError) { _nsError = error }

    /// Makes an error.
    ///
    /// - Parameter userInfo: What is known besides; without a text under `NSLocalizedDescriptionKey`, the code
    ///   gives one.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        let text = [NSLocalizedDescriptionKey: code.sentence + "." as Any]
        _nsError = NSError(
            domain: AVFoundationErrorDomain, code: code.rawValue,
            userInfo: userInfo.merging(text) { given, _ in given })
    }

    /// Makes an error that says why.
    ///
    /// Beyond AVFoundation.
    ///
    /// - Parameter reason: The cause, in one line without a full stop.
    public init(_ code: Code, reason: String) { self.init(code, reason: reason, information: [:]) }

    /// Makes an error that says why, and what else is known.
    package init(
        _ code: Code, reason: String, underlying: (any Error)? = nil, information: [String: Any] = [:]
    ) {
        var information = information
        if !reason.isEmpty {
            information[NSLocalizedFailureReasonErrorKey] = reason
            information[NSLocalizedDescriptionKey] = "\(code.sentence): \(reason)."
        }
        if let underlying { information[NSUnderlyingErrorKey] = underlying as NSError }
        self.init(code, userInfo: information)
    }

    /// The same error with more that is known.
    package func with(_ information: [String: Any]) -> AVError {
        AVError(code, userInfo: userInfo.merging(information) { known, _ in known })
    }

    /// The kind of failure; `unknown` for a number that is none of the codes.
    public var code: Code { Code(rawValue: errorCode) ?? .unknown }
    /// What is known besides: texts for people, the underlying error, and what the keys that begin with `AVError` name.
    public var userInfo: [String: Any] { _nsError.userInfo }
    /// The cause, in one line without a full stop; where none is known, what the code says.
    ///
    /// Beyond AVFoundation, where it is `NSLocalizedFailureReasonErrorKey` of `userInfo`.
    public var reason: String { userInfo[NSLocalizedFailureReasonErrorKey] as? String ?? code.sentence }
    /// What the error comes of, as it was thrown; `nil` if nothing is under it.
    ///
    /// A `MediaLimitError` where a limit was hit, a `CocoaError` where a file cannot be opened, a `FileWriteError` where
    /// one cannot be written.
    ///
    /// Beyond AVFoundation, where it is `NSUnderlyingErrorKey` of `userInfo`.
    public var underlying: (any Error)? { (userInfo[NSUnderlyingErrorKey] as? NSError)?.bridgedOriginal }
    /// A sentence for people: what failed, and why.
    public var localizedDescription: String {
        userInfo[NSLocalizedDescriptionKey] as? String ?? "\(code.sentence)."
    }

    /// `AVFoundationErrorDomain`.
    public static var errorDomain: String { AVFoundationErrorDomain }
    /// `AVFoundationErrorDomain`.
    public static var _nsErrorDomain: String { AVFoundationErrorDomain }
    /// The code's number.
    public var errorCode: Int { _nsError.code }
    /// As `userInfo`.
    public var errorUserInfo: [String: Any] {
        userInfo.merging([NSLocalizedDescriptionKey: localizedDescription]) { given, _ in given }
    }
}

// `NSError` compares and hashes its information, which fails for some values on Linux.
extension AVError {
    /// Whether two errors have one code and say the same.
    public static func == (one: AVError, other: AVError) -> Bool {
        one._nsError === other._nsError
            || one._nsError.domain == other._nsError.domain && one.errorCode == other.errorCode
                && one.localizedDescription == other.localizedDescription
    }

    /// Hashes the code.
    public func hash(into hasher: inout Hasher) { hasher.combine(errorCode) }
}

// Foundation's operator for `catch AVError.fileFailedToParse`: one of ours would not be found by clients, which
// import single names.
extension AVError.Code: _ErrorCodeProtocol {
    /// The error that a code is of.
    public typealias _ErrorType = AVError
}

extension AVError {
    /// The error that this is a view of.
    public func _bridgeToObjectiveC() -> NSError { _nsError }

    /// A view of an error of `AVFoundationErrorDomain`, `nil` for others.
    public static func _forceBridgeFromObjectiveC(_ source: NSError, result: inout AVError?) {
        result = source.domain == AVFoundationErrorDomain ? AVError(_nsError: source) : nil
    }

    /// Whether an error is of `AVFoundationErrorDomain`, and the view of it.
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSError, result: inout AVError?) -> Bool {
        _forceBridgeFromObjectiveC(source, result: &result)
        return result != nil
    }

    /// A view of any error.
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> AVError {
        source.map(AVError.init(_nsError:)) ?? AVError(.unknown)
    }
}

extension AVError: LocalizedError {
    /// As `localizedDescription`.
    ///
    /// Beyond AVFoundation, whose error is no `LocalizedError`.
    public var errorDescription: String? { localizedDescription }
    /// The cause, `nil` if none is known.
    ///
    /// Beyond AVFoundation, whose error is no `LocalizedError`.
    public var failureReason: String? { userInfo[NSLocalizedFailureReasonErrorKey] as? String }
}
