package import MediaContainers
package import MediaCore

/// Parts of a file that were put behind each other with times of their own, and what makes one timeline of them.
///
/// Transport streams and Ogg files may be put behind each other as they are: whoever plays them goes on from one to the
/// next.
package struct JoinedParts: Sendable {
    private struct Part: Sendable {
        /// The first time that it has, and where that lies on the timeline.
        let stored: CMTime
        let start: CMTime
    }

    /// Where the parts after the first begin in the file.
    private let starts: [Int64]
    /// The numbers of the parts whose times go on from those before them.
    private let continuing: Set<Int>
    private var parts: [Part] = []
    /// Whether times are told modulo that of transport streams.
    private let isWrapped: Bool
    /// Where streams can be entered, by container ID, where that is known.
    private let entries: [UInt16: [TransportStreamJoins.Entry]]
    /// Where the video and audio streams end, on the timeline.
    package private(set) var ends: [Int: CMTime] = [:]

    /// - Parameters:
    ///   - starts: Where the parts after the first begin.
    ///   - demuxer: At the file's beginning; it is read to its end.
    /// - Complexity: One pass over the file's bytes.
    package init(startingAt starts: [Int64], in demuxer: Demuxer) throws(FFmpegError) {
        (self.starts, continuing, isWrapped, entries) = (starts, [], false, [:])
        try measure(demuxer)
    }

    /// - Parameter demuxer: At the file's beginning; it is read to its end.
    /// - Complexity: One pass over the file's bytes.
    package init(_ joins: TransportStreamJoins, in demuxer: Demuxer) throws(FFmpegError) {
        starts = joins.starts.map(\.position)
        continuing = Set(joins.starts.indices.filter { joins.starts[$0].continuesTimes }.map { $0 + 1 })
        isWrapped = true
        entries = joins.entries.mapValues { all in
            let accesses = all.filter(\.isRandomAccess)
            return accesses.isEmpty ? all : accesses
        }
        try measure(demuxer)
    }

    /// The number of the part that a byte lies in, 0 for the first.
    func part(at position: Int64) -> Int {
        var (low, high) = (0, starts.count)
        while low < high {
            let middle = (low + high) / 2
            if starts[middle] <= position { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// How many of some parts have times that do not go on from the one before.
    func jumps(among numbers: Set<Int>) -> Int { max(0, numbers.subtracting(continuing).count - 1) }

    /// A time of a part as the file has it, on the timeline of all.
    func ticks(_ ticks: Int64, inPart number: Int, _ timeBase: TimeBase) -> Int64 {
        guard number > 0, parts.indices.contains(number) else { return ticks }
        let stored = timeBase.ticks(atOrBefore: parts[number].stored)
        let start = timeBase.ticks(atOrBefore: parts[number].start)
        return start.addingReportingOverflow(distance(from: stored, to: ticks)).partialValue
    }

    /// Whether a packet of Ogg ends before its part begins, as the first of Vorbis does, which decoders make no sound of
    /// at the beginning of a stream.
    func isBefore(_ packet: Packet, inPart number: Int, _ timeBase: TimeBase) -> Bool {
        guard !isWrapped, parts.indices.contains(number), let ticks = packet.presentationTicks,
            let duration = packet.durationTicks
        else { return false }
        let end = ticks.addingReportingOverflow(duration).partialValue
        return distance(from: timeBase.ticks(atOrBefore: parts[number].stored), to: end) <= 0
    }

    /// Where to begin reading for what a stream has at a time; `nil` where nothing but the beginning is known to be right.
    func place(of stream: StreamInfo, before ticks: Int64) -> Int64? {
        let known = UInt16(exactly: stream.containerID).flatMap { entries[$0] } ?? []
        return known.last { self.ticks($0.ticks, inPart: $0.part, stream.timeBase) <= ticks }?.position
    }

    private func distance(from start: Int64, to end: Int64) -> Int64 {
        isWrapped
            ? TransportStreamJoins.elapsed(from: start, to: end) : end.subtractingReportingOverflow(start).partialValue
    }

    /// Puts each part where those before it end, so that no stream begins before it has ended there.
    private mutating func measure(_ demuxer: Demuxer) throws(FFmpegError) {
        var ranges = [[Int: (start: CMTime, end: CMTime)]](repeating: [:], count: starts.count + 1)
        var firsts = [Int64?](repeating: nil, count: starts.count + 1)
        // The demuxer reads ahead of what it hands out.
        var current: [Int: Int] = [:]
        var agreement = [TimeAgreement](repeating: TimeAgreement(), count: starts.count + 1)
        var count = 0
        while let packet = try demuxer.readUndamagedPacket() {
            count += 1
            guard count <= demuxer.policy.maximumPackets else { throw FFmpegError.tooManySamples(demuxer.policy) }
            let index = packet.streamIndex
            // Packets that have no place of their own come from within the one before.
            let number = packet.position.map { part(at: $0) } ?? current[index] ?? 0
            current[index] = number
            let stream = demuxer.streams[index]
            guard stream.kind == .video || stream.kind == .audio, !packet.isDiscarded,
                var ticks = packet.presentationTicks ?? packet.decodeTicks
            else { continue }
            if isWrapped {
                let first = firsts[number] ?? ticks
                firsts[number] = first
                ticks = first.addingReportingOverflow(distance(from: first, to: ticks)).partialValue
            } else {
                // What decoders leave out lies before zero.
                ticks = max(ticks, 0)
            }
            let start = stream.timeBase.time(of: ticks)
            guard agreement[number].includes(start, ofStream: index) else { continue }
            let length = packet.durationTicks ?? (stream.kind == .video ? stream.frameTicks : 0)
            let end = start + stream.timeBase.time(of: length)
            let known = ranges[number][index] ?? (start, end)
            ranges[number][index] = (min(known.start, start), max(known.end, end))
        }
        for (number, streams) in ranges.enumerated() {
            let stored = streams.values.map(\.start).min() ?? .zero
            let gaps = streams.compactMap { index, range in ends[index].map { $0 - range.start } }
            var shift = gaps.max() ?? ends.values.max().map { $0 - stored } ?? .zero
            if continuing.contains(number), let last = parts.last {
                let base = TimeBase(numerator: 1, denominator: TransportStreamJoins.timescale)
                let step = distance(from: base.ticks(atOrBefore: last.stored), to: base.ticks(atOrBefore: stored))
                shift = last.start + base.time(of: step) - stored
            }
            parts.append(Part(stored: stored, start: stored + shift))
            for (index, range) in streams { ends[index] = range.end + shift }
        }
    }
}

/// Tells times that belong to a part from a single one that is damaged.
private struct TimeAgreement {
    /// What lies further from the time before is believed when the next agrees with it.
    private static let maximumStep = CMTime(value: 10, timescale: 1)
    private var last: [Int: CMTime] = [:]
    private var doubtful: [Int: CMTime] = [:]

    mutating func includes(_ time: CMTime, ofStream index: Int) -> Bool {
        let isNear = { (other: CMTime?) in other.map { CMTimeAbsoluteValue(time - $0) <= Self.maximumStep } }
        guard isNear(last[index]) == false, isNear(doubtful[index]) != true else {
            (last[index], doubtful[index]) = (time, nil)
            return true
        }
        doubtful[index] = time
        return false
    }
}
