/// How far the streams of a file have been read since it was opened, or since the last seek.
struct ReadProgress {
    /// The last decode time of each stream, as the container stores it.
    private var decodeTicks = StreamTicks()
    /// The last presentation time of each stream, as the container stores it.
    private var presentationTicks = StreamTicks()
    /// Streams whose packet that was read last is not whole.
    private var incomplete: Set<Int> = []
    /// What the demuxer said of the end of the file, if it said that something is missing there.
    private(set) var complaint: Complaint?

    /// Where in the file the packet that lies furthest on begins.
    private var position: Int64 = -1

    /// Notes where a packet lies that was read, whether anybody wants it or not.
    ///
    /// - Returns: Whether that is further on than all others.
    mutating func notePosition(of packet: Packet) -> Bool {
        guard let position = packet.position, position > self.position else { return false }
        self.position = position
        return true
    }

    /// Notes a packet that was read.
    ///
    /// - Returns: Whether it comes later than all others of its stream.
    @discardableResult
    mutating func note(_ packet: Packet) -> Bool {
        let index = packet.streamIndex
        let before = ticks(ofStream: index)
        if packet.isCorrupt { incomplete.insert(index) } else if !incomplete.isEmpty { incomplete.remove(index) }
        if let ticks = packet.decodeTicks { decodeTicks.advance(index, to: ticks) }
        if let ticks = packet.presentationTicks { presentationTicks.advance(index, to: ticks) }
        return ticks(ofStream: index) > before
    }

    /// Notes the end of the file, with what the demuxer said last.
    mutating func noteEnd(_ said: Complaint?) {
        if let said, said.matter == .shortData { complaint = said }
    }

    /// Whether a stream's packet that was read last is not whole.
    func endsIncomplete(stream index: Int) -> Bool { incomplete.contains(index) }

    /// The decode time that was reached in a stream.
    func decodeTicks(ofStream index: Int) -> Int64 { decodeTicks[index] ?? .min }

    /// The time that was reached in a stream, of decoding or of presentation.
    func ticks(ofStream index: Int) -> Int64 { max(decodeTicks(ofStream: index), presentationTicks[index] ?? .min) }
}
