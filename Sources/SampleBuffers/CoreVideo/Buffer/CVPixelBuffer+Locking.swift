internal import Synchronization

/// How often a buffer's memory is locked, and what for.
struct BaseAddressLocks {
    private var readers = 0
    private var writers = 0

    mutating func add(_ flags: CVPixelBufferLockFlags) {
        if flags.contains(.readOnly) { readers += 1 } else { writers += 1 }
    }

    /// Takes back a lock.
    ///
    /// Core Video leaves open what happens if an unlock has other flags than the lock. Here it ends a lock of the
    /// other kind, so that buffers do not stay locked.
    ///
    /// - Returns: Whether there was one.
    mutating func remove(_ flags: CVPixelBufferLockFlags) -> Bool {
        guard readers + writers > 0 else { return false }
        let reading = readers > 0 && (flags.contains(.readOnly) || writers == 0)
        if reading { readers -= 1 } else { writers -= 1 }
        return true
    }
}

/// Locks a buffer's memory, so that its address may be used.
///
/// Locks are counted: as many unlocks have to follow.
///
/// - Parameter lockFlags: `.readOnly` if nobody is going to write, otherwise `[]`.
/// - Returns: `kCVReturnSuccess`.
/// - Note: Unlike Core Video's: memory is always there: a lock waits for nobody and keeps nobody from reading or writing.
@discardableResult
public func CVPixelBufferLockBaseAddress(
    _ pixelBuffer: CVPixelBuffer, _ lockFlags: CVPixelBufferLockFlags
) -> CVReturn {
    pixelBuffer.locks.withLock { $0.add(lockFlags) }
    return kCVReturnSuccess
}

/// Takes back a lock of a buffer's memory.
///
/// - Parameter unlockFlags: Those of the lock.
/// - Returns: `kCVReturnInvalidArgument` if the buffer is not locked.
/// - Note: Flags that differ from the lock's end it all the same; Core Video leaves open what they do.
@discardableResult
public func CVPixelBufferUnlockBaseAddress(
    _ pixelBuffer: CVPixelBuffer, _ unlockFlags: CVPixelBufferLockFlags
) -> CVReturn {
    pixelBuffer.locks.withLock { $0.remove(unlockFlags) } ? kCVReturnSuccess : kCVReturnInvalidArgument
}

/// A plane of a locked buffer.
package struct LockedPlane {
    /// From the first pixel of the first row to the last pixel of the last, with the padding between rows.
    package let bytes: UnsafeMutableRawBufferPointer
    /// Columns: pixels, or samples of chroma.
    package let width: Int
    /// Rows.
    package let height: Int
    /// Bytes from row to row.
    package let bytesPerRow: Int
    /// Bytes of the columns of a row, without padding.
    package let rowByteCount: Int

    /// The bytes of a row, without padding.
    ///
    /// - Parameter index: From 0, the top row, to less than the height; others trap.
    package func row(_ index: Int) -> UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(rebasing: bytes[(index * bytesPerRow)..<(index * bytesPerRow + rowByteCount)])
    }
}

extension CVBuffer {
    /// Locks the memory, gives its planes to a body and unlocks it.
    ///
    /// - Parameters:
    ///   - flags: `.readOnly` if the body is not going to write, otherwise `[]`.
    ///   - body: Given the planes in their order, one for formats that are not planar. They last as long as the call.
    ///     Their sizes count: planes that a client brought need not be as large as the format asks for.
    /// - Returns: What the body returns.
    /// - Throws: What the body throws.
    package func withLockedPlanes<Result, Failure: Error>(
        _ flags: CVPixelBufferLockFlags, _ body: ([LockedPlane]) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        CVPixelBufferLockBaseAddress(self, flags)
        defer { CVPixelBufferUnlockBaseAddress(self, flags) }
        return try body(lockedPlanes)
    }

    /// The planes, to be used while they are locked.
    var lockedPlanes: [LockedPlane] {
        let formats = PixelFormatDescription(pixelFormat)?.planes ?? []
        return zip(storage.planes, formats).map { plane, format in
            // All was checked when the buffer was made: the row fits, and so does the product.
            let rowByteCount = format.rowByteCount(plane.width) ?? 0
            let byteCount = (plane.height - 1) * plane.bytesPerRow + rowByteCount
            return LockedPlane(
                bytes: UnsafeMutableRawBufferPointer(start: plane.address, count: byteCount), width: plane.width,
                height: plane.height, bytesPerRow: plane.bytesPerRow, rowByteCount: rowByteCount)
        }
    }
}
