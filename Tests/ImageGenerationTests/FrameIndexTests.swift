import Foundation
import ImageGeneration
import MediaAsset
import MediaCore
import MediaEngine
import MediaTestSupport
import Testing

@Suite struct `Index of frames` {
    /// Sample cursors read the same packets in another way.
    @Test(arguments: ["movie.mp4", "cues.mkv", "h264.ts", "edit-list-trim.mp4", "vp9.webm", "audio-only.mp3"])
    func `The index of frames has each sample of each track`(_ name: String) async throws {
        let asset = Fixture(name).asset
        let index = try await asset.makeFrameIndex()
        let tracks = try await asset.load(.tracks).filter { [.video, .audio].contains($0.mediaType) }
        #expect(index.tracks.map(\.trackID) == tracks.map(\.trackID).sorted())
        for track in tracks {
            let frames = try #require(index.tracks.first { $0.trackID == track.trackID }).frames
            let cursor = try #require(track.makeSampleCursorAtFirstSampleInDecodeOrder())
            for (number, frame) in frames.enumerated() {
                #expect(cursor.currentSampleStorageRange.length == frame.byteCount, "\(number)")
                #expect(cursor.currentSampleStorageRange.offset == frame.position ?? -1, "\(number)")
                #expect(cursor.currentSampleSyncInfo.sampleIsFullSync.boolValue == frame.isKey, "\(number)")
                #expect(cursor.stepInDecodeOrder(byCount: 1) == (number + 1 < frames.count ? 1 : 0))
            }
        }
    }

    @Test func `The index of frames holds which frames are shown and where decoding can begin`() async throws {
        let trimmed = try await Fixture("edit-list-trim.mp4").asset.makeFrameIndex(trackIDs: [1])
        let track = try #require(trimmed.tracks.first)
        #expect(trimmed.tracks.count == 1 && track.shown.count < track.frames.count)
        let refresh = try await Fixture("h264-intra-refresh.mp4").asset.makeFrameIndex()
        let entries = try #require(refresh.tracks.first).frames.map(\.entry)
        #expect(entries.first == .clean && entries.dropFirst().contains(.gradual))
        #expect(entries.contains(nil))
    }

    @Test func `The index of frames of a missing track or file is refused`() async throws {
        await #expect(throws: AVError.self) { try await Fixture("movie.mp4").asset.makeFrameIndex(trackIDs: [77]) }
        await #expect(throws: AVError.self) { try await Fixture("text.mp4").asset.makeFrameIndex(trackIDs: [0]) }
        await #expect(throws: AVError.self) {
            try await AVURLAsset(url: URL(fileURLWithPath: "/nothing.mp4")).makeFrameIndex()
        }
    }

    @Test func `Indexing stops when its task is cancelled`() async throws {
        let asset = Fixture("movie.mp4").asset
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await asset.makeFrameIndex()
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func `Fingerprints tell versions of a file apart`() throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("a")
        var bytes = Data(repeating: 7, count: 3 << 20)
        try bytes.write(to: url)
        let first = try #require(FileFingerprint(of: url))
        #expect(FileFingerprint(of: url) == first && first.byteCount == 3 << 20 && first.digest.count == 64)
        bytes[bytes.count - 1] = 8
        try bytes.write(to: url)
        #expect(FileFingerprint(of: url) != first)
        #expect(FileFingerprint(of: folder.url) == nil)
        #expect(FileFingerprint(of: try #require(URL(string: "http://localhost/a"))) == nil)
    }
}
