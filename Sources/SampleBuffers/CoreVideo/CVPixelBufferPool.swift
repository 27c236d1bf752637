public import Foundation
public import MediaCore

/// Makes buffers that are all alike, and uses the memory of those that are gone again.
///
/// Memory goes back to the pool with the last reference to a buffer. Buffers may outlive their pool; their memory is
/// given up when they go.
///
/// - Note: A type of Core Foundation's on Apple's platforms. Here each buffer is an object of its own, without
///   attachments of earlier ones.
///
/// `@unchecked Sendable`: the dictionaries are copies that nobody changes; the shelf has a lock.
public final class CVPixelBufferPool: @unchecked Sendable {
    /// What the pool was made with.
    let poolAttributes: NSDictionary
    /// What buffers are made with.
    let bufferAttributes: NSDictionary
    private let layout: PixelBufferLayout
    private let shelf: PixelMemoryShelf

    /// Makes a pool.
    ///
    /// - Throws: As ``CVPixelBufferPoolCreate(_:_:_:_:)``.
    init(poolAttributes: NSDictionary?, bufferAttributes: NSDictionary?) throws(PixelBufferFailure) {
        layout = try PixelBufferAttributes(bufferAttributes).completeLayout()
        let minimum = try Self.number(poolAttributes, kCVPixelBufferPoolMinimumBufferCountKey) ?? 0
        let age = try Self.number(poolAttributes, kCVPixelBufferPoolMaximumBufferAgeKey) ?? 1
        // More than a century would overflow the clock.
        shelf = PixelMemoryShelf(
            minimumCount: Int(min(minimum, 1e6)), maximumAge: age > 0 && age < 1e9 ? .seconds(age) : nil)
        self.poolAttributes = poolAttributes?.copyByText() ?? NSDictionary()
        self.bufferAttributes = bufferAttributes?.copyByText() ?? NSDictionary()
    }

    private static func number(_ dictionary: NSDictionary?, _ key: CFString) throws(PixelBufferFailure) -> Double? {
        guard let value = dictionary?.object(forKey: key) else { return nil }
        guard let number = realNumber(value), number >= 0 else {
            throw PixelBufferFailure(kCVReturnInvalidPoolAttributes)
        }
        return number
    }

    /// Makes a buffer, in memory that was used before if there is some.
    ///
    /// - Parameter limit: How many buffers the pool may have before it allocates no more, `nil` for any number.
    /// - Throws: `kCVReturnWouldExceedAllocationThreshold`, `kCVReturnPoolAllocationFailed`.
    func makeBuffer(limit: Int?) throws(PixelBufferFailure) -> CVPixelBuffer {
        let memory: PixelMemory
        switch shelf.take(limit: limit) {
        case .recycled(let used): memory = used
        case .refused: throw PixelBufferFailure(kCVReturnWouldExceedAllocationThreshold)
        case .allocate:
            guard let new = PixelMemory(byteCount: layout.byteCount, alignment: layout.alignment) else {
                shelf.allocationFailed()
                throw PixelBufferFailure(kCVReturnPoolAllocationFailed)
            }
            memory = new
        }
        // Without a pool that could use it the memory goes with the buffer.
        let storage = PixelStorage(memory, layout: layout) { [weak shelf] memory in shelf?.put(memory) }
        return CVBuffer(layout, storage: storage, attributes: bufferAttributes)
    }

    /// Gives up memory that no buffer needs: what is too old, or all.
    func flush(_ flags: CVPixelBufferPoolFlushFlags) {
        if flags.contains(.excessBuffers) { shelf.dropAll() } else { shelf.dropAged() }
    }
}

