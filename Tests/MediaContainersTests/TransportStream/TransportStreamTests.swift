import MediaIO
import Testing

@testable import MediaContainers

/// Packets of transport streams, as ISO/IEC 13818-1, 2.4.3 has them.
private struct StreamBuilder {
    private(set) var bytes: [UInt8] = []
    private var counters: [UInt16: UInt8] = [:]
    private let stride: Int

    init(stride: Int = 188) { self.stride = stride }

    /// A recording begins: all counters do.
    mutating func beginAnew() {
        counters.removeAll()
        for _ in 0..<3 { packet(0, payload: [UInt8](repeating: 0xFF, count: 184), startsUnit: true) }
    }

    /// An elementary stream's packet with a time, of as many packets as it takes.
    ///
    /// - Returns: Where it begins.
    @discardableResult
    mutating func unit(
        _ identifier: UInt16, ticks: Int64, count: Int, isAccess: Bool = false, tellsLength: Bool = false
    )
        -> Int64
    {
        let position = Int64(bytes.count)
        let length = tellsLength ? count + 8 : 0
        var rest: [UInt8] = [0, 0, 1, 0xE0, UInt8(length >> 8), UInt8(length & 0xFF), 0x80, 0x80, 5]
        let wrapped = ticks & (1 << 33 - 1)
        rest.append(UInt8(0x21 | wrapped >> 29 & 0x0E))
        rest += [UInt8(wrapped >> 22 & 0xFF), UInt8(wrapped >> 14 & 0xFE | 1)]
        rest += [UInt8(wrapped >> 7 & 0xFF), UInt8(wrapped << 1 & 0xFE | 1)]
        rest += [UInt8](repeating: 0x55, count: count)
        var isFirst = true
        while !rest.isEmpty {
            let room = isFirst && isAccess ? 182 : 184
            let part = Array(rest.prefix(room))
            rest.removeFirst(part.count)
            packet(identifier, payload: part, startsUnit: isFirst, isAccess: isFirst && isAccess)
            isFirst = false
        }
        return position
    }

    private mutating func packet(
        _ identifier: UInt16, payload: [UInt8], startsUnit: Bool, isAccess: Bool = false
    ) {
        let counter = counters[identifier].map { ($0 + 1) & 0x0F } ?? 0
        counters[identifier] = counter
        bytes += [UInt8](repeating: 0, count: stride == 192 ? 4 : 0)
        bytes += [0x47, (startsUnit ? 0x40 : 0) | UInt8(identifier >> 8), UInt8(identifier & 0xFF)]
        let room = 184 - payload.count
        bytes.append((room > 0 ? 0x30 : 0x10) | counter)
        if room > 0 { bytes.append(UInt8(room - 1)) }
        if room > 1 {
            bytes.append(isAccess ? 0x40 : 0)
            bytes += [UInt8](repeating: 0xFF, count: room - 2)
        }
        bytes += payload
        bytes += [UInt8](repeating: 0, count: stride == 204 ? 16 : 0)
    }

    /// Leaves packets out that were added before.
    mutating func removePackets(_ numbers: Range<Int>) {
        bytes.removeSubrange(numbers.lowerBound * stride..<numbers.upperBound * stride)
    }

    var count: Int { bytes.count / stride }
    func file() throws -> TransportStreamFile { try #require(TransportStreamFile(RandomAccessFile(bytes: bytes))) }
}

@Suite struct TransportStreamTests {
    private let video: UInt16 = 0x100
    private let audio: UInt16 = 0x101

    /// Pictures at 25 in a second, sound between them.
    private func add(_ frames: Int, from start: Int64, to stream: inout StreamBuilder) {
        stream.beginAnew()
        for number in 0..<Int64(frames) {
            stream.unit(video, ticks: start + number * 3600, count: 500, isAccess: number % 10 == 0)
            stream.unit(audio, ticks: start + number * 3600 - 900, count: 100, tellsLength: true)
        }
    }

    private func joins(_ stream: StreamBuilder) throws -> TransportStreamJoins {
        TransportStreamJoins(in: try stream.file(), of: [video, audio])
    }

    @Test(arguments: [188, 192, 204])
    func `Places where times go back are found, and those where streams can be entered`(stride: Int) throws {
        var stream = StreamBuilder(stride: stride)
        add(50, from: 90_000, to: &stream)
        let seam = Int64(stream.bytes.count + 3 * stride)
        add(50, from: 90_000, to: &stream)
        let found = try joins(stream)
        // Places of packets with a checksum behind them count as if it stood in front.
        let start = seam - (stride == 204 ? 16 : 0)
        #expect(found.starts == [TransportStreamJoins.Start(position: start, continuesTimes: false)])
        let entries = try #require(found.entries[video])
        #expect(entries.first?.ticks == 90_000 && entries.first?.isRandomAccess == true)
        #expect(entries.filter { $0.part == 1 }.first?.position == start)
        #expect(zip(entries, entries.dropFirst()).allSatisfy { $0.position < $1.position })
    }

    @Test func `Times that go far ahead are a join, a gap of some seconds is none`() throws {
        var far = StreamBuilder()
        add(50, from: 0, to: &far)
        add(50, from: 90_000_000, to: &far)
        #expect(try joins(far).starts.map(\.continuesTimes) == [false])
        var near = StreamBuilder()
        add(50, from: 0, to: &near)
        add(50, from: 50 * 3600 + 450_000, to: &near)
        #expect(try joins(near).starts.map(\.continuesTimes) == [true])
        #expect(try joins(near).isContinuous)
    }

