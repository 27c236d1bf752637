public import Foundation
public import MediaCore
internal import Synchronization

/// Given the memory of a buffer back: `releaseRefCon` and the address that the buffer was made with.
public typealias CVPixelBufferReleaseBytesCallback =
    @convention(c) (
        _ releaseRefCon: UnsafeMutableRawPointer?, _ baseAddress: UnsafeRawPointer?
    ) -> Void

/// Given the memory of a planar buffer back: `releaseRefCon`, descriptor, size, number of planes and their addresses.
///
/// The list of addresses lasts as long as the call.
public typealias CVPixelBufferReleasePlanarBytesCallback =
    @convention(c) (
        _ releaseRefCon: UnsafeMutableRawPointer?, _ dataPtr: UnsafeRawPointer?, _ dataSize: Int,
        _ numberOfPlanes: Int, _ planeAddresses: UnsafeMutablePointer<UnsafeRawPointer?>?
    ) -> Void

/// Makes a buffer with memory of its own, which is zero.
///
/// Bytes from row to row are a multiple of 64 unless the attributes say otherwise. Chroma of odd sizes has a last
/// column or row for what is left.
///
/// - Parameters:
///   - allocator: `kCFAllocatorDefault` or nil; there are no others.
///   - width: Pixels in a row, from 1 to 16384; what the attributes say of it does not count.
///   - height: Rows, from 1 to 16384; what the attributes say of it does not count.
///   - pixelFormatType: One of `kCVPixelFormatType_…`.
///   - pixelBufferAttributes: By `kCVPixelBuffer…Key`; nil for none.
///   - pixelBufferOut: Is given the buffer, nil if it fails.
/// - Returns: `kCVReturnInvalidArgument` for sizes below 1, `kCVReturnInvalidSize` for sides that are too long,
///   `kCVReturnInvalidPixelFormat` for codes that are not known, `kCVReturnInvalidPixelBufferAttributes` for
///   attributes that cannot be honoured, `kCVReturnAllocationFailed` without memory.
/// - Note: Unlike Core Video's: the formats are those that have a constant here. There are no surfaces that other processes share.
@discardableResult
public func CVPixelBufferCreate(
    _ allocator: CFAllocator?, _ width: Int, _ height: Int, _ pixelFormatType: OSType,
    _ pixelBufferAttributes: CFDictionary?, _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn {
    created(pixelBufferOut) { () throws(PixelBufferFailure) in
        let layout = try PixelBufferAttributes(pixelBufferAttributes)
            .layout(pixelFormat: pixelFormatType, width: width, height: height)
        guard let memory = PixelMemory(byteCount: layout.byteCount, alignment: layout.alignment) else {
            throw PixelBufferFailure(kCVReturnAllocationFailed)
        }
        return CVBuffer(
            layout, storage: PixelStorage(memory, layout: layout), attributes: pixelBufferAttributes?.copyByText())
    }
}

/// Makes a buffer of memory that the client has, for a format that is not planar.
///
/// - Parameters:
///   - allocator: `kCFAllocatorDefault` or nil; there are no others.
///   - width: Pixels in a row, from 1 to 16384.
///   - height: Rows, from 1 to 16384.
///   - pixelFormatType: One of `kCVPixelFormatType_…`.
///   - baseAddress: The first pixel of the first row. The memory has to last until the callback.
///   - bytesPerRow: Bytes from row to row, at least as many as the pixels take.
///   - releaseCallback: Called once, when the buffer goes, on whatever thread that happens; never if it fails.
///   - releaseRefCon: Passed to the callback.
///   - pixelBufferAttributes: By `kCVPixelBuffer…Key`; nil for none.
///   - pixelBufferOut: Is given the buffer, nil if it fails.
/// - Returns: As ``CVPixelBufferCreate(_:_:_:_:_:_:)``; `kCVReturnInvalidArgument` also for rows that are too short,
///   `kCVReturnInvalidPixelFormat` also for planar formats.
/// - Note: Unlike Core Video's: attributes change nothing about the memory: there is never anything around the picture.
@discardableResult
public func CVPixelBufferCreateWithBytes(
    _ allocator: CFAllocator?, _ width: Int, _ height: Int, _ pixelFormatType: OSType,
    _ baseAddress: UnsafeMutableRawPointer, _ bytesPerRow: Int,
    _ releaseCallback: CVPixelBufferReleaseBytesCallback?, _ releaseRefCon: UnsafeMutableRawPointer?,
    _ pixelBufferAttributes: CFDictionary?, _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn {
    created(pixelBufferOut) { () throws(PixelBufferFailure) in
        let description = try PixelBufferLayout.description(of: pixelFormatType, width: width, height: height)
        guard !description.isPlanar else { throw PixelBufferFailure(kCVReturnInvalidPixelFormat) }
        _ = try PixelBufferAttributes(pixelBufferAttributes)
        let plane = PixelPlane(address: baseAddress, width: width, height: height, bytesPerRow: bytesPerRow)
        let byteCount = try CVBuffer.byteCount(of: [plane], description)
        let storage = PixelStorage(planes: [plane], byteCount: byteCount) {
            releaseCallback?(releaseRefCon, baseAddress)
        }
        return CVBuffer(
            pixelFormat: pixelFormatType, width: width, height: height, isPlanar: false, storage: storage,
            attributes: pixelBufferAttributes?.copyByText())
    }
}

/// Makes a buffer of memory that the client has, for a planar format.
///
/// - Parameters:
///   - allocator: `kCFAllocatorDefault` or nil; there are no others.
///   - width: Pixels in a row, from 1 to 16384.
///   - height: Rows, from 1 to 16384.
///   - pixelFormatType: One of `kCVPixelFormatType_…`.
///   - dataPtr: A descriptor of the planes, given back by ``CVPixelBufferGetBaseAddress(_:)``; nil for none.
///   - dataSize: Bytes of all planes if they follow one another, otherwise 0.
///   - numberOfPlanes: As many as the format has.
///   - planeBaseAddress: The first pixel of each plane. The memory has to last until the callback.
///   - planeWidth: Columns of each plane: pixels, or samples of chroma.
///   - planeHeight: Rows of each plane.
///   - planeBytesPerRow: Bytes from row to row of each plane, at least as many as its columns take.
///   - releaseCallback: Called once, when the buffer goes, on whatever thread that happens; never if it fails.
///   - releaseRefCon: Passed to the callback.
///   - pixelBufferAttributes: By `kCVPixelBuffer…Key`; nil for none.
///   - pixelBufferOut: Is given the buffer, nil if it fails.
/// - Returns: As ``CVPixelBufferCreate(_:_:_:_:_:_:)``; `kCVReturnInvalidArgument` also for planes that are missing or
///   have rows that are too short, `kCVReturnInvalidPixelFormat` also for formats that are not planar.
/// - Note: Unlike Core Video's: attributes change nothing about the memory: there is never anything around the picture.
@discardableResult
public func CVPixelBufferCreateWithPlanarBytes(
    _ allocator: CFAllocator?, _ width: Int, _ height: Int, _ pixelFormatType: OSType,
    _ dataPtr: UnsafeMutableRawPointer?, _ dataSize: Int, _ numberOfPlanes: Int,
    _ planeBaseAddress: UnsafeMutablePointer<UnsafeMutableRawPointer?>, _ planeWidth: UnsafeMutablePointer<Int>,
    _ planeHeight: UnsafeMutablePointer<Int>, _ planeBytesPerRow: UnsafeMutablePointer<Int>,
    _ releaseCallback: CVPixelBufferReleasePlanarBytesCallback?, _ releaseRefCon: UnsafeMutableRawPointer?,
    _ pixelBufferAttributes: CFDictionary?, _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn {
    created(pixelBufferOut) { () throws(PixelBufferFailure) in
        let description = try PixelBufferLayout.description(of: pixelFormatType, width: width, height: height)
        guard description.isPlanar else { throw PixelBufferFailure(kCVReturnInvalidPixelFormat) }
        guard numberOfPlanes == description.planes.count, dataSize >= 0 else {
            throw PixelBufferFailure(kCVReturnInvalidArgument)
        }
        _ = try PixelBufferAttributes(pixelBufferAttributes)
        let planes = (0..<numberOfPlanes).compactMap { index in
            planeBaseAddress[index].map { address in
                PixelPlane(
                    address: address, width: planeWidth[index], height: planeHeight[index],
                    bytesPerRow: planeBytesPerRow[index])
            }
        }
        let byteCount = try CVBuffer.byteCount(of: planes, description)
        let storage = PixelStorage(
            planes: planes, byteCount: dataSize > 0 ? dataSize : byteCount, planeDescriptor: dataPtr
        ) {
            guard let releaseCallback else { return }
            var addresses = planes.map { Optional(UnsafeRawPointer($0.address)) }
            addresses.withUnsafeMutableBufferPointer { buffer in
                releaseCallback(releaseRefCon, dataPtr, dataSize, numberOfPlanes, buffer.baseAddress)
            }
        }
        return CVBuffer(
            pixelFormat: pixelFormatType, width: width, height: height, isPlanar: true, storage: storage,
            attributes: pixelBufferAttributes?.copyByText())
    }
}

/// Puts what a body makes where the client wants it, nil if it fails.
///
/// - Returns: Why it failed, otherwise `kCVReturnSuccess`.
func created<Made>(
    _ out: UnsafeMutablePointer<Made?>, _ body: () throws(PixelBufferFailure) -> Made
) -> CVReturn {
    do {
        out.initialize(to: try body())
        return kCVReturnSuccess
    } catch {
        out.initialize(to: nil)
        return error.code
    }
}

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
