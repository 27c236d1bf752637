public import Foundation

/// Packets of compressed sound in memory.
open class AVAudioCompressedBuffer: AVAudioBuffer {
    private let room: PacketRoom
    private var packets: AVAudioPacketCount = 0

    /// A buffer with memory of its own, all zero, that holds no packets yet.
    ///
    /// - Parameters:
    ///   - format: Of compressed sound.
    ///   - packetCapacity: How many packets there is room for.
    ///   - maximumPacketSize: The most bytes of a packet.
    /// - Note: Without room for formats of linear PCM, for sizes below 0 or of 4 GiB and more together, and if there is
    ///   no memory left: ``packetCapacity`` is 0. AVFoundation ends the program.
    public init(format: AVAudioFormat, packetCapacity: AVAudioPacketCount, maximumPacketSize: Int) {
        room = PacketRoom(format.facts.stream, packetCapacity, maximumPacketSize) ?? PacketRoom.none
        super.init(format: format, storage: room.storage)
    }

    /// A buffer with memory of its own, all zero, for packets that all have as many bytes.
    ///
    /// - Parameters:
    ///   - format: Of compressed sound whose packets do not differ.
    ///   - packetCapacity: How many packets there is room for.
    /// - Note: Without room for formats whose packets differ, and as
    ///   ``init(format:packetCapacity:maximumPacketSize:)``. AVFoundation ends the program.
    public init(format: AVAudioFormat, packetCapacity: AVAudioPacketCount) {
        let stream = format.facts.stream
        let room = stream.mBytesPerPacket == 0 ? nil : PacketRoom(stream, packetCapacity, Int(stream.mBytesPerPacket))
        self.room = room ?? PacketRoom.none
        super.init(format: format, storage: self.room.storage)
    }

    private init(copying original: AVAudioCompressedBuffer) {
        let stream = original.format.facts.stream
        room =
            PacketRoom(stream, original.room.packetCapacity, original.room.maximumPacketSize) ?? PacketRoom.none
        super.init(format: original.format, storage: room.storage)
        byteLength = original.byteLength
        packetCount = original.packetCount
        data.copyMemory(from: original.data, byteCount: Int(byteLength))
        if let descriptions = room.descriptions, let originals = original.room.descriptions {
            descriptions.update(from: originals, count: Int(packetCount))
        }
    }

    /// How many packets there is room for.
    open var packetCapacity: AVAudioPacketCount { room.packetCapacity }

    /// The most bytes of a packet.
    open var maximumPacketSize: Int { room.maximumPacketSize }

    /// How many packets the buffer holds.
    ///
    /// - Note: More than ``packetCapacity`` counts as that. AVFoundation does not allow it.
    open var packetCount: AVAudioPacketCount {
        get { packets }
        set { packets = min(newValue, room.packetCapacity) }
    }

    /// The first byte, in memory that lasts as long as the buffer.
    open var data: UnsafeMutableRawPointer { room.start }

    /// How many bytes there is room for.
    open var byteCapacity: UInt32 { UInt32(clamping: room.byteCapacity) }

    /// How many bytes the packets take.
    ///
    /// - Note: More than ``byteCapacity`` counts as that. AVFoundation does not allow it.
    open var byteLength: UInt32 {
        get { UInt32(clamping: storage.filledByteCount) }
        set { storage.filledByteCount = min(Int(newValue), room.byteCapacity) }
    }

    /// Where the packets lie, with room for all of them, in memory that lasts as long as the buffer.
    ///
    /// - Returns: `nil` for formats whose packets all have as many bytes, and for a buffer without room.
    open var packetDescriptions: UnsafeMutablePointer<AudioStreamPacketDescription>? { room.descriptions }

    /// A copy in memory of its own with the same capacity, as far as the buffer is filled; the rest is zero.
    ///
    /// - Note: One without room if there is no memory left.
    open override func copy(with zone: NSZone? = nil) -> Any { AVAudioCompressedBuffer(copying: self) }
}