extension CVPixelBufferPool: Hashable {
    /// Whether it is one pool.
    public static func == (left: CVPixelBufferPool, right: CVPixelBufferPool) -> Bool { left === right }
    /// Mixes in which pool it is.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The number of the type of pools.
@discardableResult
public func CVPixelBufferPoolGetTypeID() -> CFTypeID { 2 }

/// Makes a pool of buffers that are all alike.
///
/// - Parameters:
///   - allocator: `kCFAllocatorDefault` or nil; there are no others.
///   - poolAttributes: By `kCVPixelBufferPool…Key`; nil for none.
///   - pixelBufferAttributes: By `kCVPixelBuffer…Key`: format, width and height at least. Of several formats the
///     first one that is known counts.
///   - poolOut: Is given the pool, nil if it fails.
/// - Returns: `kCVReturnInvalidPixelBufferAttributes` if format, width or height is missing or an attribute cannot be
///   honoured, `kCVReturnInvalidPoolAttributes` for numbers below 0 and what is no number, otherwise as
///   ``CVPixelBufferCreate(_:_:_:_:_:_:)``.
/// - Note: Unlike Core Video's: memory is allocated when it is first needed, that of the minimum number of buffers too.
@discardableResult
public func CVPixelBufferPoolCreate(
    _ allocator: CFAllocator?, _ poolAttributes: CFDictionary?, _ pixelBufferAttributes: CFDictionary?,
    _ poolOut: UnsafeMutablePointer<CVPixelBufferPool?>
) -> CVReturn {
    created(poolOut) { () throws(PixelBufferFailure) in
        try CVPixelBufferPool(poolAttributes: poolAttributes, bufferAttributes: pixelBufferAttributes)
    }
}

/// The attributes that the pool was made with, empty if there were none; never `nil`.
@discardableResult
public func CVPixelBufferPoolGetAttributes(_ pool: CVPixelBufferPool) -> CFDictionary? {
    pool.poolAttributes.copyByText()
}

/// The attributes that the pool's buffers are made with; never `nil`.
@discardableResult
public func CVPixelBufferPoolGetPixelBufferAttributes(_ pool: CVPixelBufferPool) -> CFDictionary? {
    pool.bufferAttributes.copyByText()
}

/// Makes a buffer, in memory that another one of the pool had if there is some.
///
/// - Parameters:
///   - allocator: `kCFAllocatorDefault` or nil; there are no others.
///   - pixelBufferOut: Is given the buffer, nil if it fails. New memory is zero, used memory as it was left.
/// - Returns: `kCVReturnPoolAllocationFailed` without memory.
@discardableResult
public func CVPixelBufferPoolCreatePixelBuffer(
    _ allocator: CFAllocator?, _ pixelBufferPool: CVPixelBufferPool,
    _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn {
    CVPixelBufferPoolCreatePixelBufferWithAuxAttributes(allocator, pixelBufferPool, nil, pixelBufferOut)
}

/// Makes a buffer unless the pool has too many, in memory that another one of the pool had if there is some.
///
/// - Parameters:
///   - allocator: `kCFAllocatorDefault` or nil; there are no others.
///   - auxAttributes: With `kCVPixelBufferPoolAllocationThresholdKey`, how many buffers the pool may have, used and
///     unused, before it allocates no more; nil for any number.
///   - pixelBufferOut: Is given the buffer, nil if it fails. New memory is zero, used memory as it was left.
/// - Returns: `kCVReturnWouldExceedAllocationThreshold` if the pool has so many, all of them in use;
///   `kCVReturnInvalidArgument` for a threshold that is no number; `kCVReturnPoolAllocationFailed` without memory.
/// - Note: Unlike Core Video's: no notification is posted when a buffer becomes free.
@discardableResult
public func CVPixelBufferPoolCreatePixelBufferWithAuxAttributes(
    _ allocator: CFAllocator?, _ pixelBufferPool: CVPixelBufferPool, _ auxAttributes: CFDictionary?,
    _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn {
    created(pixelBufferOut) { () throws(PixelBufferFailure) in
        var limit: Int?
        if let value = auxAttributes?.object(forKey: kCVPixelBufferPoolAllocationThresholdKey) {
            guard let number = wholeNumber(value) else { throw PixelBufferFailure(kCVReturnInvalidArgument) }
            limit = number
        }
        return try pixelBufferPool.makeBuffer(limit: limit)
    }
}

/// Gives up memory of buffers that are gone.
///
/// - Parameter options: `.excessBuffers` for all of it, `[]` for what has been unused for longer than the pool's
///   maximum age.
public func CVPixelBufferPoolFlush(_ pool: CVPixelBufferPool, _ options: CVPixelBufferPoolFlushFlags) {
    pool.flush(options)
}

/// Which unused buffers a pool gives up.
public struct CVPixelBufferPoolFlushFlags: OptionSet, Hashable, Sendable {
    /// The bits, as Core Video has them.
    public let rawValue: CVOptionFlags
    /// Makes a set of its bits.
    public init(rawValue: CVOptionFlags) { self.rawValue = rawValue }

    /// All of them, however short they have been unused.
    public static let excessBuffers = CVPixelBufferPoolFlushFlags(rawValue: 1)
}
