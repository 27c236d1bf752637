internal import Synchronization

/// One block of memory of block buffers, allocated or promised, until no buffer needs it.
final class BlockMemory: Sendable {
    /// `@unchecked Sendable`: an address alone; who uses the memory when is for the clients to say.
    private struct Address: @unchecked Sendable {
        var pointer: UnsafeMutableRawPointer?
    }

    /// Bytes of the block.
    let length: Int
    private let source: BlockSource
    private let address: Mutex<Address>

    /// Takes over memory, or promises some.
    ///
    /// - Parameters:
    ///   - block: `nil` for memory to be allocated when it is first needed.
    ///   - length: Bytes of the block, at least 1.
    init(_ block: UnsafeMutableRawPointer?, length: Int, source: BlockSource) {
        (self.length, self.source) = (length, source)
        address = Mutex(Address(pointer: block))
    }

    deinit {
        if let pointer { source.release(pointer, length) }
    }

    /// The first byte, `nil` if the memory is still to be allocated.
    var pointer: UnsafeMutableRawPointer? { address.withLock { $0 }.pointer }

    /// Allocates the memory if that is still to be done.
    ///
    /// - Throws: `kCMBlockBufferBlockAllocationFailedErr`; the next call tries again.
    func assure() throws(CoreMediaFailure) {
        // The source is asked under the lock: it is to be asked once, whoever else comes meanwhile.
        let isThere = address.withLock { address in
            if address.pointer == nil { address.pointer = source.allocate(length) }
            return address.pointer != nil
        }
        guard isThere else { throw CoreMediaFailure(kCMBlockBufferBlockAllocationFailedErr) }
    }
}
