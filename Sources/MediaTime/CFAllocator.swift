/// What gives out memory, in functions of C.
///
/// There are none to choose from: functions take `nil`, as everybody passes on Apple's platforms.
public final class CFAllocator: Sendable {
    private init() {}
}

/// The usual allocator: `nil`, as on Apple's platforms.
public let kCFAllocatorDefault: CFAllocator! = nil
