import Foundation
import MediaCore
import TestSupport
import Testing

@testable import FFmpegKit
@testable import MediaContainers

@Suite struct `References between pictures` {
    private static let files = [
        "movie.mp4", "h264-444.mp4", "h264.ts", "hevc-open-gop.mp4", "hevc-open-gop.ts", "av1.webm",
    ]

    private func packets(of name: String) throws -> (stream: StreamInfo, packets: [Packet]) {
        let demuxer = try Fixture(name).open()
        let stream = try #require(demuxer.streams.first { $0.kind == .video })
        demuxer.select(streams: [stream.index])
        var packets: [Packet] = []
        while let packet = try demuxer.readPacket() {
            if packet.streamIndex == stream.index { packets.append(packet) }
        }
        return (stream, packets)
    }

    @Test(arguments: files)
    func `References between frames lead to earlier packets of the same GOP`(_ name: String) throws {
        let (stream, packets) = try packets(of: name)
        var references = try #require(
            PictureReferencesReader.make(codec: stream.codec, extradata: stream.extradata))
        let classifier = EntryClassifier(codec: stream.codec, extradata: stream.extradata)
        var entry = Int64(0)
        for (index, packet) in packets.enumerated() {
            let number = Int64(index)
            if classifier.classify(packet) == .clean { entry = number }
            let added = references.add(packet, number: number)
            let picture = try #require(added, "packet \(index)")
            #expect(picture.refersTo.allSatisfy { $0 < number && $0 >= 0 })
            #expect(picture.refersTo.isEmpty == (number == entry), "packet \(index)")
        }
    }

    /// Whatever a damaged file holds, reading it ends and stays within the packet.
    @Test(arguments: files)
    func `References in damaged packets are read without harm`(_ name: String) throws {
        let (stream, packets) = try packets(of: name)
        var random = SeededGenerator(seed: 7)
        for _ in 0..<40 {
            var extradata = stream.extradata
            for _ in 0..<3 where !extradata.isEmpty {
                extradata[Int.random(in: extradata.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            extradata.removeLast(Int.random(in: 0...(extradata.count / 2), using: &random))
            var references = PictureReferencesReader.make(codec: stream.codec, extradata: extradata)
            for (index, packet) in packets.prefix(30).enumerated() {
                let copy = try packet.damaged(using: &random)
                guard let picture = references?.add(copy, number: Int64(index)) else { continue }
                #expect(picture.refersTo.allSatisfy { $0 < Int64(index) })
                _ = references?.hollow(copy, picture)
            }
        }
    }

    @Test func `A hollow packet keeps the header and little else`() throws {
        let (stream, packets) = try packets(of: "movie.mp4")
        var references = H264References(extradata: stream.extradata)
        for (index, packet) in packets.prefix(40).enumerated() {
            let added = references.add(packet, number: Int64(index))
            let picture = try #require(added)
            let hollow = try #require(references.hollow(packet, picture))
            #expect(hollow.presentationTicks == packet.presentationTicks)
            // The first picture carries the encoder's settings as text.
            #expect(hollow.byteCount <= (index == 0 ? 1000 : 80))
            var again = H264References(extradata: stream.extradata)
            let copy = again.add(hollow, number: 0)
            if index == 0 { #expect(copy?.isReference == picture.isReference) }
        }
    }
}

extension Packet {
    /// A copy of which some bytes were changed and the end may be missing.
    fileprivate func damaged(using random: inout SeededGenerator) throws -> Packet {
        var bytes = withBytes { Array($0) }
        for _ in 0..<8 where !bytes.isEmpty {
            bytes[Int.random(in: 0..<min(bytes.count, 60), using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        bytes.removeLast(Int.random(in: 0...(bytes.count / 2), using: &random))
        return try #require(Packet(bytes: bytes, like: self))
    }
}
