import FFmpegKit
import MediaAsset
import MediaCore
import MediaTestSupport
import Testing

@testable import ImageGeneration
@testable import MediaEngine

@Suite struct `What a fault spoils` {
    @Test func `A record without a fault reports no damage`() {
        let record = DamageRecord()
        #expect(record.damage(ofPacket: 5, ticks: 50) == nil)
        #expect(record.missing(after: 0, through: 100) == nil)
    }

    @Test func `A fault damages its own frame and all later ones in decoding order`() {
        var record = DamageRecord()
        record.add(packet: 5, ticks: 50, reason: "broken")
        #expect(record.damage(ofPacket: 4, ticks: 60) == nil)
        #expect(record.damage(ofPacket: 5, ticks: 50) == "broken")
        #expect(record.damage(ofPacket: 9, ticks: 30) == "broken")
    }

    @Test func `A sync sample ends the damage, but not for its leading frames`() {
        var record = DamageRecord()
        record.add(packet: 5, ticks: 50, reason: "broken")
        record.addEntry(packet: 10, ticks: 100)
        #expect(record.damage(ofPacket: 9, ticks: 95) == "broken")
        #expect(record.damage(ofPacket: 10, ticks: 100) == nil)
        #expect(record.damage(ofPacket: 11, ticks: 90) == "broken")
        #expect(record.damage(ofPacket: 12, ticks: 110) == nil)
    }

    @Test func `A sync sample before the fault does not end the damage`() {
        var record = DamageRecord()
        record.addEntry(packet: 1, ticks: 0)
        record.add(packet: 5, ticks: 50, reason: "broken")
        #expect(record.damage(ofPacket: 6, ticks: 60) == "broken")
    }

    @Test func `The latest fault counts, in whatever order they become known`() {
        var record = DamageRecord()
        record.add(packet: 20, ticks: 200, reason: "second")
        record.addEntry(packet: 10, ticks: 100)
        record.add(packet: 5, ticks: 50, reason: "first")
        #expect(record.damage(ofPacket: 7, ticks: 70) == "first")
        #expect(record.damage(ofPacket: 12, ticks: 120) == nil)
        #expect(record.damage(ofPacket: 21, ticks: 210) == "second")
    }

    @Test func `The first fault of a packet names the reason`() {
        var record = DamageRecord()
        record.add(packet: 5, ticks: 50, reason: "first")
        record.add(packet: 5, ticks: 50, reason: "second")
        #expect(record.damage(ofPacket: 5, ticks: 50) == "first")
    }

    @Test func `A missing frame is reported by its time`() {
        var record = DamageRecord()
        record.add(packet: 5, ticks: 50, reason: "lost")
        record.add(packet: 6, ticks: nil, reason: "timeless")
        #expect(record.missing(after: 40, through: 49) == nil)
        #expect(record.missing(after: 40, through: 50) == "lost")
        #expect(record.missing(after: 50, through: 90) == nil)
    }

    @Test func `Memory stays bounded over many faults`() {
        var record = DamageRecord()
        for number in 1...10_000 {
            record.add(packet: Int64(number), ticks: Int64(number), reason: "fault \(number)")
            record.addEntry(packet: Int64(number), ticks: Int64(number))
        }
        #expect(record.damage(ofPacket: 10_000, ticks: 10_000) == "fault 10000")
        #expect(record.missing(after: 9_998, through: 9_999) == "fault 9999")
        #expect(record.missing(after: 0, through: 1) == nil, "the oldest faults are forgotten")
    }
}

struct PolicyCase: Sendable, CustomTestStringConvertible {
    var format: String
    var codec: String
    var policy: SeekPolicy

    init(_ format: String, _ codec: String, _ policy: SeekPolicy) {
        (self.format, self.codec, self.policy) = (format, codec, policy)
    }

    var testDescription: String { "\(codec) in \(format)" }
}

