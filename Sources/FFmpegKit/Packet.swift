internal import CFFmpeg

/// One coded sample, owned; immutable once it was handed out.
///
/// `@unchecked Sendable`: its data are reference-counted and nobody writes to
/// them, nor to its fields, but for the number that a decoder's thread puts on
/// a packet that it decodes: a packet must not be decoded by two at a time.
package final class Packet: @unchecked Sendable {
    let pointer: UnsafeMutablePointer<AVPacket>

    init() {
        guard let pointer = av_packet_alloc() else { preconditionFailure("out of memory for a packet") }
        self.pointer = pointer
    }

    /// A packet of other data with the times and flags of another one; `nil` without memory for it.
    convenience init?(bytes: [UInt8], like other: Packet) {
        self.init()
        guard let size = Int32(exactly: bytes.count), av_new_packet(pointer, size) >= 0,
            av_packet_copy_props(pointer, other.pointer) >= 0, let data = pointer.pointee.data
        else { return nil }
        for (index, byte) in bytes.enumerated() { data[index] = byte }
    }

    /// A packet with the same data, whose fields are its own.
    func sharingData() throws(FFmpegError) -> Packet {
        let copy = Packet()
        guard av_packet_ref(copy.pointer, pointer) >= 0 else {
            throw FFmpegError(kind: .limit, operation: .read, reason: "not enough memory")
        }
        return copy
    }

    /// The same sample with other data, its times, flags and side data as they were.
    package func replacingData(with bytes: [UInt8]) throws(FFmpegError) -> Packet {
        guard let packet = Packet(bytes: bytes, like: self) else {
            throw FFmpegError(kind: .limit, operation: .read, reason: "not enough memory")
        }
        return packet
    }

    /// The same sample at another time.
    ///
    /// - Parameters:
    ///   - duration: `nil` for unknown.
    ///   - isDiscarded: Whether it is not to be shown; `nil` leaves it as it is.
    package func retimed(
        presentation: Int64?, decode: Int64?, duration: Int64?, isDiscarded: Bool? = nil
    ) throws(FFmpegError) -> Packet {
        let copy = try sharingData()
        copy.set(presentation: presentation ?? oav_nopts, decode: decode ?? oav_nopts, isDiscarded: isDiscarded)
        copy.pointer.pointee.duration = duration ?? 0
        return copy
    }

    /// The same sample at the same time, shown or not; `nil` leaves it as it is.
    package func retimed(isDiscarded: Bool?) throws(FFmpegError) -> Packet {
        guard let isDiscarded, isDiscarded != self.isDiscarded else { return self }
        return try retimed(
            presentation: presentationTicks, decode: decodeTicks, duration: durationTicks, isDiscarded: isDiscarded)
    }

    /// Sets times that the container does not store; for the demuxer, before it hands out the packet.
    ///
    /// - Parameter isDiscarded: Whether it is not to be shown; `nil` leaves it as it is.
    func set(presentation: Int64? = nil, decode: Int64? = nil, isDiscarded: Bool? = nil) {
        if let presentation { pointer.pointee.pts = presentation }
        if let decode { pointer.pointee.dts = decode }
        switch isDiscarded {
        case true?: pointer.pointee.flags |= AV_PKT_FLAG_DISCARD
        case false?: pointer.pointee.flags &= ~AV_PKT_FLAG_DISCARD
        case nil: break
        }
    }

    /// Says how long it lasts, where the container does not; for whoever reads it, before it hands the packet out.
    package func setDuration(_ duration: Int64) { pointer.pointee.duration = duration }

    deinit {
        var packet: UnsafeMutablePointer<AVPacket>? = pointer
        av_packet_free(&packet)
    }

    package var streamIndex: Int { Int(pointer.pointee.stream_index) }
    package var presentationTicks: Int64? { StreamInfo.optional(pointer.pointee.pts) }
    package var decodeTicks: Int64? { StreamInfo.optional(pointer.pointee.dts) }
    package var durationTicks: Int64? { pointer.pointee.duration > 0 ? pointer.pointee.duration : nil }
    package var byteCount: Int { Int(pointer.pointee.size) }
    package var isKey: Bool { pointer.pointee.flags & AV_PKT_FLAG_KEY != 0 }
    package var isCorrupt: Bool { pointer.pointee.flags & AV_PKT_FLAG_CORRUPT != 0 }
    /// Outside the edit list: decoded for others' sake, never shown.
    package var isDiscarded: Bool { pointer.pointee.flags & AV_PKT_FLAG_DISCARD != 0 }

    /// Whether no other sample depends on it.
    package var isDisposable: Bool { pointer.pointee.flags & AV_PKT_FLAG_DISPOSABLE != 0 }
    /// Where its bytes begin in the file; `nil` if the container does not tell.
    package var position: Int64? { pointer.pointee.pos >= 0 ? pointer.pointee.pos : nil }

    /// Its bytes, for as long as the packet is there.
    package var lastingBytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: pointer.pointee.data, count: max(0, Int(pointer.pointee.size)))
    }

    package func withBytes<T>(_ body: (UnsafeRawBufferPointer) -> T) -> T {
        body(lastingBytes)
    }
}
