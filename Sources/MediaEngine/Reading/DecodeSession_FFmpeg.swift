package import FFmpegKit
internal import MediaContainers
internal import MediaCore

/// Decodes one video stream from a random access point, or its beginning, on: packets go in, in decoding order, and the
/// frames that are shown come out with their times.
///
/// Stills, exports, readers and scenes use it; what is wanted of the frames, and what damage means, is theirs. Who wants
/// few frames may leave packets out: the decoder is told so with the packet, which costs others nothing.
///
/// - Frames of packets that an edit list hides are left out; some decoders hand them out.
/// - So are leading frames of the point, which belong to the GOP before.
/// - A frame without a time follows the one before it.
///
/// One thread at a time may use it.
package final class DecodeSession {
    /// What comes out.
    package enum Output {
        /// A frame and when it is shown, in the stream's ticks.
        case frame(Frame, ticks: Int64)
        case needsPacket
        case end
    }

    /// What is wrong with a packet or what the decoder says of one.
    package struct Fault {
        package var reason: String
        /// The number of the packet: with threads, of one that was sent not much later than the one in question.
        package var packet: Int64
        package var ticks: Int64?
        /// Whether the container says it of this very packet.
        package var isCertain = false
        /// Whether the decoder merely lacks what came before the first packet.
        package var isOfStart = false
    }

    private let decoder: Decoder
    private let point: RandomAccessPoint?
    private let frameTicks: Int64
    /// When the frame after the last one is shown, if it does not tell.
    private var following: Int64?
    private var hidden: Set<Int64> = []
    /// The packet that was sent last; numbers begin with 1.
    package private(set) var lastSent: (number: Int64, ticks: Int64?) = (0, nil)

    /// - Parameters:
    ///   - decoder: New or flushed.
    ///   - point: The packet that is sent first; `nil` for the stream's first.
    ///   - start: When the stream's first frame is shown, in ticks, if that does not tell.
    init(_ decoder: Decoder, of stream: StreamInfo, from point: RandomAccessPoint?, start: Int64 = 0) {
        (self.decoder, self.point, frameTicks) = (decoder, point, stream.frameTicks)
        following = point == nil ? start : nil
        // Else H.264's decoder waits for a frame that resets it. While frames become whole, it is right to.
        decoder.outputsUnrecovered = stream.codec == .h264 && point?.kind == .recovery
    }

    /// A session that begins with the stream's first packet.
    package convenience init(_ decoder: Decoder, of stream: StreamInfo) { self.init(decoder, of: stream, from: nil) }

    /// Sends the next packet; `nil` ends the stream.
    ///
    /// - Parameters:
    ///   - number: Its number, if it is not that of the one before and one more.
    ///   - skipsIfUnreferenced: Leaves it undecoded if no other frame refers to it.
    package func send(
        _ packet: Packet?, number: Int64? = nil, skipsIfUnreferenced: Bool = false
    ) throws(FFmpegError) -> [Fault] {
        var faults: [Fault] = []
        if let packet {
            lastSent = (number ?? lastSent.number + 1, packet.presentationTicks ?? packet.decodeTicks)
            if packet.isDiscarded { hidden.insert(lastSent.number) }
            if packet.isCorrupt {
                faults.append(
                    Fault(
                        reason: "a packet is incomplete", packet: lastSent.number, ticks: lastSent.ticks,
                        isCertain: true))
            }
        }
        let complaint = try decoder.send(packet, number: lastSent.number, skipsIfUnreferenced: skipsIfUnreferenced)
        if let complaint { faults.append(fault(complaint)) }
        return faults
    }

    /// Sends a packet of which nothing but the headers are there; its frame comes out like others.
    ///
    /// - Returns: Whether the decoder took note of the frame.
    func send(hollow packet: Packet, number: Int64, ticks: Int64?) throws(FFmpegError) -> Bool {
        lastSent = (number, ticks)
        return try decoder.send(hollow: packet, number: number)
    }

    /// The next frame that is shown, in the decoder's order, and what it said meanwhile.
    package func receive() throws(FFmpegError) -> (output: Output, fault: Fault?) {
        var first: Fault?
        while true {
            let (output, complaint) = try decoder.receive()
            if first?.isOfStart != false { first = complaint.map(fault) ?? first }
            switch output {
            case .needsPacket: return (.needsPacket, first)
            case .end: return (.end, first)
            case .frame(let frame):
                if let ticks = ticks(of: frame) { return (.frame(frame, ticks: ticks), first) }
            }
        }
    }

    /// When a frame is shown; `nil` for one that is not.
    private func ticks(of frame: Frame) -> Int64? {
        guard hidden.remove(frame.packetNumber) == nil,
            let ticks = frame.presentationTicks ?? following, point?.isLed(byFrameAt: ticks) != true
        else { return nil }
        following = ticks.addingReportingOverflow(frame.durationTicks ?? frameTicks).partialValue
        return ticks
    }

    private func fault(_ complaint: Complaint) -> Fault {
        Fault(
            reason: complaint.reason, packet: lastSent.number, ticks: lastSent.ticks,
            isOfStart: complaint.matter == .firstPicture)
    }
}
