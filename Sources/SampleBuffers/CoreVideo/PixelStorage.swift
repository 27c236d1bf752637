internal import Foundation
internal import Synchronization

/// One plane of pixels in memory.
package struct PixelPlane {
    /// The first pixel of the first row.
    let address: UnsafeMutableRawPointer
    /// Columns: pixels, or samples of chroma.
    let width: Int
    /// Rows.
    let height: Int
    /// Bytes from row to row; positive.
    let bytesPerRow: Int

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

/// Memory that buffers of a pool have given back, for those that come after them.
///
/// Nothing runs in the background: what has grown too old goes when something is taken or put back.
final class PixelMemoryShelf: Sendable {
    /// What a request for memory comes to.
    enum Answer {
        /// Memory that another buffer had; it holds what that one left.
        case recycled(PixelMemory)
        /// The caller is to allocate, and to say so if it fails: the block counts already.
        case allocate
        /// There are as many blocks as were allowed.
        case refused
    }

    private struct Block {
        let memory: PixelMemory
        let since: ContinuousClock.Instant
    }

    private struct State {
        /// The one that was put back last at the end.
        var unused: [Block] = []
        /// Blocks in use and unused.
        var allocated = 0

        mutating func dropUnused(where isDropped: (Block) -> Bool, keeping minimum: Int) -> [Block] {
            let dropped = unused.prefix { isDropped($0) }.prefix(max(allocated - minimum, 0))
            unused.removeFirst(dropped.count)
            allocated -= dropped.count
            return Array(dropped)
        }
    }

    /// How many blocks stay, however old.
    private let minimumCount: Int
    /// How long a block may be unused, `nil` for ever.
    private let maximumAge: Duration?
    private let state = Mutex(State())

    init(minimumCount: Int, maximumAge: Duration?) {
        (self.minimumCount, self.maximumAge) = (minimumCount, maximumAge)
    }

    /// Takes the block that was put back last, whose memory is likeliest to be in a cache.
    ///
    /// - Parameter limit: How many blocks there may be before none is added, `nil` for any number.
    func take(limit: Int?) -> Answer {
        let answer = state.withLock { state -> Answer in
            if let block = state.unused.popLast() { return .recycled(block.memory) }
            if let limit, state.allocated >= limit { return .refused }
            state.allocated += 1
            return .allocate
        }
        dropAged()
        return answer
    }

    /// Counts a block no longer that could not be allocated.
    func allocationFailed() { state.withLock { $0.allocated -= 1 } }

    /// Puts back a block that no buffer needs.
    func put(_ memory: PixelMemory) {
        state.withLock { $0.unused.append(Block(memory: memory, since: .now)) }
        dropAged()
    }

    /// Gives up what has been unused for too long.
    func dropAged() {
        guard let maximumAge else { return }
        let limit = ContinuousClock.now - maximumAge
        drop(keeping: minimumCount) { $0.since < limit }
    }

    /// Gives up all that is unused.
    func dropAll() { drop(keeping: 0) { _ in true } }

    private func drop(keeping minimum: Int, _ isDropped: (Block) -> Bool) {
        // The memory goes after the lock: to return it to the kernel takes a while.
        let dropped = state.withLock { $0.dropUnused(where: isDropped, keeping: minimum) }
        withExtendedLifetime(dropped) {}
    }
}
