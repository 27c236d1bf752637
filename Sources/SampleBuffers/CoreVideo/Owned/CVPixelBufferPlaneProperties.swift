/// How a plane of pixels lies in memory.
public struct CVPixelBufferPlaneProperties: Hashable, Sendable {
    /// Columns and rows: pixels, or samples of chroma.
    public var size: CVImageSize
    /// Bytes from row to row.
    public var bytesPerRow: Int

    /// Properties of their parts.
    public init(size: CVImageSize, bytesPerRow: Int) { (self.size, self.bytesPerRow) = (size, bytesPerRow) }
}
