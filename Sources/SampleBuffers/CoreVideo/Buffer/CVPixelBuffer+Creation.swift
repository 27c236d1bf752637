public import Foundation
public import MediaCore

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
        out.pointee = try body()
        return kCVReturnSuccess
    } catch {
        out.pointee = nil
        return error.code
    }
}
