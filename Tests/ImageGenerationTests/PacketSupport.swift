import FFmpegKit
import Foundation
import MediaAsset
import MediaContainers
import MediaCore
import MediaTestSupport

@testable import ImageGeneration
@testable import MediaEngine

extension Fixture {
    var source: AssetSource { AssetSource(path: path, policy: SafetyPolicy(), prefersPreciseDuration: false) }

    /// A reader of the fixture's video.
    func makeReader() throws -> (reader: FrameReader, description: AssetDescription) {
        let source = source
        let description = try source.describe()
        let track = description.videoTrack!
        return (try FrameReader(source: source, streamIndex: track.streamIndex), description)
    }

    /// The packets of the fixture's first stream, numbered from 1.
    func pendingPackets() throws -> [PacketWindow.Pending] {
        let demuxer = try Demuxer.open(path, policy: SafetyPolicy(), interrupt: Interrupt())
        demuxer.select(streams: [0])
        let stream = demuxer.streams[0]
        let classifier = EntryClassifier(codec: stream.codec, extradata: stream.extradata)
        var result: [PacketWindow.Pending] = []
        while let packet = try demuxer.readPacket() {
            guard packet.streamIndex == 0 else { continue }
            result.append(
                PacketWindow.Pending(
                    packet: packet, number: Int64(result.count + 1),
                    ticks: packet.presentationTicks ?? packet.decodeTicks, entry: classifier.classify(packet)))
        }
        return result
    }
}
