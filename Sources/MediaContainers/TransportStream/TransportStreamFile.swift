package import MediaIO

/// The packets of a transport stream as they lie in a file.
///
/// Source: ISO/IEC 13818-1, 2.4.3; packets of 192 bytes have a time of arrival in front, those of 204 a checksum behind.
package struct TransportStreamFile: Sendable {
    let file: RandomAccessFile
    /// How far packets are apart: 188, 192 or 204 bytes.
    let stride: Int
    private let firstSync: UInt64

    static let packetBytes = 188
    private static let syncByte: UInt8 = 0x47
    /// How much is read at a time: of whole files, and of places in them.
    package static let (chunkBytes, smallChunkBytes) = (1 << 20, 1 << 16)

    /// - Returns: `nil` if no packets are to be seen at the file's beginning.
    package init?(_ file: RandomAccessFile) {
        let head = file.read(at: 0, count: 1 << 14)
        for stride in [188, 192, 204] {
            let sync = head.withUnsafeBytes { Self.sync(in: $0, from: 0, stride, repeats: 5) }
            guard let sync, sync < stride else { continue }
            (self.file, self.stride, firstSync) = (file, stride, UInt64(sync))
            return
        }
        return nil
    }

    package var byteCount: UInt64 { file.byteCount }

    /// What demuxers call the place of a packet: as far before the next packet's sync byte's end as packets are long.
    private var lead: Int { stride - Self.packetBytes }

    /// Where the sync byte of the packet lies that a demuxer tells the place of.
    func sync(ofPacketAt position: Int64) -> UInt64? { UInt64(exactly: position).map { $0 + UInt64(lead) } }

    /// Calls `body` with each packet from a byte on, until it says that it has seen enough.
    ///
    /// Bytes between packets are passed over.
    ///
    /// - Parameters:
    ///   - chunk: How many bytes to read at a time.
    ///   - isStopped: Asked now and then whether to go on.
    func forEachPacket(
        from start: UInt64? = nil, chunk: Int = chunkBytes, isStopped: () -> Bool = { false },
        _ body: (TransportPacket) -> Bool
    ) {
        var position = start ?? firstSync
        while position < file.byteCount, !isStopped() {
            let bytes = file.read(at: position, count: chunk)
            guard bytes.count >= Self.packetBytes else { return }
            let isLast = position + UInt64(bytes.count) >= file.byteCount
            var isEnough = false
            let used = bytes.withUnsafeBytes { buffer in
                var offset = 0
                while offset + Self.packetBytes <= buffer.count {
                    guard buffer[offset] == Self.syncByte else {
                        guard let next = Self.sync(in: buffer, from: offset, stride, repeats: 3) else {
                            return max(offset + 1, buffer.count - 2 * stride)
                        }
                        offset = next
                        continue
                    }
                    let packet = TransportPacket(
                        UnsafeRawBufferPointer(rebasing: buffer[offset..<offset + Self.packetBytes]),
                        position: Int64(position) + Int64(offset - lead))
                    guard body(packet) else {
                        isEnough = true
                        break
                    }
                    offset += stride
                }
                return offset
            }
            guard !isEnough, !isLast else { return }
            position += UInt64(used)
        }
    }

    /// The first place from which on bytes look like so many packets; fewer where the bytes end.
    private static func sync(in bytes: UnsafeRawBufferPointer, from start: Int, _ stride: Int, repeats: Int) -> Int? {
        var offset = start
        while offset + packetBytes <= bytes.count {
            let isSync = (0..<repeats).allSatisfy { number in
                let place = offset + number * stride
                return place >= bytes.count || bytes[place] == syncByte
            }
            if isSync { return offset }
            offset += 1
        }
        return nil
    }
}

/// One packet of a transport stream, for as long as its bytes are there.
struct TransportPacket {
    private let bytes: UnsafeRawBufferPointer
    /// Where demuxers say that it lies.
    let position: Int64
    /// Where its payload begins; the packet's end if it has none.
    private let payloadStart: Int

    init(_ bytes: UnsafeRawBufferPointer, position: Int64) {
        (self.bytes, self.position) = (bytes, position)
        let hasField = bytes[3] & 0x20 != 0
        let start = hasField ? 5 + Int(bytes[4]) : 4
        payloadStart = bytes[3] & 0x10 != 0 ? min(start, bytes.count) : bytes.count
    }

    var packetIdentifier: UInt16 { UInt16(bytes[1] & 0x1F) << 8 | UInt16(bytes[2]) }
    /// Whether a packet of the elementary stream begins here.
    var startsUnit: Bool { bytes[1] & 0x40 != 0 }
    var hasPayload: Bool { payloadStart < bytes.count }
    var counter: UInt8 { bytes[3] & 0x0F }
    /// Whether a receiver found bits in it that it could not set right.
    var isDamaged: Bool { bytes[1] & 0x80 != 0 }
    private var hasFlags: Bool { bytes[3] & 0x20 != 0 && bytes[4] > 0 }
    /// Whether the stream says that decoding can begin here.
    var isRandomAccess: Bool { hasFlags && bytes[5] & 0x40 != 0 }
    /// Whether the stream says that counters begin anew.
    var isDiscontinuous: Bool { hasFlags && bytes[5] & 0x80 != 0 }

