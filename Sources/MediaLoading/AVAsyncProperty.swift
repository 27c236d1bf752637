public import Foundation

/// A property of a media object that is loaded when asked for.
public class AVAnyAsyncProperty: CustomStringConvertible, @unchecked Sendable {
    // @unchecked Sendable: the class and its subclasses hold immutable values only.

    /// The property's name.
    package let key: String
    /// The property's name.
    public var description: String { key }

    fileprivate init(key: String) { self.key = key }
}

/// A property of one kind of media object, whatever its value's type.
public class AVPartialAsyncProperty<Root>: AVAnyAsyncProperty, @unchecked Sendable {}

/// A property of one kind of media object with a value of one type.
public final class AVAsyncProperty<Root, Value>: AVPartialAsyncProperty<Root>, @unchecked Sendable {
    /// How far loading has come.
    public enum Status {
        /// Nobody asked for it yet.
        case notYetLoaded
        /// Under way.
        case loading
        /// There, for good.
        case loaded(Value)
        /// Failed, for good.
        case failed(NSError)
    }

    package let compute: @Sendable (Root) throws -> Value

    /// Makes a property of its name and of what finds its value; `compute`
    /// may block.
    package init(_ key: String, compute: @escaping @Sendable (Root) throws -> Value) {
        self.compute = compute
        super.init(key: key)
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
