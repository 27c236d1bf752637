internal import CFFmpeg

extension Packet {
    /// A coded sample of bytes that are copied.
    ///
    /// - Parameters:
    ///   - presentation: When it is shown, in ticks; `nil` for unknown.
    ///   - decode: When it is decoded, in ticks; `nil` for unknown.
    ///   - duration: In ticks; `nil` for unknown.
    ///   - isKey: Whether decoding can start with it.
    ///   - isDiscarded: Whether it is there for others' sake and not shown.
    package static func make(
        _ bytes: UnsafeRawBufferPointer, presentation: Int64?, decode: Int64?, duration: Int64?, isKey: Bool,
        isDiscarded: Bool
    ) throws(FFmpegError) -> Packet {
        let packet = Packet()
        guard let size = Int32(exactly: bytes.count), av_new_packet(packet.pointer, size) >= 0 else {
            throw FFmpegError(kind: .limit, operation: .write, reason: "not enough memory")
        }
        if let data = packet.pointer.pointee.data {
            UnsafeMutableRawBufferPointer(start: data, count: bytes.count).copyMemory(from: bytes)
        }
        packet.set(presentation: presentation, decode: decode, isDiscarded: isDiscarded)
        packet.pointer.pointee.duration = duration ?? 0
        if isKey { packet.pointer.pointee.flags |= AV_PKT_FLAG_KEY }
        return packet
    }
}
