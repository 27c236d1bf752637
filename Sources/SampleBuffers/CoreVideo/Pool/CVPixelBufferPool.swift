internal import Foundation
internal import MediaCore

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
