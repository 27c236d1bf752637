/// A property of a kind of media object, from which all its forms come: `load(_:)`, the blocking one and the key.
package struct MediaProperty<Root: PropertyOwner, Value>: Sendable {
    /// The name in Swift.
    package let name: String
    /// The name in key-value loading, which drops the `is` of questions.
    package let keyValueName: String
    /// Finds the value; may block.
    package let find: @Sendable (Root) throws -> Value

    package init(_ name: String, keyValueName: String? = nil, find: @escaping @Sendable (Root) throws -> Value) {
        self.name = name
        self.keyValueName = keyValueName ?? name
        self.find = find
    }

    /// The blocking form: the value that was loaded, else loads it on this thread; `nil` if it cannot be had.
    package func value(of root: Root) -> Value? { try? loaded(by: root) }

    /// The value that was loaded, else loads it on this thread.
    ///
    /// - Throws: Why it cannot be had.
    package func loaded(by root: Root) throws -> Value {
        switch root.propertyStore.state(of: name) {
        case .loaded(let loaded as LoadedValue<Value>): return loaded.value
        case .failed(let error): throw error
        case .none, .loading, .loaded, .cancelled: break
        }
        let outcome = Result { LoadedValue(value: try find(root)) }
        root.propertyStore.finish(name, with: outcome.map { $0 as any Sendable })
        return try outcome.get().value
    }
}
