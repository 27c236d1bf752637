public import Foundation
public import MediaCore

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

/// All that a buffer of pixels is made of.
///
/// - Note: Unlike in Core Video memory is always the process' own: there is no choice of what backs it, and nothing to be compatible with.
public struct CVPixelBufferCreationAttributes: Hashable, Sendable {
    /// How pixels lie.
    public var pixelFormatType: CVPixelFormatType
    /// Pixels in a row, and rows.
    public var size: CVImageSize
    /// What bytes from row to row are a multiple of; `nil` for 64.
    public var bytesPerRowAlignment: Int?
    /// What the beginnings of planes are multiples of; `nil` for what suits.
    public var planeAlignment: Int?

    /// Attributes of their parts.
    public init(
        pixelFormatType: CVPixelFormatType, size: CVImageSize, bytesPerRowAlignment: Int? = nil,
        planeAlignment: Int? = nil
    ) {
        (self.pixelFormatType, self.size) = (pixelFormatType, size)
        (self.bytesPerRowAlignment, self.planeAlignment) = (bytesPerRowAlignment, planeAlignment)
    }

    /// The attributes by `kCVPixelBuffer…Key`.
    var dictionary: [String: Any] {
        var values: [String: Any] = [
            String(describing: kCVPixelBufferPixelFormatTypeKey): pixelFormatType.rawValue,
            String(describing: kCVPixelBufferWidthKey): size.width,
            String(describing: kCVPixelBufferHeightKey): size.height,
        ]
        values[String(describing: kCVPixelBufferBytesPerRowAlignmentKey)] = bytesPerRowAlignment
        values[String(describing: kCVPixelBufferPlaneAlignmentKey)] = planeAlignment
        return values
    }

    /// Those of a buffer that is there.
    init(of buffer: CVPixelBuffer) {
        self.init(
            pixelFormatType: CVPixelFormatType(rawValue: buffer.pixelFormat),
            size: CVImageSize(width: buffer.width, height: buffer.height))
    }
}

/// How a plane of pixels lies in memory.
public struct CVPixelBufferPlaneProperties: Hashable, Sendable {
    /// Columns and rows: pixels, or samples of chroma.
    public var size: CVImageSize
    /// Bytes from row to row.
    public var bytesPerRow: Int

    /// Properties of their parts.
    public init(size: CVImageSize, bytesPerRow: Int) { (self.size, self.bytesPerRow) = (size, bytesPerRow) }
}

/// How pixels lie in memory: a code of four characters, such as `kCVPixelFormatType_32BGRA`.
public struct CVPixelFormatType: RawRepresentable, Hashable, Sendable {
    /// The code.
    public var rawValue: OSType
    /// A type of its code.
    public init(rawValue: OSType) { self.rawValue = rawValue }
    /// Whether there is a form of it that takes less memory: never.
    public var isCompressionAvailable: Bool { false }
}

/// A size in whole pixels.
public struct CVImageSize: Hashable, Sendable {
    /// Pixels in a row.
    public var width: Int
    /// Rows.
    public var height: Int

    /// A size of its sides.
    public init(width: Int, height: Int) { (self.width, self.height) = (width, height) }

    /// A size of one with fractions.
    ///
    /// - Parameters:
    ///   - size: In pixels.
    ///   - rounded: How fractions go away. Sides that are no numbers, or too long to count, are 0.
    public init(_ size: CGSize, rounded: FloatingPointRoundingRule = .toNearestOrAwayFromZero) {
        func whole(_ side: CGFloat) -> Int { Int(exactly: Double(side).rounded(rounded)) ?? 0 }
        self.init(width: whole(size.width), height: whole(size.height))
    }

    /// Nothing.
    public static let zero = CVImageSize(width: 0, height: 0)
}

/// What makers of pixel buffers throw, all in the domain of status codes.
public struct CVError {
    /// An argument out of range.
    public static let invalidArgument = of(kCVReturnInvalidArgument)
    /// There was no memory left.
    public static let allocationFailed = of(kCVReturnAllocationFailed)
    /// No pixel format that is known.
    public static let invalidPixelFormat = of(kCVReturnInvalidPixelFormat)
    /// More pixels a side than a buffer can have.
    public static let invalidSize = of(kCVReturnInvalidSize)
    /// Attributes of buffers that cannot be honoured.
    public static let invalidPixelBufferAttributes = of(kCVReturnInvalidPixelBufferAttributes)
    /// The pool has as many buffers as it was allowed to.
    public static let wouldExceedAllocationThreshold = of(kCVReturnWouldExceedAllocationThreshold)
    /// There was no memory left for the pool.
    public static let poolAllocationFailed = of(kCVReturnPoolAllocationFailed)
    /// Attributes of a pool with values that make no sense.
    public static let invalidPoolAttributes = of(kCVReturnInvalidPoolAttributes)

    static func of(_ code: CVReturn) -> NSError {
        NSError(domain: NSOSStatusErrorDomain, code: Int(code))
    }
}
