import Foundation
import MediaAsset
import MediaCore
import MediaTestSupport
import Testing

private func seconds(_ value: Int64, _ timescale: Int32 = 1) -> CMTime { CMTime(value: value, timescale: timescale) }

/// A file's duration on the asset's timeline, from ffprobe's packet times.
struct DurationCase: Sendable, CustomTestStringConvertible {
    let name: String
    let duration: CMTime
    init(_ name: String, _ value: Int64, _ timescale: Int32) {
        (self.name, duration) = (name, CMTime(value: value, timescale: timescale))
    }
    var testDescription: String { "\(name): \(duration.seconds) s" }
}

@Suite struct `The asset's timeline` {
    @Test(arguments: [
        DurationCase("movie.mov", 10, 1), DurationCase("edit-list-trim.mp4", 43, 10),
        DurationCase("edit-list-empty.mp4", 4, 1), DurationCase("audio-longer.mp4", 4, 1),
        DurationCase("one-frame.mp4", 1, 25), DurationCase("no-cues.mkv", 4021, 1000),
        // The last frame, number 99, is shown from 3.96 s for 0.04 s after the first.
        DurationCase("fragmented-sidx.mp4", 4, 1),
        // Here the sound starts 0.08 s before the picture.
        DurationCase("fragmented.mp4", 408, 100),
        DurationCase("nonzero-start.mkv", 4, 1),  // Its last packet ends at 4.090 s, its first starts at 0.059 s.
        DurationCase("h264.flv", 4031, 1000),
    ])
    func `The asset's timeline lasts from its first sample to the end of its last`(_ c: DurationCase) async throws {
        let (duration, tracks) = try await Fixture(c.name).asset.load(.duration, .tracks)
        // A stream's start and ffprobe's own rounding are whole milliseconds in some of these containers.
        #expect(CMTimeAbsoluteValue(duration - c.duration) <= seconds(1, 1000))
        for track in tracks where track.mediaType == .video {
            #expect(try await track.load(.timeRange).end <= duration + seconds(2, 1000))
        }
    }

    @Test(arguments: ["nonzero-start.mkv", "h264.ts", "mpeg2.ps", "fragmented-sidx.mp4"])
    func `The asset's timeline starts at zero wherever the container starts`(_ name: String) async throws {
        let tracks = try await Fixture(name).asset.load(.tracks).filter { [.video, .audio].contains($0.mediaType) }
        var starts: [CMTime] = []
        for track in tracks { starts.append(try await track.load(.timeRange).start) }
        #expect(starts.min() == .zero)
    }

    @Test func `A track that starts late has the start in its time range`() async throws {
        // 133200 - 131280 ticks of 90000: ffprobe's start_pts of video and sound.
        let stream = try await Fixture("h264.ts").asset.loadTracks(withMediaType: .video)[0]
        #expect(try await stream.load(.timeRange).start == seconds(1920, 90000))
        let delayed = try await Fixture("edit-list-empty.mp4").asset.loadTracks(withMediaType: .video)[0]
        #expect(try await delayed.load(.timeRange) == CMTimeRange(start: seconds(1), duration: seconds(3)))
    }

    @Test func `Precise durations come from the samples`() async throws {
        let options = [AVURLAssetPreferPreciseDurationAndTimingKey: true]
        let asset = AVURLAsset(url: Fixture("h264.ts").url, options: options)
        let (duration, isPrecise) = try await asset.load(.duration, .providesPreciseDurationAndTiming)
        #expect(isPrecise)
        // The last packet of sound ends at 492240 + 1920, the first begins at 131280.
        #expect(duration == seconds(494_160 - 131_280, 90000))
    }

    @Test func `An edit list that trims is one segment`() async throws {
        let track = try await Fixture("edit-list-trim.mp4").asset.loadTracks(withMediaType: .video)[0]
        let segments = try await track.load(.segments)
        let source = CMTimeRange(start: seconds(9984, 12800), duration: seconds(4300, 1000))
        let target = CMTimeRange(start: .zero, duration: seconds(4300, 1000))
        #expect(segments.map(\.timeMapping) == [CMTimeMapping(source: source, target: target)])
        #expect(segments.first?.isEmpty == false)
    }

    @Test func `An empty edit is an empty segment`() async throws {
        let track = try await Fixture("edit-list-empty.mp4").asset.loadTracks(withMediaType: .video)[0]
        let segments = try await track.load(.segments)
        try #require(segments.count == 2)
        #expect(segments.map(\.isEmpty) == [true, false])
        #expect(segments[0].timeMapping.target == CMTimeRange(start: .zero, duration: seconds(1)))
        #expect(segments[1].timeMapping.source == CMTimeRange(start: seconds(1024, 12800), duration: seconds(3)))
        #expect(segments[1].timeMapping.target == CMTimeRange(start: seconds(1), duration: seconds(3)))
        #expect(try await track.loadSegment(forTrackTime: seconds(1, 2)) == segments[0])
        #expect(try await track.loadSegment(forTrackTime: seconds(1)) == segments[1])
        #expect(try await track.loadSegment(forTrackTime: seconds(9)) == segments[1])
        #expect(try await track.loadSegment(forTrackTime: seconds(-1)) == segments[0])
    }

    @Test func `A track without an edit list has one segment over its whole range`() async throws {
        let track = try await Fixture("cues.mkv").asset.loadTracks(withMediaType: .video)[0]
        let segments = try await track.load(.segments)
        #expect(segments.count == 1)
        #expect(segments.first?.timeMapping.target.start == seconds(21, 1000))
    }

    /// The time of each frame on the container's timeline as ffprobe lists it.
    @Test(arguments: [
        "movie.mov", "vfr.mp4", "edit-list-trim.mp4", "edit-list-empty.mp4", "hevc-open-gop.mp4", "h264.ts",
        "hevc-open-gop.ts", "vp8.webm", "vp9.webm", "av1.webm", "nonzero-start.mkv", "fragmented.mp4", "theora.ogv",
        "no-cues.mkv", "animated.gif",
    ])
    func `Frames are found by their number`(_ name: String) async throws {
        let url = Fixture.folder.appendingPathComponent("expected/\(name).json")
        let json = try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [String: Any])
        let frames = try #require(json["frames"] as? [[String: Any]])
        let origin = try await Fixture(name).asset.loadDescription().origin
        #expect(try origin == Sidecar.load(Fixture(name)).origin)
        let asset = Fixture(name).asset
        for number in [0, 1, 2, frames.count / 2, frames.count - 1] {
            let frame = frames[number]
            let base = try #require(frame["time_base"] as? String).split(separator: "/").compactMap { Int64($0) }
            let ticks = Int64(try #require(frame["pts"] as? Int))
            let expected = CMTime(value: ticks * base[0], timescale: Int32(base[1])) - origin
            #expect(try await asset.loadTime(ofFrame: number) == expected)
        }
        let error = await #expect(throws: AVError.self) { try await asset.loadTime(ofFrame: frames.count) }
        #expect(error?.code == .noImageAtTime)
        #expect(try await asset.loadTime(ofFrame: -1) == asset.loadTime(ofFrame: frames.count - 1))
        #expect(try await asset.loadTime(ofFrame: -frames.count) == asset.loadTime(ofFrame: 0))
        await #expect(throws: AVError.self) { try await asset.loadTime(ofFrame: -frames.count - 1) }
    }
}