    /// Whether the payload was too short for the packet, as at the end of a unit, so that it was filled up.
    var isFilledUp: Bool {
        guard bytes[3] & 0x20 != 0 else { return false }
        guard hasFlags else { return true }
        let flags = bytes[5]
        var told = 1 + (flags & 0x10 != 0 ? 6 : 0) + (flags & 8 != 0 ? 6 : 0) + (flags & 4 != 0 ? 1 : 0)
        // Of private data and of extensions, the first byte tells how many follow.
        for flag in [2, 1] as [UInt8] where flags & flag != 0 && 5 + told < bytes.count {
            told += 1 + Int(bytes[5 + told])
        }
        return Int(bytes[4]) > told
    }

    var payloadCount: Int { bytes.count - payloadStart }

    /// The header of the elementary stream's packet that begins here.
    var header: PESHeader? {
        guard startsUnit, hasPayload else { return nil }
        return PESHeader(UnsafeRawBufferPointer(rebasing: bytes[payloadStart...]))
    }
}

/// What the header of an elementary stream's packet tells.
///
/// Source: ISO/IEC 13818-1, 2.4.3.6.
struct PESHeader {
    /// The bytes that follow the header's first six; `nil` where it does not tell.
    let length: Int?
    /// When its first picture or sound is decoded, in ticks of 90 kHz modulo 2^33; `nil` if it does not tell.
    let decodeTicks: Int64?

    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= 9, bytes[0] == 0, bytes[1] == 0, bytes[2] == 1 else { return nil }
        let count = Int(bytes[4]) << 8 | Int(bytes[5])
        length = count > 0 ? count : nil
        // The streams whose packets have no such header.
        guard ![0xBC, 0xBE, 0xBF, 0xF0, 0xF1, 0xF2, 0xF8, 0xFF].contains(bytes[3]), bytes[6] & 0xC0 == 0x80 else {
            decodeTicks = nil
            return
        }
        let place = bytes[7] & 0xC0 == 0xC0 ? 14 : 9
        guard bytes[7] & 0x80 != 0, bytes.count >= place + 5 else {
            decodeTicks = nil
            return
        }
        let parts = (0..<5).map { Int64(bytes[place + $0]) }
        decodeTicks = (parts[0] >> 1 & 7) << 30 | parts[1] << 22 | (parts[2] >> 1) << 15 | parts[3] << 7 | parts[4] >> 1
    }
}

extension TransportStreamFile {
    /// No packet of an elementary stream is followed further.
    private static let longestUnit = 1 << 24

    /// An elementary stream's packet in a file.
    package struct Unit: Equatable, Sendable {
        /// Whether all of it is there, and nothing is missing between it and the next one.
        package var isWhole: Bool
        /// Where the next one begins; `nil` without one.
        package var next: Int64?
        /// How many bytes were looked at.
        package var byteCount: Int64
    }

    /// The elementary stream's packet that begins at a place.
    ///
    /// A demuxer that misses packets takes the one before for damaged, which may have ended well: as where a recording was
    /// put behind another one, whose counters begin anew.
    ///
    /// - Parameters:
    ///   - isStopped: Asked now and then whether to go on.
    ///   - isSeam: Whether a recording that was put behind another one begins within some bytes; asked once at most.
    /// - Returns: `nil` if none begins there.
    package func unit(
        at position: Int64, of identifier: UInt16, isStopped: () -> Bool = { false },
        isSeam: (ClosedRange<Int64>) -> Bool
    ) -> Unit? {
        guard let start = sync(ofPacketAt: position) else { return nil }
        var (count, length, lastCounter, next) = (0, nil as Int?, nil as UInt8?, nil as Int64?)
        var (isFilledUp, hasBegun, isContinuous, endsRecording) = (false, false, true, false)
        var last = position
        forEachPacket(from: start, chunk: Self.smallChunkBytes, isStopped: isStopped) { packet in
            last = packet.position
            guard last - position < Self.longestUnit else { return false }
            guard packet.packetIdentifier == identifier, packet.hasPayload else { return hasBegun }
            guard hasBegun else {
                guard packet.position == position, let header = packet.header else { return false }
                (hasBegun, length, isContinuous) = (true, header.length, !packet.isDamaged)
                (count, isFilledUp, lastCounter) = (packet.payloadCount, packet.isFilledUp, packet.counter)
                return true
            }
            let follows =
                packet.isDiscontinuous || lastCounter.map { ($0 + 1) & 0x0F == packet.counter } ?? true
            if packet.startsUnit {
                next = packet.position
                if !follows { endsRecording = isSeam(position + 1...packet.position) }
                // Whole units may be missing in between.
                if !follows, !endsRecording { isContinuous = false }
                return false
            }
            // One that is there twice is twice in what FFmpeg makes of them.
            if !follows || packet.isDamaged { isContinuous = false }
            count += packet.payloadCount
            (isFilledUp, lastCounter) = (packet.isFilledUp, packet.counter)
            return true
        }
        guard hasBegun else { return nil }
        // A recording may have been cut off within its last unit.
        let isEnded = next != nil && !endsRecording || isFilledUp
        let isWhole = isContinuous && (length.map { count == $0 + 6 } ?? isEnded)
        return Unit(isWhole: isWhole, next: next, byteCount: last - position)
    }
}
