public import Foundation
public import MediaCore

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
