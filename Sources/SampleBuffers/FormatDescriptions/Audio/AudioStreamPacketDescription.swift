/// Where a packet of coded sound lies, and how many frames it has.
public struct AudioStreamPacketDescription: Hashable, Sendable {
    /// Bytes from the start of the buffer to the packet.
    public var mStartOffset: Int64
    /// Frames of the packet; 0 where all packets have the number that the format says.
    public var mVariableFramesInPacket: UInt32
    /// Bytes of the packet.
    public var mDataByteSize: UInt32

    /// A description of zeros.
    public init() { self.init(mStartOffset: 0, mVariableFramesInPacket: 0, mDataByteSize: 0) }

    /// A description of its fields.
    public init(mStartOffset: Int64, mVariableFramesInPacket: UInt32, mDataByteSize: UInt32) {
        (self.mStartOffset, self.mVariableFramesInPacket) = (mStartOffset, mVariableFramesInPacket)
        self.mDataByteSize = mDataByteSize
    }
}
