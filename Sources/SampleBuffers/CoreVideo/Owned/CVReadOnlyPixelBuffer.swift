/// A buffer of pixels that nobody changes any more, and that threads may share.
public final class CVReadOnlyPixelBuffer: CVPixelBufferRepresentable, Sendable {
    private let buffer: CVPixelBuffer

    /// A buffer that was written to, and now is not any more.
    public init(_ buffer: consuming CVMutablePixelBuffer) { self.buffer = buffer.take() }

    /// A buffer that nobody else writes to from now on.
    public init(unsafeBuffer: sending CVPixelBuffer) { buffer = unsafeBuffer }

    /// Lends the buffer, which is not to be written to.
    ///
    /// - Returns: What the body returns.
    /// - Throws: What the body throws.
    public func withUnsafeBuffer<R>(_ body: (CVPixelBuffer) throws -> sending R) rethrows -> sending R {
        try body(buffer)
    }
}
