import Foundation
import MediaAsset
import MediaCore
import MediaMetadata
import MediaTestSupport
import Testing

private func seconds(_ start: Double, _ length: Double) -> CMTimeRange {
    CMTimeRange(
        start: CMTime(seconds: start, preferredTimescale: 1000),
        duration: CMTime(seconds: length, preferredTimescale: 1000))
}

@Suite struct `Compositions` {
    @Test func `Compositions are assets whose properties follow each change`() async throws {
        let film = Fixture("movie.mov").asset
        let composition = AVMutableComposition()
        #expect(try await composition.load(.duration) == .zero)
        let video = try #require(
            composition.addMutableTrack(withMediaType: .video, preferredTrackID: kCMPersistentTrackID_Invalid))
        let source = try #require(try await film.loadTracks(withMediaType: .video).first)
        try video.insertTimeRange(seconds(2, 1.5), of: source, at: .zero)
        #expect(try await composition.load(.duration) == CMTime(value: 3, timescale: 2))
        #expect(try await video.load(.timeRange) == seconds(0, 1.5))
        #expect(composition.naturalSize == CGSize(width: 320, height: 240))
        #expect(try await video.load(.nominalFrameRate) == 25)
        try video.insertTimeRange(seconds(0, 1), of: source, at: .invalid)
        #expect(try await composition.load(.duration) == CMTime(value: 5, timescale: 2))
        #expect(video.segments.map(\.timeMapping.source) == [seconds(2, 1.5), seconds(0, 1)])
        #expect(video.segments.allSatisfy { $0.sourceURL == film.url && $0.sourceTrackID == source.trackID })
        composition.removeTrack(video)
        #expect(composition.tracks.isEmpty && video.segments.isEmpty)
    }

    @Test func `Compositions take whole assets in, track by track`() async throws {
        let composition = AVMutableComposition()
        try await composition.insertTimeRange(seconds(1, 2), of: Fixture("movie.mov").asset, at: .zero)
        try await composition.insertTimeRange(seconds(0, 1), of: Fixture("movie.mp4").asset, at: .invalid)
        #expect(composition.tracks.map(\.mediaType) == [.video, .audio, .text])
        #expect(composition.tracks.map(\.trackID) == [1, 2, 3])
        #expect(try await composition.load(.duration) == CMTime(value: 3, timescale: 1))
        #expect(composition.tracks(withMediaType: .video).first?.segments.count == 2)
        // In the middle of all tracks.
        try await composition.insertTimeRange(
            seconds(0, 1), of: Fixture("audio-only.m4a").asset, at: CMTime(value: 1, timescale: 1))
        let video = try #require(composition.tracks(withMediaType: .video).first)
        #expect(video.segments.map(\.isEmpty) == [false, true, false, false])
        #expect(try await composition.load(.duration) == CMTime(value: 4, timescale: 1))
    }

    @Test func `Compositions of compositions refer to the files`() throws {
        let inner = AVMutableComposition()
        try inner.insertTimeRange(seconds(2, 4), of: Fixture("movie.mov").asset, at: .zero)
        let outer = AVMutableComposition()
        try outer.insertTimeRange(seconds(1, 1), of: inner, at: .zero)
        #expect(outer.tracks(withMediaType: .video).first?.segments.map(\.timeMapping.source) == [seconds(3, 1)])
    }

    @Test func `Copies of compositions do not follow later changes`() throws {
        let composition = AVMutableComposition()
        try composition.insertTimeRange(seconds(0, 1), of: Fixture("movie.mov").asset, at: .zero)
        let copy = try #require(composition.copy() as? AVComposition)
        let other = try #require(composition.mutableCopy() as? AVMutableComposition)
        composition.removeTimeRange(seconds(0, 1))
        #expect(copy.duration == CMTime(value: 1, timescale: 1) && other.duration == copy.duration)
        #expect(composition.duration == .zero)
        other.scaleTimeRange(seconds(0, 1), toDuration: CMTime(value: 2, timescale: 1))
        #expect(other.duration == CMTime(value: 2, timescale: 1) && copy.duration == CMTime(value: 1, timescale: 1))
    }

    @Test func `Compositions refuse what cannot be inserted, and stay as they are`() async throws {
        let film = Fixture("movie.mov").asset
        let composition = AVMutableComposition()
        let track = try #require(composition.addMutableTrack(withMediaType: .audio, preferredTrackID: 7))
        #expect(track.trackID == 7)
        let (video, audio) = (film.tracks(withMediaType: .video)[0], film.tracks(withMediaType: .audio)[0])
        func code(_ body: () throws -> Void) -> AVError.Code? {
            do { try body() } catch { return (error as? AVError)?.code }
            return nil
        }
        #expect(code { try track.insertTimeRange(seconds(0, 1), of: video, at: .zero) } == .incompatibleAsset)
        #expect(
            code { try track.insertTimeRange(seconds(9, 2), of: audio, at: .zero) }
                == .invalidCompositionTrackSegmentSourceDuration)
        #expect(
            code { try track.insertTimeRange(seconds(11, 1), of: audio, at: .zero) }
                == .invalidCompositionTrackSegmentSourceStartTime)
        #expect(
            code { try track.insertTimeRange(seconds(1, 0), of: audio, at: .zero) }
                == .invalidCompositionTrackSegmentDuration)
        let missing = AVURLAsset(url: URL(fileURLWithPath: "/nonexistent.mov"))
        #expect(
            code { try composition.insertTimeRange(seconds(0, 1), of: missing, at: .zero) } == .failedToLoadMediaData)
        #expect(track.segments.isEmpty && composition.tracks.count == 1)
        try track.insertTimeRange(seconds(0, 1), of: audio, at: .zero)
        var segments: [AVCompositionTrackSegment] = track.segments
        segments.append(AVCompositionTrackSegment(timeRange: seconds(5, 1)))
        #expect(code { try track.validateSegments(segments) } == .compositionTrackSegmentsNotContiguous)
    }

    @Test func `Tracks of compositions hold at most ten thousand segments`() throws {
        let audio = Fixture("movie.mov").asset.tracks(withMediaType: .audio)[0]
        let composition = AVMutableComposition()
        let track = try #require(composition.addMutableTrack(withMediaType: .audio, preferredTrackID: 0))
        let ranges = [NSValue](repeating: NSValue(timeRange: seconds(0, 0.01)), count: 10_001)
        #expect(throws: AVError.self) {
            try track.insertTimeRanges(ranges, of: [AVAssetTrack](repeating: audio, count: ranges.count), at: .zero)
        }
        try track.insertTimeRanges(
            Array(ranges.dropLast()), of: [AVAssetTrack](repeating: audio, count: 10_000), at: .zero)
        #expect(track.segments.count == 10_000 && composition.duration == CMTime(value: 100, timescale: 1))
    }

    @Test func `Compositions that join files have their metadata, and their chapters moved`() async throws {
        let film = Fixture("movie.mp4").asset
        let joined = try await AVMutableComposition(joining: [
            .init(film, in: seconds(4, 3)), .init(film, in: seconds(0, 2)),
        ])
        let items = try await joined.load(.metadata)
        #expect(items.contains { $0.commonKey == .commonKeyTitle })
        let groups = try await joined.loadChapterMetadataGroups(bestMatchingPreferredLanguages: ["en"])
        let whole = try await film.loadChapterMetadataGroups(bestMatchingPreferredLanguages: ["en"])
        #expect(!whole.isEmpty && groups.count >= 2)
        #expect(groups.first?.timeRange.start == .zero)
        #expect(groups.last?.timeRange == seconds(3, 2))
    }
}
