public import Foundation

/// A property of one kind of media object with a value of one type.
public final class AVAsyncProperty<Root, Value>: AVPartialAsyncProperty<Root>, @unchecked Sendable {
    /// How far loading has come; a load that was cancelled counts as not begun.
    public enum Status {
        /// Nobody asked for it yet.
        case notYetLoaded
        /// Under way.
        case loading
        /// There, for good: it is not loaded again.
        case loaded(Value)
        /// Failed, for good: loading again gives the same error.
        case failed(NSError)
    }

    /// Finds the value; may block.
    let find: @Sendable (Root) throws -> Value
    /// Where an object keeps the value.
    let store: @Sendable (Root) -> PropertyStore

    /// The asynchronous form of a property of the registry, for the class that has it or one that inherits from it.
    package init<Base: PropertyOwner>(
        _ property: MediaProperty<Base, Value>, of base: @escaping @Sendable (Root) -> Base
    ) {
        find = { try property.find(base($0)) }
        store = { base($0).propertyStore }
        super.init(key: property.name)
    }
}

extension AVAsyncProperty.Status: CustomStringConvertible {
    /// The state's name, and the value or the error.
    public var description: String {
        switch self {
        case .notYetLoaded: "notYetLoaded"
        case .loading: "loading"
        case .loaded(let value): "loaded(\(value))"
        case .failed(let error): "failed(\(error.localizedDescription))"
        }
    }
}

extension AVAsyncProperty.Status: Equatable where Value: Equatable {}
extension AVAsyncProperty.Status: Sendable where Value: Sendable {}
