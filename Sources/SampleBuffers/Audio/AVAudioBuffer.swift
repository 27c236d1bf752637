public import Foundation

/// Sound in memory: samples in an ``AVAudioPCMBuffer``, packets in an ``AVAudioCompressedBuffer``.
///
/// As in AVFoundation it is not `Sendable`: whoever writes has to see to it that nobody else uses the buffer meanwhile.
open class AVAudioBuffer: NSObject, NSCopying, NSMutableCopying {
    /// How the sound is coded.
    public let format: AVAudioFormat
    let storage: SoundStorage

    init(format: AVAudioFormat, storage: SoundStorage) {
        (self.format, self.storage) = (format, storage)
        super.init()
    }

    /// The memory with what is in it, as a list that lasts as long as the buffer.
    ///
    /// The sizes are those of what the buffer holds. The list is not to be changed, the memory may be.
    open var audioBufferList: UnsafePointer<AudioBufferList> { storage.filled }

    /// The memory with the room that there is, as a list that lasts as long as the buffer.
    ///
    /// The sizes are those of the capacity, anew whenever somebody asks. They are for functions that fill the memory
    /// and change them to what they wrote; what the buffer holds has to be set afterwards.
    open var mutableAudioBufferList: UnsafeMutablePointer<AudioBufferList> { storage.whole }

    /// A copy in memory of its own, as far as the buffer is filled; the rest is zero.
    ///
    /// - Note: One without room if there is no memory left.
    open func copy(with zone: NSZone? = nil) -> Any { AVAudioBuffer(format: format, storage: storage.copy()) }

    /// The same as ``copy(with:)``: all buffers can be changed.
    open func mutableCopy(with zone: NSZone? = nil) -> Any { copy(with: zone) }
}

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

/// The memory behind a buffer, whoever it belongs to, until nobody needs it, and the lists that tell of it.
final class SoundStorage {
    /// The memory in its parts: one if channels are interleaved, otherwise one for each.
    let planes: [UnsafeMutableRawBufferPointer]
    private let channelsPerPlane: UInt32
    private let filledList: UnsafeMutableAudioBufferListPointer
    private let wholeList: UnsafeMutableAudioBufferListPointer
    private let release: (UnsafePointer<AudioBufferList>) -> Void

    /// Bytes of each plane that hold something.
    var filledByteCount: Int {
        didSet { list(filledList) { UInt32(clamping: min(filledByteCount, $0.count)) } }
    }

    /// Takes over memory.
    ///
    /// - Parameter release: Called once with all planes, when the storage goes, on whatever thread that happens.
    init(
        planes: [UnsafeMutableRawBufferPointer], channelsPerPlane: UInt32, filledByteCount: Int,
        release: @escaping (UnsafePointer<AudioBufferList>) -> Void
    ) {
        (self.planes, self.channelsPerPlane, self.release) = (planes, channelsPerPlane, release)
        filledList = AudioBufferList.allocate(maximumBuffers: planes.count)
        wholeList = AudioBufferList.allocate(maximumBuffers: planes.count)
        self.filledByteCount = filledByteCount
        list(filledList) { UInt32(clamping: min(filledByteCount, $0.count)) }
    }

    deinit {
        release(UnsafePointer(whole))
        free(filledList.unsafeMutablePointer)
        free(wholeList.unsafeMutablePointer)
    }

    /// Memory of our own, all zero.
    ///
    /// - Parameters:
    ///   - planeCount: At least 1.
    ///   - planeByteCount: At least 0; a list of buffers can tell of no more than 32 bits.
    /// - Returns: `nil` if it would be too much, or there is no memory left.
    static func allocated(planeCount: Int, planeByteCount: Int, channelsPerPlane: UInt32) -> SoundStorage? {
        guard planeCount > 0, planeByteCount >= 0, planeByteCount <= Int(UInt32.max) else { return nil }
        // Planes start where the widest registers can load from.
        let step = (planeByteCount + 63) / 64 * 64
        let (size, tooLarge) = step.multipliedReportingOverflow(by: planeCount)
        // `calloc` gets large pieces from the kernel, which clears pages when they are first touched. It knows no
        // alignment, hence the spare bytes.
        guard !tooLarge, size <= Int.max - 64, let allocation = calloc(1, size + 64) else { return nil }
        let start = allocation.alignedUp(toMultipleOf: 64)
        let planes = (0..<planeCount).map { index in
            UnsafeMutableRawBufferPointer(start: start + index * step, count: planeByteCount)
        }
        return SoundStorage(planes: planes, channelsPerPlane: channelsPerPlane, filledByteCount: 0) { _ in
            free(allocation)
        }
    }

