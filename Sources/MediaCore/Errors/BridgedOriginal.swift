internal import Foundation

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
