/// Where a client's memory comes from, and where it goes.
public struct CMBlockBufferCustomBlockSource {
    /// `kCMBlockBufferCustomBlockSourceVersion`.
    public var version: UInt32
    /// Given `refCon` and a number of bytes; returns so much memory, nil if there is none.
    ///
    /// Called once, when the memory is first needed. May be nil where the memory is there already.
    public var AllocateBlock: (@convention(c) (UnsafeMutableRawPointer?, Int) -> UnsafeMutableRawPointer?)?
    /// Given `refCon`, the memory and its bytes, once, when no buffer needs it any more; nil if nothing is to be done.
    public var FreeBlock: (@convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer, Int) -> Void)?
    /// Passed to both functions, on whatever thread they are called.
    public var refCon: UnsafeMutableRawPointer?

    /// A source without functions.
    public init() { self.init(version: 0, AllocateBlock: nil, FreeBlock: nil, refCon: nil) }

    /// A source of its fields.
    public init(
        version: UInt32, AllocateBlock: (@convention(c) (UnsafeMutableRawPointer?, Int) -> UnsafeMutableRawPointer?)?,
        FreeBlock: (@convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer, Int) -> Void)?,
        refCon: UnsafeMutableRawPointer?
    ) {
        (self.version, self.AllocateBlock, self.FreeBlock) = (version, AllocateBlock, FreeBlock)
        self.refCon = refCon
    }
}

/// The version of sources of memory that there is.
public var kCMBlockBufferCustomBlockSourceVersion: UInt32 { 0 }
