/// One plane of pixels in memory.
package struct PixelPlane {
    /// The first pixel of the first row.
    package let address: UnsafeMutableRawPointer
    /// Columns: pixels, or samples of chroma.
    package let width: Int
    /// Rows.
    package let height: Int
    /// Bytes from row to row; positive.
    package let bytesPerRow: Int

    package init(address: UnsafeMutableRawPointer, width: Int, height: Int, bytesPerRow: Int) {
        (self.address, self.width, self.height, self.bytesPerRow) = (address, width, height, bytesPerRow)
    }
}

/// The memory behind a buffer, whoever it belongs to, until nobody needs it.
///
/// `@unchecked Sendable`: nothing in it changes; who writes to the memory when is for the buffer's locks to say.
final class PixelStorage: @unchecked Sendable {
    /// The planes in their order; at least one.
    let planes: [PixelPlane]
    /// Bytes of all planes.
    let byteCount: Int
    /// What the client says describes the planes, for `CVPixelBufferGetBaseAddress`.
    let planeDescriptor: UnsafeMutableRawPointer?
    private let release: () -> Void

    /// Takes over memory.
    ///
    /// - Parameter release: Called once, when the storage goes, on whatever thread that happens.
    init(
        planes: [PixelPlane], byteCount: Int, planeDescriptor: UnsafeMutableRawPointer? = nil,
        release: @escaping () -> Void
    ) {
        (self.planes, self.byteCount, self.planeDescriptor) = (planes, byteCount, planeDescriptor)
        self.release = release
    }

    /// Storage in memory of our own.
    ///
    /// - Parameter release: Given the memory when the storage goes.
    convenience init(
        _ memory: PixelMemory, layout: PixelBufferLayout, release: @escaping (PixelMemory) -> Void = { _ in }
    ) {
        let planes = layout.planes.map { plane in
            PixelPlane(
                address: memory.address + plane.offset, width: plane.width, height: plane.height,
                bytesPerRow: plane.bytesPerRow)
        }
        self.init(planes: planes, byteCount: layout.byteCount) { release(memory) }
    }

    deinit { release() }
}
