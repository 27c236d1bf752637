/// What gives out memory, in functions of C, and takes it back.
///
/// There are none to make: functions take `nil`, as everybody passes on Apple's platforms, or one of the constants.
public final class CFAllocator: Sendable {
    fileprivate init() {}
}

/// The usual allocator: `nil`, as on Apple's platforms.
///
/// Memory comes from `malloc` and goes to `free`.
public let kCFAllocatorDefault: CFAllocator! = nil
/// The system's allocator: `malloc` and `free`.
public let kCFAllocatorSystemDefault: CFAllocator! = CFAllocator()
/// The allocator of C: `malloc` and `free`.
public let kCFAllocatorMalloc: CFAllocator! = CFAllocator()
/// The allocator that gives no memory and takes none back: for memory that stays the caller's.
public let kCFAllocatorNull: CFAllocator! = CFAllocator()
