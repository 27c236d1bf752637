import MediaCore
import TestSupport
import Testing

@testable import FFmpegKit
@testable import MediaContainers

/// Packets of fixtures put behind each other as a careless join does it, without a decode.
@Suite struct `References where pieces of a join meet` {
    private struct Track {
        let stream: StreamInfo
        let packets: [Packet]

        init(_ name: String) throws {
            let demuxer = try Fixture(name).open()
            let stream = try #require(demuxer.streams.first { $0.kind == .video })
            demuxer.select(streams: [stream.index])
            var packets: [Packet] = []
            while let packet = try demuxer.readPacket() { packets.append(packet) }
            (self.stream, self.packets) = (stream, packets)
        }

        /// Where the container says that decoding can start.
        var keys: [Int] { packets.indices.filter { packets[$0].isKey } }

        var second: Int64 { stream.timeBase.ticks(microseconds: 1_000_000) }

        /// What is said of a join whose later piece begins with a keyframe.
        ///
        /// - Parameters:
        ///   - earlier: The packets before the seam.
        ///   - key: The later piece's first packet.
        ///   - leavesOutLeading: Whether those are left out that are shown before the keyframe.
        ///   - splices: Whether the later piece is made to reset decoders.
        func fault(
            after earlier: Range<Int>, key: Int, leavesOutLeading: Bool = true, splices: Bool = false
        ) throws -> SeamReferences.Fault? {
            var references = try #require(SeamReferences(codec: stream.codec, extradata: stream.extradata))
            var splice = PieceSplice(codec: stream.codec, extradata: stream.extradata, piece: 1)
            func ticks(_ packet: Packet) throws -> Int64 { try #require(packet.presentationTicks) }
            var end = Int64.min
            for packet in packets[earlier] {
                let time = try ticks(packet)
                end = max(end, time + (packet.durationTicks ?? 0))
                packet.withBytes { references.add($0, isKey: packet.isKey, ticks: time, isShown: true) }
            }
            let start = try ticks(packets[key])
            let kept = try packets[key..<min(packets.count, key + 40)].filter { packet in
                try !leavesOutLeading || ticks(packet) >= start
            }
            let first = try kept.map(ticks).min() ?? start
            for packet in kept {
                let time = try ticks(packet) - first + end
                packet.withBytes { bytes in
                    guard splices, case .changed(let changed)? = splice?.follow(bytes) else {
                        return references.add(bytes, isKey: packet.isKey, ticks: time, isShown: true)
                    }
                    changed.withUnsafeBytes {
                        references.add($0, isKey: packet.isKey, ticks: time, isShown: true)
                    }
                }
            }
            return references.fault(at: end, tolerance: second / 10)
        }
    }

    @Test(arguments: ["h264-open-gop.mp4", "h264-open-gop.ts"])
    func `A recovery point does not begin a piece`(_ name: String) throws {
        let track = try Track(name)
        let keys = track.keys
        #expect(try track.fault(after: 0..<keys[2], key: keys[1]) == .continues)
        #expect(try track.fault(after: 0..<keys[2], key: keys[1], splices: true) == nil)
        #expect(try track.fault(after: 0..<keys[2], key: keys[0]) == nil)
    }

    @Test(arguments: ["hevc-open-gop.mp4", "hevc-open-gop.ts"])
    func `Leading pictures of HEVC do not follow another piece`(_ name: String) throws {
        let track = try Track(name)
        let keys = track.keys
        #expect(try track.fault(after: 0..<keys[2], key: keys[1], leavesOutLeading: false) == .leadingPictures)
        #expect(try track.fault(after: 0..<keys[2], key: keys[1]) == nil)
    }

    @Test func `Leading pictures of MPEG video do not follow another piece`() throws {
        let track = try Track("mpeg2.ps")
        let keys = track.keys
        let key = try #require(
            keys.dropFirst().first { key in
                let next = track.packets.indices.contains(key + 1) ? track.packets[key + 1].presentationTicks : nil
                return next.flatMap { next in track.packets[key].presentationTicks.map { next < $0 } } ?? false
            })
        #expect(try track.fault(after: 0..<key, key: key, leavesOutLeading: false) == .leadingPictures)
        #expect(try track.fault(after: 0..<key, key: key) == nil)
    }

    @Test func `A missing picture is noticed before a seam and behind it`() throws {
        let track = try Track("movie.mp4")
        let keys = track.keys
        #expect(try track.fault(after: 0..<keys[1], key: keys[1]) == nil)
        var references = try #require(
            SeamReferences(codec: track.stream.codec, extradata: track.stream.extradata))
        let seam = try #require(track.packets[keys[1]].presentationTicks)
        let dropped = try #require(
            track.packets.indices.first { index in
                index > 4 && index < keys[1]
                    && !DisposablePictures(
                        codec: .h264, extradata: track.stream.extradata, isIntraOnly: false
                    ).contains(track.packets[index])
            })
        for (index, packet) in track.packets.enumerated() where index != dropped && index < keys[1] + 20 {
            let ticks = try #require(packet.presentationTicks)
            packet.withBytes { references.add($0, isKey: packet.isKey, ticks: ticks, isShown: true) }
        }
        #expect(references.fault(at: seam, tolerance: track.second / 10) == .missingPictures)
    }

    @Test func `Pictures that refer to none meet anywhere`() throws {
        let track = try Track("mjpeg.avi")
        #expect(SeamReferences(codec: track.stream.codec, extradata: track.stream.extradata) == nil)
        let mpeg4 = try Track("mpeg4-b.avi")
        #expect(try mpeg4.fault(after: 0..<mpeg4.keys[1], key: mpeg4.keys[1]) == nil)
    }
}
