internal import Foundation
internal import MediaCore

/// A buffer of pixels with one owner, who may change it.
public struct CVMutablePixelBuffer: ~Copyable, CVPixelBufferRepresentable, Sendable {
    private let buffer: CVPixelBuffer

    /// A new buffer, whose memory is zero.
    ///
    /// - Throws: A ``CVError`` for attributes that make no sense, and without memory.
    public init(_ attributes: CVPixelBufferCreationAttributes) throws {
        var made: CVPixelBuffer?
        let status = CVPixelBufferCreate(
            kCFAllocatorDefault, attributes.size.width, attributes.size.height, attributes.pixelFormatType.rawValue,
            attributes.dictionary as CFDictionary, &made)
        guard let made else { throw CVError.of(status) }
        buffer = made
    }

    /// A buffer that nobody else uses from now on.
    public init(unsafeBuffer: sending CVPixelBuffer) { buffer = unsafeBuffer }

    /// Lends the buffer.
    ///
    /// - Returns: What the body returns.
    /// - Throws: What the body throws.
    public func withUnsafeBuffer<R>(_ body: (CVPixelBuffer) throws -> sending R) rethrows -> sending R {
        try body(buffer)
    }

    /// Lends the bytes of all planes to be written, one for formats that are not planar.
    ///
    /// - Parameter block: Given the planes, which last as long as the call.
    /// - Returns: What the block returns.
    /// - Throws: What the block throws.
    public mutating func accessUnsafeMutableRawPlaneBytes<R>(
        _ block: ([(properties: CVPixelBufferPlaneProperties, bytes: UnsafeMutableRawBufferPointer)]) throws ->
            sending R
    ) rethrows -> sending R {
        CVPixelBufferLockBaseAddress(buffer, [])
        defer { CVPixelBufferUnlockBaseAddress(buffer, []) }
        return try block(buffer.lockedPlanes.map { (properties: $0.properties, bytes: $0.bytes) })
    }

    /// Fills what lies around the picture with its edges.
    ///
    /// - Returns: Whether there is something around it.
    public func fillExtendedPixels() -> Bool { CVPixelBufferFillExtendedPixels(buffer) == kCVReturnSuccess }

    /// The buffer, whose ownership ends.
    consuming func take() -> CVPixelBuffer { buffer }
}

extension CVMutablePixelBuffer {
    /// Makes buffers that are all alike, and uses the memory of those that are gone again.
    public final class Pool: Sendable {
        private let pool: CVPixelBufferPool
        /// What buffers are made of.
        public let pixelBufferAttributes: CVPixelBufferCreationAttributes

        /// How a pool keeps memory.
        public struct Configuration: Hashable, Sendable {
            /// Seconds after which memory that nobody uses is given up.
            public var ageOutDuration: Double
            /// How many buffers' memory is kept in any case.
            public var minimumBufferCount: Int

            /// A configuration of its parts.
            public init(ageOutDuration: Double = 1, minimumBufferCount: Int = 0) {
                (self.ageOutDuration, self.minimumBufferCount) = (ageOutDuration, minimumBufferCount)
            }
        }

        /// What is asked of one buffer.
        public struct AllocationAttributes: Hashable, Sendable {
            /// How many buffers the pool may have before it allocates no more; `nil` for any number.
            public var allocationThreshold: Int?

            /// Attributes of their parts.
            public init(allocationThreshold: Int? = nil) { self.allocationThreshold = allocationThreshold }
        }

        /// A pool of buffers.
        ///
        /// - Throws: A ``CVError`` for attributes that make no sense.
        public init(
            pixelBufferAttributes attributes: CVPixelBufferCreationAttributes, configuration: Configuration = .init()
        ) throws {
            let kept: [String: Any] = [
                String(describing: kCVPixelBufferPoolMaximumBufferAgeKey): configuration.ageOutDuration,
                String(describing: kCVPixelBufferPoolMinimumBufferCountKey): configuration.minimumBufferCount,
            ]
            var made: CVPixelBufferPool?
            let status = CVPixelBufferPoolCreate(
                kCFAllocatorDefault, kept as CFDictionary, attributes.dictionary as CFDictionary, &made)
            guard let made else { throw CVError.of(status) }
            (pool, pixelBufferAttributes) = (made, attributes)
        }

        /// A buffer, in memory that another one of the pool had if there is some.
        ///
        /// New memory is zero, used memory as it was left.
        ///
        /// - Throws: A ``CVError`` without memory, and where the pool has as many buffers as is asked for.
        public func makeMutablePixelBuffer(
            _ attributes: AllocationAttributes = .init()
        ) throws -> CVMutablePixelBuffer {
            do {
                return CVMutablePixelBuffer(unsafeBuffer: try pool.makeBuffer(limit: attributes.allocationThreshold))
            } catch {
                throw CVError.of(error.code)
            }
        }

        /// Gives up memory of buffers that are gone.
        ///
        /// - Parameter agedOutOnly: Whether only what has been unused for longer than the pool is to keep it.
        public func flush(agedOutOnly: Bool = false) { pool.flush(agedOutOnly ? [] : .excessBuffers) }
    }
}
