/// Where recordings were put behind each other in a transport stream.
///
/// Downloaders and recorders make such files: each recording has counters and times of its own.
package struct TransportStreamJoins: Sendable {
    /// Times are told in ticks of this, modulo `wrap`.
    package static let timescale: Int32 = 90_000
    package static let wrap: Int64 = 1 << 33

    /// A packet from which on a stream can be read.
    package struct Entry: Sendable {
        package let position: Int64
        /// Its decode time, as it is stored.
        package let ticks: Int64
        /// The number of the recording that it lies in.
        package let part: Int
        /// Whether the stream says that decoding can begin here.
        package let isRandomAccess: Bool
    }

    /// The beginning of a recording after the first.
    package struct Start: Equatable, Sendable {
        package let position: Int64
        /// Whether its times go on where those before it end.
        package let continuesTimes: Bool
    }

    package private(set) var starts: [Start] = []
    /// By packet identifier, in the order of the file.
    package private(set) var entries: [UInt16: [Entry]] = [:]

    /// How far a time may go forward within a recording, and back where no counter begins anew.
    private static let (longestGap, longestStep) = (Int64(10 * timescale), Int64(timescale))
    /// More entries are not kept: what lies behind the last one is read from there.
    private static let maximumEntries = 1 << 20
    /// Entries are as far apart at the least.
    private static let entryDistance = Int64(timescale / 2)
    /// How many recordings of one file are told apart; more than anybody puts behind each other.
    private static let maximumParts = 1 << 16
    /// The packet identifiers of the tables of programs and of services.
    private static let tables: Set<UInt16> = [0, 0x11]
    /// Files of as many bytes are read whole.
    private static let smallBytes: UInt64 = 1 << 24
    private static let probes = 128
    private static let probeBytes: Int64 = 1 << 19

    /// Looks for recordings that were put behind each other.
    ///
    /// - Parameters:
    ///   - identifiers: Those of the streams of pictures and of sound.
    ///   - range: The bytes to look at; `nil` for all.
    ///   - isStopped: Asked now and then whether to go on.
    /// - Complexity: One pass over the bytes.
    package init(
        in file: TransportStreamFile, of identifiers: [UInt16], range: Range<Int64>? = nil,
        isStopped: () -> Bool = { false }
    ) {
        var scan = Scan(identifiers: Set(identifiers))
        let start = range.flatMap { $0.lowerBound > 0 ? UInt64($0.lowerBound) : nil }
        file.forEachPacket(from: start, isStopped: isStopped) { packet in
            scan.add(packet)
            return scan.starts.count < Self.maximumParts && range.map { packet.position < $0.upperBound } ?? true
        }
        scan.finish()
        (starts, entries) = (scan.starts, scan.entries)
    }

    /// Whether there is only one timeline.
    package var isContinuous: Bool { starts.allSatisfy(\.continuesTimes) }

    /// How far a time that is told modulo `wrap` lies after another one, or before it.
    package static func distance(from start: Int64, to end: Int64) -> Int64 {
        let difference = ((end &- start) % wrap + wrap) % wrap
        return difference >= wrap / 2 ? difference - wrap : difference
    }

    /// How far a time lies after the first of a recording that lasts up to a day, or an hour before it at most.
    package static func elapsed(from start: Int64, to end: Int64) -> Int64 {
        let hour = Int64(3600 * timescale)
        return (((end &- start &+ hour) % wrap + wrap) % wrap) - hour
    }

    /// Whether a file is worth looking for times that jump: it is small, or those at places all over it do not go on as
    /// they do in one recording.
    ///
    /// - Parameter identifier: That of the most important stream.
    /// - Complexity: Some MiB are read.
    package static func mayJump(in file: TransportStreamFile, of identifier: UInt16) -> Bool {
        guard file.byteCount > smallBytes else { return true }
        var times: [Int64] = []
        for number in 0..<UInt64(probes) {
            let start = file.byteCount / UInt64(probes) * number
            file.forEachPacket(from: start, chunk: TransportStreamFile.smallChunkBytes) { packet in
                guard packet.position < Int64(start) + probeBytes else { return false }
                guard packet.packetIdentifier == identifier, let ticks = packet.header?.decodeTicks else { return true }
                times.append(ticks)
                return false
            }
        }
        let steps = zip(times, times.dropFirst()).map { distance(from: $0, to: $1) }
        guard let middle = steps.sorted().dropFirst(steps.count / 2).first else { return false }
        return steps.contains { $0 < 0 || $0 > longestGap + 4 * max(0, middle) }
    }

    private struct Scan {
        let identifiers: Set<UInt16>
        private(set) var starts: [Start] = []
        private(set) var entries: [UInt16: [Entry]] = [:]
        /// The last counter of each stream and of each table that recordings begin with.
        private var counters: [UInt16: UInt8] = [:]
        /// The last time of each stream.
        private var times: [UInt16: Int64] = [:]
        /// A unit whose time jumps, until another one confirms that it is not just damaged.
        private var jump: (identifier: UInt16, entry: Entry)?
        private var entryCount = 0
        /// What may be the beginning of a recording, until all streams have shown that they begin anew.
        private var restart: Restart?
        /// Each stream's last entry, and the last one that is said to be one.
        private var latest: [UInt16: (any: Entry?, access: Entry?)] = [:]

        /// The counter of a table began anew.
        private struct Restart {
            /// Where the first unit of a stream lies after it.
            var position: Int64?
            /// The streams that have not come to a packet yet.
            var waiting: Set<UInt16>
            /// Whether the times of those that have go on.
            var continuesTimes = true
        }

        init(identifiers: Set<UInt16>) { self.identifiers = identifiers }

        mutating func add(_ packet: TransportPacket) {
            let identifier = packet.packetIdentifier
            let isTable = TransportStreamJoins.tables.contains(identifier)
            guard packet.hasPayload, !packet.isDamaged, isTable || identifiers.contains(identifier) else { return }
            let last = counters.updateValue(packet.counter, forKey: identifier)
            // A packet may be there twice.
            let follows = last.map { packet.counter == ($0 + 1) & 0x0F || packet.counter == $0 } ?? true
            if isTable {
                if !follows, restart == nil { restart = Restart(waiting: Set(times.keys)) }
                return
            }
            // Where packets are missing, streams go on within a unit.
            if restart?.waiting.contains(identifier) == true, !packet.startsUnit { restart = nil }
            guard packet.startsUnit, let ticks = packet.header?.decodeTicks else { return }
            add(
                Entry(position: packet.position, ticks: ticks, part: 0, isRandomAccess: packet.isRandomAccess),
                identifier)
        }

        private mutating func add(_ unit: Entry, _ identifier: UInt16) {
            if let jump {
                // A stream that had no time yet says nothing.
                if times[identifier] == nil, follows(unit, from: jump.entry.ticks) { return }
                self.jump = nil
                // Either its own stream goes on from there, or others jump to the same time.
                if follows(unit, from: jump.entry.ticks), !goesOn(unit, identifier) {
                    begin(Start(position: jump.entry.position, continuesTimes: false))
                    (times[jump.identifier], times[identifier]) = (jump.entry.ticks, unit.ticks)
                    note(jump.entry, jump.identifier)
                    return note(unit, identifier)
                }
            }
            guard goesOn(unit, identifier) else {
                jump = (identifier, unit)
                return
            }
            if let time = times[identifier] {
                goOn(identifier, unit.position, isLater: distance(from: time, to: unit.ticks) > 0)
            }
            times[identifier] = unit.ticks
            note(unit, identifier)
        }

        private func follows(_ unit: Entry, from ticks: Int64) -> Bool {
            (-longestStep...longestGap).contains(distance(from: ticks, to: unit.ticks))
        }

        /// Whether a unit's time is one of this recording: it follows that of its stream, which may have paused while others
        /// went on, or is the stream's first.
        private func goesOn(_ unit: Entry, _ identifier: UInt16) -> Bool {
            guard let time = times[identifier], !follows(unit, from: time) else { return true }
            return times.contains { other, time in
                other != identifier && abs(distance(from: time, to: unit.ticks)) <= longestStep
            }
        }

        private mutating func begin(_ start: Start) {
            starts.append(start)
            (restart, times, latest) = (nil, [:], [:])
        }

        /// A unit of a stream whose time goes on.
        private mutating func goOn(_ identifier: UInt16, _ position: Int64, isLater: Bool) {
            guard var known = restart else { return }
            known.position = known.position ?? position
            if known.waiting.remove(identifier) != nil, !isLater { known.continuesTimes = false }
            restart = known
            guard known.waiting.isEmpty, let start = known.position else { return }
            starts.append(Start(position: start, continuesTimes: known.continuesTimes))
            restart = nil
        }

        private mutating func note(_ entry: Entry, _ identifier: UInt16) {
            func isFar(from other: Entry?) -> Bool {
                other.map { distance(from: $0.ticks, to: entry.ticks) >= entryDistance } ?? true
            }
            var known = latest[identifier] ?? (nil, nil)
            guard entry.isRandomAccess && isFar(from: known.access) || isFar(from: known.any),
                entryCount < maximumEntries
            else { return }
            entryCount += 1
            if entry.isRandomAccess { known.access = entry }
            known.any = entry
            latest[identifier] = known
            entries[identifier, default: []].append(entry)
        }

        /// Tells of each entry where it lies.
        mutating func finish() {
            for (identifier, list) in entries {
                var part = 0
                entries[identifier] = list.map { entry in
                    while part < starts.count, starts[part].position <= entry.position { part += 1 }
                    return Entry(
                        position: entry.position, ticks: entry.ticks, part: part, isRandomAccess: entry.isRandomAccess)
                }
            }
        }
    }
}
