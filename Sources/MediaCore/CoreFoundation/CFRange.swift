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
