import Foundation
import MediaCore
import MediaTestSupport
import Testing

@testable import MediaAsset

/// A fixture, and the bytes of the samples of its first tracks.
private struct SampleBytes: Sendable, CustomTestStringConvertible {
    let name: String
    let bytes: [Int64]
    var testDescription: String { name }
}

@Suite struct `Facts of assets and tracks` {
    // Sums of `ffprobe -show_entries packet=stream_index,size`, for the first two streams.
    @Test(arguments: [
        SampleBytes(name: "movie.mp4", bytes: [56237, 59562]), SampleBytes(name: "movie.mov", bytes: [56237, 59562]),
        SampleBytes(name: "fragmented.mp4", bytes: [22855, 23789]),
        SampleBytes(name: "vp9.webm", bytes: [21607, 33573]),
        SampleBytes(name: "audio-only.mp3", bytes: [18144]),
    ])
    fileprivate func `Tracks count the bytes of their samples`(_ known: SampleBytes) async throws {
        let tracks = try await Fixture(known.name).asset.load(.tracks).prefix(known.bytes.count)
        for (track, bytes) in zip(tracks, known.bytes) {
            #expect(try await track.load(.totalSampleDataLength) == bytes)
            #expect(track.totalSampleDataLength == bytes)
        }
    }

    @Test func `Assets report whether they are fragmented`() {
        let fragmented = Fixture("fragmented.mp4").asset
        #expect(fragmented.canContainFragments && fragmented.containsFragments)
        let whole = Fixture("movie.mp4").asset
        #expect(!whole.canContainFragments && !whole.containsFragments && !whole.overallDurationHint.isValid)
        #expect(!Fixture("vp9.webm").asset.containsFragments)
    }

    // The header of `mvex` grows by an `mehd` of version 0 that says 7 of the movie's seconds.
    @Test func `Assets have the duration hint that a movie header announces`() async throws {
        let folder = try TemporaryFolder()
        var bytes = [UInt8](try Data(contentsOf: Fixture("fragmented.mp4").url))
        let timescale = try #require(bytes.firstRange(of: Array("mvhd".utf8))).upperBound + 12
        let ticks = bytes[timescale..<timescale + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } * 7
        let announced: [UInt8] =
            [0, 0, 0, 16] + Array("mehd".utf8) + [0, 0, 0, 0]
            + (0..<4).map { UInt8(truncatingIfNeeded: ticks >> (24 - 8 * $0)) }
        for box in ["moov", "mvex"] {
            let start = try #require(bytes.firstRange(of: Array(box.utf8))).lowerBound - 4
            let size = bytes[start..<start + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } + 16
            for index in 0..<4 { bytes[start + index] = UInt8(truncatingIfNeeded: size >> (24 - 8 * index)) }
        }
        let end = try #require(bytes.firstRange(of: Array("mvex".utf8))).upperBound
        bytes.insert(contentsOf: announced, at: end)
        let url = folder.url.appendingPathComponent("announced.mp4")
        try Data(bytes).write(to: url)
        #expect(try await AVURLAsset(url: url).load(.overallDurationHint).seconds == 7)
    }

    @Test func `Tracks of known codecs are decodable and playable`() async throws {
        for name in ["movie.mp4", "vp9.webm", "audio-only.flac", "theora.ogv"] {
            for track in try await Fixture(name).asset.load(.tracks) where [.video, .audio].contains(track.mediaType) {
                #expect(try await track.load(.isDecodable) && track.isPlayable, "\(name) \(track.trackID)")
            }
        }
        let kinds = Fixture("languages.mp4").asset.tracks.map { ($0.mediaType, $0.isDecodable) }
        #expect(kinds.allSatisfy { $0.1 })
    }

    @Test func `Tracks list the tracks that refer to each other`() async throws {
        let asset = Fixture("movie.mov").asset
        let video = try #require(asset.track(withTrackID: 1))
        // `ffprobe` gives the text of the chapters as stream 2, whose number is 3.
        #expect(video.availableTrackAssociationTypes == [.chapterList])
        #expect(video.associatedTracks(ofType: .chapterList).map(\.trackID) == [3])
        #expect(try await video.loadAssociatedTracks(ofType: .timecode).isEmpty)
        #expect(Fixture("vp9.webm").asset.tracks.flatMap(\.availableTrackAssociationTypes).isEmpty)
    }

