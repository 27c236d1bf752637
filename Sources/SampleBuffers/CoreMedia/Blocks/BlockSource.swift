internal import Foundation
internal import MediaCore

/// Where memory of block buffers comes from, and where it goes.
///
/// `@unchecked Sendable`: the functions are the client's, who lets them be called on any thread, as in Core Media.
struct BlockSource: @unchecked Sendable {
    /// Given a number of bytes; `nil` if there is no memory.
    let allocate: (Int) -> UnsafeMutableRawPointer?
    /// Given the memory and its bytes.
    let release: (UnsafeMutableRawPointer, Int) -> Void

    /// A source of a client's functions.
    init(
        allocate: @escaping (Int) -> UnsafeMutableRawPointer?,
        release: @escaping (UnsafeMutableRawPointer, Int) -> Void
    ) {
        (self.allocate, self.release) = (allocate, release)
    }

    /// A source for memory that is there already.
    init(release: @escaping (UnsafeMutableRawPointer, Int) -> Void) {
        self.init(allocate: { _ in nil }, release: release)
    }

    /// The source that an allocator stands for.
    init(_ allocator: CFAllocator?) {
        if let allocator, allocator === kCFAllocatorNull {
            self.init { _, _ in }
        } else {
            // `calloc` gets large pieces from the kernel, clean: nobody sees what others left in the memory.
            self.init(allocate: { calloc(1, $0) }, release: { memory, _ in free(memory) })
        }
    }

    /// The source that functions of C stand for: the custom one if there is one, otherwise the allocator.
    ///
    /// - Parameter allocates: Whether memory will be asked for.
    /// - Throws: `kCMBlockBufferBadCustomBlockSourceErr`.
    init(
        _ allocator: CFAllocator?, custom: UnsafePointer<CMBlockBufferCustomBlockSource>?, allocates: Bool
    ) throws(CoreMediaFailure) {
        guard let custom = custom?.pointee else {
            self.init(allocator)
            return
        }
        guard custom.version == kCMBlockBufferCustomBlockSourceVersion, custom.AllocateBlock != nil || !allocates else {
            throw CoreMediaFailure(kCMBlockBufferBadCustomBlockSourceErr)
        }
        self.init(
            allocate: { custom.AllocateBlock?(custom.refCon, $0) },
            release: { custom.FreeBlock?(custom.refCon, $0, $1) })
    }
}
