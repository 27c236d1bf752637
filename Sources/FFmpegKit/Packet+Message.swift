internal import CFFmpeg
package import MediaIO

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