    // FFmpeg's muxer puts sound in one group of alternatives and subtitles in another, which has one member only.
    @Test func `Track groups list alternatives`() async throws {
        let groups = try await Fixture("languages.mp4").asset.load(.trackGroups)
        #expect(groups.map(\.trackIDs) == [[2, 3, 4]])
        #expect(Fixture("languages.mkv").asset.trackGroups.isEmpty)
    }

    // The first edit begins at 1.7 s of the media, that of the other file after an empty second.
    @Test func `Tracks map their times to the media`() async throws {
        let trimmed = Fixture("edit-list-trim.mp4").asset
        let video = try #require(trimmed.tracks(withMediaType: .video).first)
        let source = try #require(video.segments.first?.timeMapping.source.start)
        #expect(video.samplePresentationTime(forTrackTime: .zero) == source)
        let second = CMTime(value: 1, timescale: 1)
        #expect(try await video.loadSamplePresentationTime(forTrackTime: second) == source + second)
        #expect(!video.samplePresentationTime(forTrackTime: CMTime(value: 99, timescale: 1)).isValid)
        #expect(!video.samplePresentationTime(forTrackTime: CMTime(value: -1, timescale: 1)).isValid)

        let late = Fixture("edit-list-empty.mp4").asset
        let delayed = try #require(late.tracks(withMediaType: .video).first)
        #expect(!delayed.samplePresentationTime(forTrackTime: CMTime(value: 1, timescale: 2)).isValid)
        #expect(delayed.segment(forTrackTime: CMTime(value: 1, timescale: 2))?.isEmpty == true)
        #expect(delayed.samplePresentationTime(forTrackTime: second).isValid)
    }

    @Test func `Facts of assets and tracks have synchronous forms`() {
        let asset = Fixture("languages.mp4").asset
        #expect(asset.track(withTrackID: 5)?.mediaType == .subtitle && asset.track(withTrackID: 9) == nil)
        #expect(asset.unusedTrackID() == 6 && asset.naturalSize == CGSize(width: 320, height: 240))
        #expect(asset.referenceRestrictions.contains(.forbidLocalReferenceToLocal))
        #expect(Fixture("audio-only.flac").asset.naturalSize == .zero)
        #expect(Fixture("missing.mp4").asset.unusedTrackID() == 1)
    }

    @Test(.timeLimit(.minutes(5))) func `Facts of assets and tracks come to completion handlers`() async throws {
        let asset = Fixture("languages.mp4").asset
        let (track, none) = await withCheckedContinuation { continuation in
            asset.loadTrack(withTrackID: 4) { continuation.resume(returning: ($0, $1)) }
        }
        #expect(track?.languageCode == "fra" && none == nil)
        let (absent, alsoNone) = await withCheckedContinuation { continuation in
            asset.loadTrack(withTrackID: 44) { continuation.resume(returning: ($0, $1)) }
        }
        #expect(absent == nil && alsoNone == nil)
        let free = await withCheckedContinuation { continuation in
            asset.findUnusedTrackID { number, _ in continuation.resume(returning: number) }
        }
        #expect(free == 6)
        let segment = await withCheckedContinuation { continuation in
            track?.loadSegment(forTrackTime: .zero) { segment, _ in continuation.resume(returning: segment) }
        }
        #expect(segment == track?.segments.first)
        let time = await withCheckedContinuation { continuation in
            track?.loadSamplePresentationTime(forTrackTime: .negativeInfinity) { time, _ in
                continuation.resume(returning: time)
            }
        }
        #expect(!time.isValid)
        let (tracks, error) = await withCheckedContinuation { continuation in
            Fixture("missing.mp4").asset.loadTracks(withMediaType: .video) { continuation.resume(returning: ($0, $1)) }
        }
        let missing = (error as? AVError)?.underlying as? CocoaError
        #expect(tracks == nil && missing?.code == .fileReadNoSuchFile)
    }
}
