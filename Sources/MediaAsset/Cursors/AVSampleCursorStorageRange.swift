/// Where bytes lie in a file.
public struct AVSampleCursorStorageRange: Sendable {
    /// The first byte, counted from the beginning of the file.
    public var offset: Int64
    /// How many bytes there are.
    public var length: Int64

    /// Makes a range.
    public init(offset: Int64, length: Int64) { (self.offset, self.length) = (offset, length) }

    /// Makes an empty range at the beginning.
    public init() { self.init(offset: 0, length: 0) }
}
