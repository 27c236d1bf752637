/// Pieces of memory with sound: one for all channels, or one for each.
///
/// As in C, where more buffers may follow in memory than the one that the structure has room for:
/// ``UnsafeMutableAudioBufferListPointer`` reaches them.
public struct AudioBufferList {
    /// How many buffers there are.
    public var mNumberBuffers: UInt32
    /// The first buffer.
    public var mBuffers: (AudioBuffer)

    /// A list of one buffer's room, with no buffers.
    public init() { self.init(mNumberBuffers: 0, mBuffers: AudioBuffer()) }

    /// A list of its fields.
    public init(mNumberBuffers: UInt32, mBuffers: (AudioBuffer)) {
        (self.mNumberBuffers, self.mBuffers) = (mNumberBuffers, mBuffers)
    }

    /// Bytes of a list with room for buffers.
    ///
    /// - Parameter maximumBuffers: At least 1; less counts as 1.
    /// - Returns: `Int.max` for more than can be counted.
    public static func sizeInBytes(maximumBuffers: Int) -> Int {
        let (more, tooMany) = (max(maximumBuffers, 1) - 1)
            .multipliedReportingOverflow(by: MemoryLayout<AudioBuffer>.stride)
        let (size, tooLarge) = more.addingReportingOverflow(MemoryLayout<AudioBufferList>.size)
        return tooMany || tooLarge ? .max : size
    }

    /// Allocates a list with room for buffers, which are empty at first and count all.
    ///
    /// - Parameter maximumBuffers: At least 1; less counts as 1. Without memory it traps, as all of Swift's allocations.
    /// - Returns: Memory that the caller gives back with `free(list.unsafeMutablePointer)`.
    public static func allocate(maximumBuffers: Int) -> UnsafeMutableAudioBufferListPointer {
        let size = sizeInBytes(maximumBuffers: maximumBuffers)
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: size, alignment: MemoryLayout<AudioBufferList>.alignment)
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: size)
        let list = UnsafeMutableAudioBufferListPointer(memory.bindMemory(to: AudioBufferList.self, capacity: 1))
        list.count = max(maximumBuffers, 1)
        return list
    }
}
