import FFmpegKit
import Foundation
import MediaCore
import MediaTestSupport
import Testing

@testable import MediaAsset

@Suite struct `Frame rates` {
    /// The Matroska file with a default duration of one tick, as careless muxers write it: `ffprobe` says 1000/1 then.
    @Test func `Container ticks given as the duration of a frame are no frame rate`() async throws {
        var bytes = try Data(contentsOf: Fixture("vp9.webm").url)
        let element = try #require(bytes.range(of: Data([0x23, 0xE3, 0x83, 0x84])))
        bytes.replaceSubrange(element.upperBound..<element.upperBound + 4, with: [0x00, 0x0F, 0x42, 0x40])
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("ticks.webm")
        try bytes.write(to: url)
        let track = try #require(try await AVURLAsset(url: url).loadTracks(withMediaType: .video).first)
        // 100 packets in 4 s, as ffprobe counts them.
        #expect(abs(try await track.load(.nominalFrameRate) - 25) < 0.05)
        #expect(abs(try await track.load(.minFrameDuration).seconds - 0.04) < 0.001)
    }

    /// The numbers are what `mediainfo` has, or the packets that `ffprobe` counts by their times.
    @Test func `Frame rates of the corpus are those of their frames`() async throws {
        guard let corpus = Fixture.corpus else { return }
        let expected: [(String, Float)] = [
            ("webm/bunny.webm", 24), ("flv/sample.flv", 30), ("mkv/sample_with_srt.mkv", 30.084),
            ("ts-ps/sd-hls0000000000.ts", 23.2), ("playlist/400x300_seg0_5s.ts", 29.97),
        ]
        for (name, rate) in expected {
            let asset = AVURLAsset(url: corpus.appendingPathComponent(name))
            let track = try #require(try await asset.loadTracks(withMediaType: .video).first)
            let found = try await track.load(.nominalFrameRate)
            #expect(abs(found / rate - 1) < 0.01, "\(name) \(found)")
        }
    }

    @Test func `Frame rates follow from the frames' times`() throws {
        let milliseconds = TimeBase(numerator: 1, denominator: 1000)
        let film = try #require(FrameIntervals(ticks: [0, 125, 42, 83, 167, 208, 250], timeBase: milliseconds))
        #expect(film.mean.seconds == 0.25 / 6 && film.shortest == film.mean)
        let slides = try #require(FrameIntervals(ticks: [0, 3000, 1000], timeBase: milliseconds))
        #expect(slides.mean.seconds == 1.5 && slides.shortest.seconds == 1)
        #expect(FrameIntervals(ticks: [7, 7], timeBase: milliseconds) == nil)
        #expect(FrameIntervals(ticks: [], timeBase: milliseconds) == nil)
        #expect(FrameIntervals(ticks: [.min, .max], timeBase: milliseconds) == nil)
        #expect(FrameIntervals(ticks: [.min, 0, .max], timeBase: milliseconds) == nil)
    }
}
