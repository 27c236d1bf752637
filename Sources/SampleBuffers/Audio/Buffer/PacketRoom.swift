internal import Foundation

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