    @Test func `Neither a damaged time nor a stream that pauses is a join`() throws {
        var damaged = StreamBuilder()
        damaged.beginAnew()
        var paused = damaged
        for number in 0..<Int64(1000) {
            damaged.unit(video, ticks: number == 500 ? 1 << 31 : number * 3600, count: 100, isAccess: number % 10 == 0)
            damaged.unit(audio, ticks: number == 700 ? 1 << 30 : number * 3600, count: 100, tellsLength: true)
            paused.unit(video, ticks: number * 3600, count: 100, isAccess: number % 10 == 0)
            if !(200..<800).contains(number) { paused.unit(audio, ticks: number * 3600, count: 100, tellsLength: true) }
        }
        #expect(try joins(damaged).starts.isEmpty)
        #expect(try joins(paused).starts.isEmpty)
    }

    @Test func `A recording may last longer than half the clock`() {
        let first = TransportStreamJoins.wrap - 1000
        let day = 20 * 3600 * Int64(TransportStreamJoins.timescale)
        #expect(TransportStreamJoins.elapsed(from: first, to: (first + day) % TransportStreamJoins.wrap) == day)
        #expect(TransportStreamJoins.elapsed(from: 500, to: TransportStreamJoins.wrap - 500) == -1000)
    }

    @Test func `The clock may start over within a recording`() throws {
        var stream = StreamBuilder()
        add(100, from: TransportStreamJoins.wrap - 50 * 3600, to: &stream)
        #expect(try joins(stream).starts.isEmpty)
        #expect(TransportStreamJoins.distance(from: TransportStreamJoins.wrap - 5, to: 7) == 12)
        #expect(TransportStreamJoins.distance(from: 7, to: TransportStreamJoins.wrap - 5) == -12)
    }

    @Test func `Recordings that overlap are told by their counters, packets that are missing are no join`() throws {
        var overlapping = StreamBuilder()
        add(45, from: 0, to: &overlapping)
        add(45, from: 43 * 3600, to: &overlapping)
        #expect(try joins(overlapping).starts.map(\.continuesTimes) == [false])
        var torn = StreamBuilder()
        add(90, from: 0, to: &torn)
        torn.removePackets(100..<107)
        #expect(try joins(torn).starts.isEmpty)
    }

    @Test func `A unit is whole where its bytes tell, whatever follows it`() throws {
        var stream = StreamBuilder()
        stream.beginAnew()
        let first = stream.unit(video, ticks: 0, count: 500)
        let sound = stream.unit(audio, ticks: 0, count: 100, tellsLength: true)
        // Without a rest that is filled up, nothing but what follows tells its end.
        let full = stream.unit(video, ticks: 3600, count: 184 * 3 - 14)
        let before = stream.unit(audio, ticks: 3600, count: 100, tellsLength: true)
        let seam = Int64(stream.bytes.count)
        stream.beginAnew()
        let last = stream.unit(video, ticks: 0, count: 500)
        stream.unit(audio, ticks: 0, count: 100, tellsLength: true)
        let file = try stream.file()
        #expect(file.unit(at: first, of: video, isSeam: { _ in false })?.isWhole == true)
        #expect(file.unit(at: sound, of: audio, isSeam: { _ in false })?.isWhole == true)
        #expect(file.unit(at: full, of: video, isSeam: { _ in false })?.isWhole == false)
        #expect(file.unit(at: full, of: video, isSeam: { $0.contains(seam) })?.isWhole == false)
        #expect(file.unit(at: before, of: audio, isSeam: { $0.contains(seam) })?.isWhole == true)
        #expect(file.unit(at: before, of: audio, isSeam: { _ in false })?.isWhole == false)
        #expect(file.unit(at: first, of: audio, isSeam: { _ in false }) == nil)
        #expect(file.unit(at: -1, of: video, isSeam: { _ in false }) == nil)
        #expect(file.unit(at: last, of: video, isSeam: { _ in false })?.isWhole == true)
    }

    @Test func `A unit that lacks a packet is not whole`() throws {
        var stream = StreamBuilder()
        stream.beginAnew()
        let start = stream.count
        let torn = stream.unit(video, ticks: 0, count: 2000)
        let sound = stream.unit(audio, ticks: 0, count: 1000, tellsLength: true)
        stream.unit(video, ticks: 3600, count: 2000)
        stream.removePackets(start + 3..<start + 4)
        stream.removePackets(stream.count - 13..<stream.count - 12)
        let file = try stream.file()
        #expect(file.unit(at: torn, of: video, isSeam: { _ in true })?.isWhole == false)
        #expect(file.unit(at: sound - 188, of: audio, isSeam: { _ in false })?.isWhole == false)
    }

    @Test func `Units that are missing between two others are not passed over`() throws {
        var stream = StreamBuilder()
        stream.beginAnew()
        let first = stream.unit(video, ticks: 0, count: 100)
        stream.unit(video, ticks: 3600, count: 100)
        stream.unit(video, ticks: 7200, count: 100)
        stream.removePackets(stream.count - 2..<stream.count - 1)
        #expect(try stream.file().unit(at: first, of: video, isSeam: { _ in false })?.isWhole == false)
    }

    @Test func `Bytes that are no packets are passed over`() throws {
        var stream = StreamBuilder()
        add(30, from: 0, to: &stream)
        let torn = Array(stream.bytes.dropLast(100)) + [UInt8](repeating: 0x47, count: 50)
        var other = StreamBuilder()
        add(30, from: 0, to: &other)
        let file = try #require(TransportStreamFile(RandomAccessFile(bytes: torn + other.bytes)))
        #expect(TransportStreamJoins(in: file, of: [video, audio]).starts.count == 1)
        #expect(TransportStreamFile(RandomAccessFile(bytes: [UInt8](repeating: 0, count: 1000))) == nil)
        #expect(TransportStreamFile(RandomAccessFile(bytes: [])) == nil)
    }
}
