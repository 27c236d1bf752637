/// A property of a media object that is loaded when asked for.
public class AVAnyAsyncProperty: CustomStringConvertible, @unchecked Sendable {
    // @unchecked Sendable: the class and its subclasses hold immutable values only.

    /// The property's name.
    let key: String
    /// The property's name.
    public var description: String { key }

    init(key: String) { self.key = key }
}
