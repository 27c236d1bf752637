/// A property of one object, as key-value loading needs it.
package struct KeyedProperty: Sendable {
    /// The name in Swift, under which the value is kept.
    let name: String
    /// Finds the value; may block.
    let load: @Sendable () throws -> any Sendable
}

/// The properties of a kind of media object, by their keys.
package struct PropertyRegistry<Root: PropertyOwner>: Sendable {
    /// Every property's name in Swift, in the order of declaration.
    package let names: [String]
    private let properties: [String: @Sendable (Root) -> KeyedProperty]

    /// Takes each stored property of `list` that is a `MediaProperty`.
    ///
    /// By reflection, so that no second list of them can lack one.
    package init(_ list: some Sendable) {
        let all = Mirror(reflecting: list).children.compactMap { $0.value as? any AnyMediaProperty<Root> }
        names = all.map(\.name)
        properties = Dictionary(
            all.flatMap { property in [property.name, property.keyValueName].map { ($0, property.keyed) } },
            uniquingKeysWith: { first, _ in first })
    }

    /// The property of an object that has a key, which is either of the property's names; `nil` if there is none.
    package func property(forKey key: String, of root: Root) -> KeyedProperty? { properties[key].map { $0(root) } }
}

/// A property whatever its value's type.
private protocol AnyMediaProperty<Root>: Sendable {
    associatedtype Root
    var name: String { get }
    var keyValueName: String { get }
    var keyed: @Sendable (Root) -> KeyedProperty { get }
}

extension MediaProperty: AnyMediaProperty {
    fileprivate var keyed: @Sendable (Root) -> KeyedProperty {
        { root in KeyedProperty(name: name) { LoadedValue(value: try find(root)) } }
    }
}
