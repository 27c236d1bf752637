package import MediaContainers

extension EntryClassifier {
    /// What a packet that the container flags as a keyframe really is; nothing where it does not.
    package func classify(_ packet: Packet) -> Entry { packet.isKey ? packet.withBytes { classify($0) } : .none }

    /// Whether a packet brings along what its stream's pictures are decoded by, as far as that lies among them.
    package func holdsParameters(_ packet: Packet) -> Bool { packet.withBytes { holdsParameters($0) } }
}

extension DisposablePictures {
    /// Whether no other picture is predicted from the packet's.
    package func contains(_ packet: Packet) -> Bool { packet.withBytes { contains($0) } }
}

extension PictureReferences {
    /// Takes the next packet in decoding order.
    package mutating func add(_ packet: Packet, number: Int64) -> ReferringPicture? {
        packet.withBytes { add($0, number: number) }
    }

    /// The packet with its headers and next to nothing of its data.
    package func hollow(_ packet: Packet, _ picture: ReferringPicture) -> Packet? {
        packet.withBytes { hollow($0, picture) }.flatMap { Packet(bytes: $0, like: packet) }
    }
}
