/// Which parts of a file stand for all of it where that would take too long to read: media files differ there, because samples
/// are compressed and headers list their sizes.
package struct FileSample: Sendable {
    /// Bytes of the beginning and of the end.
    private let edge: Int
    /// Bytes of each block between them, and how many there are.
    private let block: Int
    private let count: Int
    /// Files of up to so many bytes are read whole.
    private let wholeByteCount: UInt64

    package init(edge: Int, block: Int, count: Int, wholeByteCount: UInt64) {
        (self.edge, self.block, self.count, self.wholeByteCount) = (edge, block, count, wholeByteCount)
    }

    /// Calls `body` with the parts, in order.
    ///
    /// - Returns: Whether they could be read.
    package func forEachPart(of file: RandomAccessFile, _ body: ([UInt8]) -> Void) -> Bool {
        let byteCount = file.byteCount
        guard byteCount > max(wholeByteCount, 2 * UInt64(edge)) else {
            body(file.read(at: 0, count: Int(byteCount)))
            return file.readFailure == nil
        }
        body(file.read(at: 0, count: edge))
        let (rest, count) = (byteCount - 2 * UInt64(edge), UInt64(count))
        for index in 0..<count {
            // The same as the product divided, which may be more than a number holds.
            let start = rest / count * index + rest % count * index / count
            body(file.read(at: UInt64(edge) + start, count: block))
        }
        body(file.read(at: byteCount - UInt64(edge), count: edge))
        return file.readFailure == nil
    }
}
