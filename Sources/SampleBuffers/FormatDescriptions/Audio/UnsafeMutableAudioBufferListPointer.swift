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