@Suite struct `How a reader finds its place` {
    @Test(arguments: [
        PolicyCase("mov,mp4,m4a,3gp,3g2,mj2", "h264", .direct), PolicyCase("matroska,webm", "vp9", .direct),
        PolicyCase("flv", "h264", .direct), PolicyCase("asf", "wmv2", .direct), PolicyCase("avi", "mpeg4", .direct),
        PolicyCase("avi", "mjpeg", .direct), PolicyCase("avi", "h264", .direct), PolicyCase("avi", "hevc", .direct),
        PolicyCase("mpegts", "h264", .search), PolicyCase("mpeg", "mpeg2video", .linear),
        PolicyCase("h264", "h264", .linear), PolicyCase("mpegvideo", "mpeg2video", .linear),
        PolicyCase("ogg", "theora", .linear), PolicyCase("gif", "gif", .linear), PolicyCase("", "", .linear),
        PolicyCase("movie", "h264", .linear),
    ])
    func `The container decides how a reader finds its place`(_ c: PolicyCase) {
        #expect(Container(rawValue: c.format).seekPolicy(for: Codec(rawValue: c.codec)) == c.policy)
    }
}

@Suite struct `The packets around the decoder` {
    @Test func `Packets come out in the order in which they went in`() throws {
        let packets = try Fixture("movie.mp4").pendingPackets()
        var window = PacketWindow()
        #expect(window.takeFirst() == nil)
        for packet in packets { window.append(packet) }
        #expect(window.count == 250)
        #expect(window.pendingBytes == packets.reduce(0) { $0 + $1.packet.byteCount })
        var numbers: [Int64] = []
        while let item = window.takeFirst() { numbers.append(item.number) }
        #expect(numbers == Array(1...250))
        #expect(window.pendingBytes == 0)
        #expect(window.count == 0)
    }

    @Test func `The neighbours of a time are found among packets to come`() throws {
        var window = PacketWindow()
        // Decoding order IBBBP: 0, 4, 2, 1, 3 in frames of 512 ticks.
        for packet in try Fixture("movie.mp4").pendingPackets().prefix(5) { window.append(packet) }
        #expect(window.lastTime(atOrBefore: -1) == nil)
        #expect(window.lastTime(atOrBefore: 1535) == 1024)
        #expect(window.lastTime(atOrBefore: 1536) == 1536)
        #expect(window.firstTime(after: 512) == 1024)
        #expect(window.firstTime(after: 2048) == nil)
    }

    @Test func `Packets in the decoder count until a later frame is shown`() throws {
        var window = PacketWindow()
        for packet in try Fixture("movie.mp4").pendingPackets().prefix(5) { window.append(packet) }
        while window.takeFirst() != nil {}
        #expect(window.lastTime(atOrBefore: 1100) == 1024)
        window.shown(1024)
        #expect(window.lastTime(atOrBefore: 1100) == nil)
        #expect(window.firstTime(after: 0) == 1536)
    }

    @Test func `Discarded packets are never shown`() throws {
        let packets = try Fixture("edit-list-trim.mp4").pendingPackets()
        let discarded = packets.filter(\.packet.isDiscarded)
        #expect(discarded.count == 18)
        var window = PacketWindow()
        for packet in discarded { window.append(packet) }
        #expect(window.lastTime(atOrBefore: .max) == nil)
        while window.takeFirst() != nil {}
        #expect(window.lastTime(atOrBefore: .max) == nil)
    }

    @Test func `Sync samples are known by their number`() throws {
        var window = PacketWindow()
        for packet in try Fixture("movie.mp4").pendingPackets().prefix(30) { window.append(packet) }
        while window.takeFirst() != nil {}
        #expect((1...30).filter { window.isSyncSample($0) } == [1, 26])
    }

    @Test func `A restart keeps only the last packet`() throws {
        let packets = try Fixture("movie.mp4").pendingPackets()
        var window = PacketWindow()
        for packet in packets.prefix(10) { window.append(packet) }
        _ = window.takeFirst()
        window.restartAtLast()
        #expect(window.count == 1)
        #expect(window.first?.number == 10)
        #expect(window.pendingBytes == packets[9].packet.byteCount)
        #expect(window.latestDecodeTicks == packets[9].packet.decodeTicks)
        window.removeAll()
        #expect(window.count == 0)
        #expect(window.latestDecodeTicks == .min)
    }
}
