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

/// A piece of memory with sound: all channels by turns, or one of them.
public struct AudioBuffer {
    /// How many channels take turns in the memory.
    public var mNumberChannels: UInt32
    /// Bytes of the memory.
    public var mDataByteSize: UInt32
    /// The first byte, nil for none; whoever made the buffer owns the memory.
    public var mData: UnsafeMutableRawPointer?

    /// A buffer of no bytes.
    public init() { self.init(mNumberChannels: 0, mDataByteSize: 0, mData: nil) }

    /// A buffer of its fields.
    public init(mNumberChannels: UInt32, mDataByteSize: UInt32, mData: UnsafeMutableRawPointer?) {
        (self.mNumberChannels, self.mDataByteSize, self.mData) = (mNumberChannels, mDataByteSize, mData)
    }

    /// A buffer of memory that holds elements of a type.
    ///
    /// - Parameters:
    ///   - typedBuffer: Stays the caller's. Of more than `UInt32.max` bytes so many count.
    ///   - numberOfChannels: How many channels take turns in it.
    public init<Element>(_ typedBuffer: UnsafeMutableBufferPointer<Element>, numberOfChannels: Int) {
        let (bytes, tooMany) = typedBuffer.count.multipliedReportingOverflow(by: MemoryLayout<Element>.stride)
        self.init(
            mNumberChannels: UInt32(clamping: numberOfChannels),
            mDataByteSize: tooMany ? .max : UInt32(clamping: bytes),
            mData: UnsafeMutableRawPointer(typedBuffer.baseAddress))
    }
}

extension UnsafeBufferPointer {
    /// The elements in a buffer of sound; what is left of the memory after the last whole one does not count.
    public init(_ audioBuffer: AudioBuffer) {
        self.init(UnsafeMutableBufferPointer<Element>(audioBuffer))
    }
}

extension UnsafeMutableBufferPointer {
    /// The elements in a buffer of sound; what is left of the memory after the last whole one does not count.
    public init(_ audioBuffer: AudioBuffer) {
        let count = Int(audioBuffer.mDataByteSize) / MemoryLayout<Element>.stride
        let start = audioBuffer.mData?.assumingMemoryBound(to: Element.self)
        self.init(start: start, count: start == nil ? 0 : count)
    }
}

/// The buffers of a list in memory, as a collection; it owns none of them.
public struct UnsafeMutableAudioBufferListPointer {
    /// The list.
    public var unsafeMutablePointer: UnsafeMutablePointer<AudioBufferList>

    /// The buffers of a list.
    public init(_ p: UnsafeMutablePointer<AudioBufferList>) { unsafeMutablePointer = p }

    /// The buffers of a list; nil for none.
    public init?(_ p: UnsafeMutablePointer<AudioBufferList>?) {
        guard let p else { return nil }
        self.init(p)
    }

    /// The list, only to read.
    public var unsafePointer: UnsafePointer<AudioBufferList> { UnsafePointer(unsafeMutablePointer) }

    /// How many buffers there are: the list's own number, never more than it has room for.
    public var count: Int {
        get { Int(unsafeMutablePointer.pointee.mNumberBuffers) }
        nonmutating set { unsafeMutablePointer.pointee.mNumberBuffers = UInt32(clamping: newValue) }
    }

    private var first: UnsafeMutablePointer<AudioBuffer> {
        // The buffers begin where the alignment of pointers lets them, as in C.
        let offset = MemoryLayout<AudioBufferList>.size - MemoryLayout<AudioBuffer>.size
        return (UnsafeMutableRawPointer(unsafeMutablePointer) + offset).assumingMemoryBound(to: AudioBuffer.self)
    }
}

extension UnsafeMutableAudioBufferListPointer: MutableCollection, RandomAccessCollection {
    /// A place in the list.
    public typealias Index = Int

    /// The place of the first buffer, counted from 0.
    public var startIndex: Int { 0 }
    /// How many buffers there are.
    public var endIndex: Int { count }

    /// A buffer of the list.
    ///
    /// - Parameter index: Counted from 0, less than the count; others trap, as in all collections.
    public subscript(index: Int) -> AudioBuffer {
        get {
            precondition((0..<count).contains(index), "no buffer \(index) of \(count)")
            return first[index]
        }
        nonmutating set {
            precondition((0..<count).contains(index), "no buffer \(index) of \(count)")
            first[index] = newValue
        }
    }
}
