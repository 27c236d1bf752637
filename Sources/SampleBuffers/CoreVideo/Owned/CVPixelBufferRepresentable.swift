/// A buffer of pixels, in whatever way it is owned.
public protocol CVPixelBufferRepresentable: ~Copyable {
    /// Lends the buffer.
    ///
    /// - Parameter body: Given the buffer, which it is not to write to unless it is the owner's to change.
    /// - Returns: What the body returns.
    /// - Throws: What the body throws.
    func withUnsafeBuffer<R>(_ body: (CVPixelBuffer) throws -> sending R) rethrows -> sending R
}

extension CVPixelBufferRepresentable where Self: ~Copyable {
    private func look<R: Sendable>(_ body: (CVPixelBuffer) -> R) -> R { withUnsafeBuffer { body($0) } }

    /// What a buffer like it is made of.
    public var creationAttributes: CVPixelBufferCreationAttributes { look { CVPixelBufferCreationAttributes(of: $0) } }
    /// How pixels lie.
    public var pixelFormatType: CVPixelFormatType { creationAttributes.pixelFormatType }
    /// Pixels in a row, and rows.
    public var size: CVImageSize { creationAttributes.size }
    /// Whether components lie apart from each other.
    public var isPlanar: Bool { look { $0.isPlanar } }
    /// How many planes there are, at least one.
    public var planeCount: Int { planeProperties.count }

    /// How each plane lies in memory.
    public var planeProperties: [CVPixelBufferPlaneProperties] {
        look { buffer in buffer.withLockedPlanes(.readOnly) { $0.map(\.properties) } }
    }

    /// Lends the bytes of all planes to be read, one for formats that are not planar.
    ///
    /// - Parameter block: Given the planes, which last as long as the call.
    /// - Returns: What the block returns.
    /// - Throws: What the block throws.
    public func accessUnsafeRawPlaneBytes<R>(
        _ block: ([(properties: CVPixelBufferPlaneProperties, bytes: UnsafeRawBufferPointer)]) throws -> sending R
    ) rethrows -> sending R {
        try withUnsafeBuffer { buffer in
            CVPixelBufferLockBaseAddress(buffer, .readOnly)
            defer { CVPixelBufferUnlockBaseAddress(buffer, .readOnly) }
            return try block(
                buffer.lockedPlanes.map { (properties: $0.properties, bytes: UnsafeRawBufferPointer($0.bytes)) })
        }
    }
}

extension LockedPlane {
    var properties: CVPixelBufferPlaneProperties {
        CVPixelBufferPlaneProperties(size: CVImageSize(width: width, height: height), bytesPerRow: bytesPerRow)
    }
}
