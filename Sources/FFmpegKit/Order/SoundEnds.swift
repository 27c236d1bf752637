internal import CFFmpeg
internal import MediaCore

/// Has decoders leave out what of a movie's sound lies beyond what its tables and its edit list show.
///
/// libavformat leaves out whole packets, and the beginning of the first one; what a packet holds beyond the end would be
/// heard. In between, where one edit follows another, the packet that one ends in and the one that the next begins in
/// overlap.
package struct SoundEnds: Sendable {
    /// Where a stream's sound ends.
    package struct Track: Sendable {
        /// Where its edits end, in ticks, in ascending order; the greatest number for a last one without an end.
        let edits: [Int64]
        /// Where the media end on the timeline of the last edit; `nil` where that is not told.
        let media: Int64?

        package init(edits: [Int64], media: Int64?) { (self.edits, self.media) = (edits, media) }
    }

    private let tracks: [Int: Track]
    private var previous: [Int: Piece] = [:]

    private struct Piece {
        var end: Int64
        /// How long it is coded, whatever of it is heard.
        var length: Int64
    }

    /// - Parameter tracks: Those of the streams that have edits.
    package init(_ tracks: [Int: Track]) { self.tracks = tracks }

    /// Forgets what was read, for a new position in the file.
    mutating func restart() { previous = [:] }

    /// Tells decoders how much of a packet to leave out, the next one of its stream.
    mutating func trim(_ packet: Packet, of stream: StreamInfo) {
        guard stream.kind == .audio, !packet.isDiscarded, let start = packet.presentationTicks,
            let duration = packet.durationTicks, start.magnitude < Self.greatestTime, duration < Self.greatestTime
        else { return }
        let before = previous[stream.index]
        let track = tracks[stream.index]
        let length = min(
            length(of: packet, start, duration, stream, track, before?.length), Int64(Self.greatestTime))
        previous[stream.index] = Piece(end: start + duration, length: length)
        guard let all = track?.edits, !all.isEmpty else {
            if isLast(start + duration, in: stream) { cut(packet, of: stream, start + duration, start + length) }
            return
        }
        let next = all.partitioningIndex { $0 > start }
        guard next < all.count, all[next] < start + length else { return }
        if next < all.count - 1 {
            guard let before else { return }
            // What does not follow the packet before begins the next edit.
            if abs(start - before.end) > 1 { return packet.leaveOut(samples(all[next] - start, stream), atStart: true) }
        }
        previous[stream.index]?.end = all[next]
        // libavformat goes by the rows of the edit list, which are told in coarser ticks.
        packet.setDuration(all[next] - start)
        cut(packet, of: stream, all[next], start + length)
    }

    /// Times beyond these are none: sums of a few stay within 64 bits.
    private static let greatestTime: UInt64 = 1 << 60

    private func cut(_ packet: Packet, of stream: StreamInfo, _ end: Int64, _ coded: Int64) {
        if coded > end { packet.leaveOut(samples(coded - end, stream), atStart: false) }
    }

    /// Whether the stream ends where a packet does.
    private func isLast(_ end: Int64, in stream: StreamInfo) -> Bool {
        guard let start = stream.startTicks, let duration = stream.durationTicks else { return false }
        return end.addingReportingOverflow(1).partialValue >= start.addingReportingOverflow(duration).partialValue
    }

    /// How long a packet's sound is, as its coder made it: encoders fill up the last frame.
    private func length(
        of packet: Packet, _ start: Int64, _ duration: Int64, _ stream: StreamInfo, _ track: Track?, _ before: Int64?
    ) -> Int64 {
        if stream.codec == .opus {
            return packet.withBytes { OpusPacket.duration($0) }.map { stream.timeBase.ticks(atOrAfter: $0) } ?? duration
        }
        guard stream.codec.has(.fillsFrames) else {
            // libavformat tells as much of the last packet as the edit list shows.
            guard let before, let media = track?.media else { return duration }
            return max(duration, min(before, media - start))
        }
        // Copies out of files with coarse times have packets of about this length.
        let whole = stream.audio?.framesPerPacket.map { self.ticks(Int64($0), stream) }
        guard let before else { return max(duration, whole ?? 0) }
        return whole.map { abs($0 - before) <= $0 / 10 } == true ? whole ?? before : before
    }

    private func ticks(_ samples: Int64, _ stream: StreamInfo) -> Int64 {
        let rate = Int32(clamping: max(1, stream.audio?.sampleRate ?? 1))
        return stream.timeBase.ticks(atOrBefore: CMTime(value: samples, timescale: rate))
    }

    private func samples(_ ticks: Int64, _ stream: StreamInfo) -> Int64 {
        let rate = TimeBase(numerator: 1, denominator: Int32(clamping: max(1, stream.audio?.sampleRate ?? 1)))
        return rate.ticks(atOrBefore: stream.timeBase.time(of: ticks))
    }
}

extension Packet {
    /// Has decoders leave out some samples, beside those that they leave out already; for the demuxer, before it hands
    /// out the packet.
    fileprivate func leaveOut(_ samples: Int64, atStart: Bool) {
        guard let samples = UInt32(exactly: samples), samples > 0 else { return }
        var size = 0
        var side = av_packet_get_side_data(pointer, AV_PKT_DATA_SKIP_SAMPLES, &size)
        if side == nil || size < Self.skipBytes {
            side = av_packet_new_side_data(pointer, AV_PKT_DATA_SKIP_SAMPLES, Self.skipBytes)
            side?.update(repeating: 0, count: Self.skipBytes)
        }
        guard let side else { return }
        // Two numbers of 32 bits, little end first: what is left out at the beginning and at the end.
        let place = atStart ? 0 : 4
        for index in 0..<4 { side[place + index] = UInt8(truncatingIfNeeded: samples >> (8 * UInt32(index))) }
    }

    private static let skipBytes = 10

    /// How many samples decoders are told to leave out at the beginning.
    package var samplesLeftOutAtStart: Int64 { samplesLeftOut(at: 0) }

    /// How many samples decoders are told to leave out at the end.
    package var samplesLeftOutAtEnd: Int64 { samplesLeftOut(at: 4) }

    /// Some of its bytes, of which decoders leave out nothing any more.
    ///
    /// - Precondition: The packet has those bytes.
    package func part(_ range: Range<Int>) throws(FFmpegError) -> Packet {
        precondition(range.lowerBound >= 0 && range.upperBound <= byteCount)
        let copy = try sharingData()
        copy.pointer.pointee.data += range.lowerBound
        copy.pointer.pointee.size = Int32(range.count)
        var size = 0
        if let side = av_packet_get_side_data(copy.pointer, AV_PKT_DATA_SKIP_SAMPLES, &size) {
            side.update(repeating: 0, count: min(size, Self.skipBytes))
        }
        return copy
    }

    private func samplesLeftOut(at place: Int) -> Int64 {
        var size = 0
        guard let side = av_packet_get_side_data(pointer, AV_PKT_DATA_SKIP_SAMPLES, &size), size >= Self.skipBytes
        else { return 0 }
        return Int64((0..<4).reduce(UInt32(0)) { $0 | UInt32(side[place + $1]) << (8 * UInt32($1)) })
    }
}
