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