    /// A copy in memory of our own; one without any bytes if there is no memory left.
    func copy() -> SoundStorage {
        let size = planes.map(\.count).min() ?? 0
        guard
            let copy = Self.allocated(
                planeCount: planes.count, planeByteCount: size, channelsPerPlane: channelsPerPlane)
        else {
            let none = UnsafeMutableRawBufferPointer(start: nil, count: 0)
            return SoundStorage(
                planes: planes.map { _ in none }, channelsPerPlane: channelsPerPlane, filledByteCount: 0
            ) { _ in }
        }
        for (target, source) in zip(copy.planes, planes) {
            target.copyMemory(from: UnsafeRawBufferPointer(rebasing: source[..<min(filledByteCount, size)]))
        }
        copy.filledByteCount = filledByteCount
        return copy
    }

    /// The list of what is filled.
    var filled: UnsafePointer<AudioBufferList> { filledList.unsafePointer }

    /// The list of all memory, as new: whoever had it before may have changed it.
    var whole: UnsafeMutablePointer<AudioBufferList> {
        list(wholeList) { UInt32(clamping: $0.count) }
        return wholeList.unsafeMutablePointer
    }

    private func list(
        _ list: UnsafeMutableAudioBufferListPointer, size: (UnsafeMutableRawBufferPointer) -> UInt32
    ) {
        list.count = planes.count
        for (index, plane) in planes.enumerated() {
            list[index] = AudioBuffer(
                mNumberChannels: channelsPerPlane, mDataByteSize: size(plane), mData: plane.baseAddress)
        }
    }
}

/// Memory for packets, and for where they lie.
final class PacketRoom {
    let packetCapacity: AVAudioPacketCount
    let maximumPacketSize: Int
    let byteCapacity: Int
    /// The first byte.
    let start: UnsafeMutableRawPointer
    /// Where each packet lies, `nil` if packets do not differ.
    let descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?
    let storage: SoundStorage

    private init(
        _ packetCapacity: AVAudioPacketCount, _ maximumPacketSize: Int,
        _ descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?, _ storage: SoundStorage,
        start: UnsafeMutableRawPointer
    ) {
        (self.packetCapacity, self.maximumPacketSize) = (packetCapacity, maximumPacketSize)
        (self.descriptions, self.storage, self.start) = (descriptions, storage, start)
        byteCapacity = storage.planes.first?.count ?? 0
    }

    deinit { free(descriptions) }

    /// Room for packets.
    ///
    /// - Returns: `nil` for samples that are not compressed, for sizes below 0 or of 4 GiB and more together, and if
    ///   there is no memory left.
    convenience init?(
        _ stream: AudioStreamBasicDescription, _ packetCapacity: AVAudioPacketCount, _ maximumPacketSize: Int
    ) {
        let (size, tooLarge) = Int(packetCapacity).multipliedReportingOverflow(by: maximumPacketSize)
        guard !stream.isPCM, maximumPacketSize >= 0, !tooLarge,
            let storage = SoundStorage.allocated(
                planeCount: 1, planeByteCount: size, channelsPerPlane: stream.mChannelsPerFrame),
            let start = storage.planes.first?.baseAddress
        else { return nil }
        var descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?
        if stream.mBytesPerPacket == 0 {
            let count = max(1, Int(packetCapacity))
            guard let memory = calloc(count, MemoryLayout<AudioStreamPacketDescription>.stride) else { return nil }
            descriptions = memory.bindMemory(to: AudioStreamPacketDescription.self, capacity: count)
        }
        self.init(packetCapacity, maximumPacketSize, descriptions, storage, start: start)
    }

    /// No room, but an address.
    static var none: PacketRoom {
        let start = UnsafeMutableRawPointer.allocate(byteCount: 16, alignment: 16)
        let plane = UnsafeMutableRawBufferPointer(start: start, count: 0)
        let storage = SoundStorage(planes: [plane], channelsPerPlane: 0, filledByteCount: 0) { _ in
            start.deallocate()
        }
        return PacketRoom(0, 0, nil, storage, start: start)
    }
}
