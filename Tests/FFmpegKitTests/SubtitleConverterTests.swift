import Foundation
import MediaCore
import TestSupport
import Testing

@testable import FFmpegKit

@Suite(.serialized) struct `Subtitles of text` {
    private static let text = """
        1
        00:00:01,000 --> 00:00:02,500
        First line
        and <i>second</i> line

        2
        00:00:03,120 --> 00:00:04,000
        Ünïcödé — “quotes”


        """

    @Test(arguments: [("mov_text", "mp4"), ("webvtt", "webm"), ("ass", "matroska"), ("subrip", "matroska")])
    func `Text subtitles are converted to another codec`(_ encoder: String, _ format: String) async throws {
        let folder = try TemporaryFolder()
        try Data(Self.text.utf8).write(to: URL(fileURLWithPath: folder.path("in.srt")))
        _ = try await Peer.run("ffmpeg", ["-v", "error", "-i", folder.path("in.srt"), folder.path("in.mkv")])
        let demuxer = try Demuxer.open(folder.path("in.mkv"), policy: SafetyPolicy(), interrupt: Interrupt())
        let converter = try SubtitleConverter.open(stream: 0, of: demuxer, to: Codec(rawValue: encoder))
        let sink = MemorySink()
        let muxer = try Muxer.open(ContainerFormat(Container(rawValue: format)), sink: sink)
        var traits = demuxer.traits(ofStream: 0).forEncoding
        traits.language = "deu"
        _ = try muxer.addStream(CodedStream(from: converter, traits: traits))
        try muxer.start()
        while let packet = try demuxer.readPacket() {
            guard let cue = try converter.cue(packet, timeBase: demuxer.streams[0].timeBase),
                let packet = try converter.packet(of: [cue])
            else { continue }
            let timed = try packet.retimed(
                presentation: cue.start, decode: cue.start, duration: cue.end.map { $0 - cue.start })
            try muxer.write(timed, toStream: 0, timeBase: converter.timeBase)
        }
        try muxer.finish()
        try sink.save(folder.path("out"))
        let copy = try Demuxer.open(folder.path("out"), policy: SafetyPolicy(), interrupt: Interrupt())
        #expect(copy.streams[0].codec.rawValue == encoder && copy.streams[0].language == "deu")
        let expected = try await Peer.run("ffmpeg", ["-v", "error", "-i", folder.path("in.mkv"), "-f", "srt", "-"])
        let text = try await Peer.run("ffmpeg", ["-v", "error", "-i", folder.path("out"), "-f", "srt", "-"])
        #expect(text == expected)
    }

    @Test func `Text subtitles cannot be made of video or audio`() throws {
        let demuxer = try Fixture("movie.mp4").open()
        for index in [0, 1, 9] {
            #expect(throws: FFmpegError.self) {
                try SubtitleConverter.open(stream: index, of: demuxer, to: .timedText)
            }
        }
    }
}
