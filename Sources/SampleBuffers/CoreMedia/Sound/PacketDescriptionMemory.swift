/// Descriptions of packets in memory that does not move.
///
/// `@unchecked Sendable`: the memory is written once, before anybody else knows of it.
final class PacketDescriptionMemory: @unchecked Sendable {
    private let memory: UnsafeMutableBufferPointer<AudioStreamPacketDescription>

    init(_ descriptions: [AudioStreamPacketDescription]) {
        memory = .allocate(capacity: descriptions.count)
        _ = memory.initialize(from: descriptions)
    }

    deinit { memory.deallocate() }

    /// The descriptions, which last as long as this object.
    var descriptions: UnsafeBufferPointer<AudioStreamPacketDescription> { UnsafeBufferPointer(memory) }
}
