internal import CFFmpeg
package import MediaContainers
package import MediaIO

/// One coded sample, owned; immutable once it was handed out.
///
/// `@unchecked Sendable`: its data are reference-counted and nobody writes to
/// them, nor to its fields, but for the number that a decoder's thread puts on
/// a packet that it decodes: a packet must not be decoded by two at a time.
package final class Packet: @unchecked Sendable {
    let pointer: UnsafeMutablePointer<AVPacket>
    /// Whether its decoder has to forget all packets before it, as where an edit list goes on elsewhere.
    package internal(set) var beginsAnew = false

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
        beginsAnew = other.beginsAnew
    }

    /// A packet with the same data, whose fields are its own.
    func sharingData() throws(FFmpegError) -> Packet {
        let copy = Packet()
        guard av_packet_ref(copy.pointer, pointer) >= 0 else {
            throw FFmpegError(kind: .limit, operation: .read, reason: "not enough memory")
        }
        copy.beginsAnew = beginsAnew
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

    /// The same sample without the mark that decoding can start with it.
    package func withoutKeyMark() throws(FFmpegError) -> Packet {
        let copy = try sharingData()
        copy.pointer.pointee.flags &= ~AV_PKT_FLAG_KEY
        return copy
    }

    /// The same sample without the mark that a part of it is missing.
    package func withoutCorruptMark() throws(FFmpegError) -> Packet {
        guard isCorrupt else { return self }
        let copy = try sharingData()
        copy.setCorrupt(false)
        return copy
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

    /// Says whether a part of it is missing, whatever FFmpeg took it for; for the demuxer, before it hands out the packet.
    func setCorrupt(_ isCorrupt: Bool) {
        if isCorrupt {
            pointer.pointee.flags |= AV_PKT_FLAG_CORRUPT
        } else {
            pointer.pointee.flags &= ~AV_PKT_FLAG_CORRUPT
        }
    }

    /// Says where it comes from; for the demuxer, before it hands out the packet.
    func place(inStream index: Int, at position: Int64) {
        pointer.pointee.stream_index = Int32(clamping: index)
        pointer.pointee.pos = position
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

    /// The coded alpha that WebM has beside a frame of VP8 or VP9, a frame of the same codec; `nil` for none.
    var alpha: [UInt8]? {
        var size = 0
        guard let block = av_packet_get_side_data(pointer, AV_PKT_DATA_MATROSKA_BLOCKADDITIONAL, &size), size > 8
        else { return nil }
        let bytes = UnsafeRawBufferPointer(start: block, count: size)
        // Source: https://www.webmproject.org/docs/container/, "BlockAdditional"; others have other meanings.
        guard bytes.prefix(8).elementsEqual([0, 0, 0, 0, 0, 0, 0, 1]) else { return nil }
        return Array(bytes.dropFirst(8))
    }

    /// Its bytes, for as long as the packet is there.
    package var lastingBytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: pointer.pointee.data, count: max(0, Int(pointer.pointee.size)))
    }

    package func withBytes<T>(_ body: (UnsafeRawBufferPointer) -> T) -> T {
        body(lastingBytes)
    }
}

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

extension EntryClassifier {
    /// What a packet that the container flags as a keyframe really is; nothing where it does not.
    ///
    /// Where alpha is coded beside the colors, decoding has to be able to start with both.
    package func classify(_ packet: Packet) -> Entry {
        guard packet.isKey else { return .none }
        let entry = packet.withBytes { classify($0) }
        guard entry != .none, let alpha = packet.alpha else { return entry }
        return alpha.withUnsafeBytes { classify($0) } == .none ? .none : entry
    }

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

/// A coded sample as bytes, for another process with the same libraries: its data, times, flags and side data.
package struct PacketMessage: MessageValue {
    package let packet: Packet
    /// Ticks that can be added to each other without a thought.
    private static let greatestTime: UInt64 = 1 << 60

    package init(_ packet: Packet) { self.packet = packet }

    package func write(to message: inout MessageWriter) {
        let fields = packet.pointer.pointee
        for number in [fields.pts, fields.dts, fields.duration, Int64(fields.flags)] { message.put(number) }
        message.put(packet.withBytes { Array($0) })
        message.put(list: 0..<Int(max(0, fields.side_data_elems))) { message, index in
            guard let side = fields.side_data?[index] else { return }
            message.put(Int64(side.type.rawValue))
            message.put(Array(UnsafeRawBufferPointer(start: side.data, count: Int(side.size))))
        }
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        packet = Packet()
        let pointer = packet.pointer
        let times = [try message.integer(Int64.self), try message.integer(), try message.integer()]
        guard times.allSatisfy({ $0 == oav_nopts || $0.magnitude <= Self.greatestTime }) else { throw MessageError() }
        let flags = try message.integer(Int32.self)
        let bytes = try message.list()
        guard let size = Int32(exactly: bytes.count), av_new_packet(pointer, size) >= 0 else { throw MessageError() }
        (pointer.pointee.pts, pointer.pointee.dts, pointer.pointee.duration) = (times[0], times[1], times[2])
        pointer.pointee.flags = flags
        if !bytes.isEmpty { pointer.pointee.data.update(from: bytes, count: bytes.count) }
        let sides = try message.list { message throws(MessageError) in
            (type: try message.integer(UInt32.self), bytes: try message.list())
        }
        for side in sides {
            let type = AVPacketSideDataType(rawValue: side.type)
            guard let place = av_packet_new_side_data(pointer, type, side.bytes.count) else { throw MessageError() }
            place.update(from: side.bytes, count: side.bytes.count)
        }
    }
}

/// A SHA-256 of bytes that come one part after the other.
package final class ContentDigest {
    private let context: OpaquePointer

    /// - Throws: `FFmpegError` if there is no memory for it.
    package init() throws(FFmpegError) {
        guard let context = av_sha_alloc() else {
            throw FFmpegError(code: oav_error_posix(ENOMEM), operation: .open, interrupt: nil, logLine: nil)
        }
        self.context = context
        av_sha_init(context, 256)
    }

    deinit { av_free(UnsafeMutableRawPointer(context)) }

    package func add(_ bytes: [UInt8]) { av_sha_update(context, bytes, bytes.count) }

    /// The digest in hexadecimal digits; nothing may be added after it.
    package func finish() -> String {
        var digest = [UInt8](repeating: 0, count: 32)
        av_sha_final(context, &digest)
        return digest.map { byte in
            let text = String(byte, radix: 16)
            return text.count == 1 ? "0" + text : text
        }.joined()
    }
}
