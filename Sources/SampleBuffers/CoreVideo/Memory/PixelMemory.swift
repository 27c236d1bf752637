internal import Foundation

/// A piece of memory for pixels, all zero at first.
///
/// `@unchecked Sendable`: the address never changes; who writes to it when is for the buffer's locks to say.
final class PixelMemory: @unchecked Sendable {
    /// The first byte, aligned as asked for.
    let address: UnsafeMutableRawPointer
    private let allocation: UnsafeMutableRawPointer

    /// Allocates memory.
    ///
    /// - Parameters:
    ///   - byteCount: At least 1.
    ///   - alignment: A power of two.
    /// - Returns: `nil` if there is no memory left.
    init?(byteCount: Int, alignment: Int) {
        // `calloc` gets large pieces from the kernel, which clears pages when they are first touched: a large buffer
        // costs nothing until it is used. It knows no alignment, hence the spare bytes.
        guard let allocation = calloc(1, byteCount + alignment - 1) else { return nil }
        self.allocation = allocation
        address = allocation.alignedUp(toMultipleOf: alignment)
    }

    deinit { free(allocation) }
}
