import Foundation
import MediaAsset
import MediaCore
import MediaIO
import MediaTestSupport
import SampleBuffers
import Synchronization
import Testing

@Suite struct `Loading properties` {
    @Test func `Properties of an asset are loaded with the values of its file`() async throws {
        let asset = Fixture("movie.mov").asset
        let (duration, precise, rate, volume) = try await asset.load(
            .duration, .providesPreciseDurationAndTiming, .preferredRate, .preferredVolume)
        #expect(duration == CMTime(value: 10, timescale: 1))
        #expect(precise)
        #expect(rate == 1)
        #expect(volume == 1)
        let (transform, tracks, offset) = try await asset.load(.preferredTransform, .tracks, .minimumTimeOffsetFromLive)
        #expect(transform.isIdentity)
        #expect(tracks.map(\.trackID) == [1, 2, 3])
        #expect(tracks.map(\.mediaType) == [.video, .audio, .text])
        #expect(!offset.isValid)
        let (fragments, protected) = try await asset.load(.canContainFragments, .hasProtectedContent)
        #expect(!fragments && !protected)
        let (playable, readable) = try await asset.load(.isPlayable, .isReadable)
        #expect(playable && readable)
        #expect(try await Fixture("fragmented.mp4").asset.load(.canContainFragments))
    }

    @Test func `Properties of tracks are loaded with the values of the file`() async throws {
        let tracks = try await Fixture("movie.mov").asset.load(.tracks)
        let (video, audio) = (tracks[0], tracks[1])
        let (size, rate, frame, reorders) = try await video.load(
            .naturalSize, .nominalFrameRate, .minFrameDuration, .requiresFrameReordering)
        #expect(size == CGSize(width: 320, height: 240))
        #expect(rate == 25)
        #expect(frame == CMTime(value: 1, timescale: 25))
        #expect(reorders)
        let (scale, dataRate, range, transform) = try await video.load(
            .naturalTimeScale, .estimatedDataRate, .timeRange, .preferredTransform)
        #expect(scale == 12800)
        #expect(dataRate == 44989)
        #expect(range == CMTimeRange(start: .zero, duration: CMTime(value: 10, timescale: 1)))
        #expect(transform.isIdentity)
        #expect(try await video.load(.isEnabled))
        #expect(try await !tracks[2].load(.isEnabled))
        #expect(try await video.load(.isSelfContained))
        #expect(try await video.load(.mediaCharacteristics).contains(.visual))
        #expect(try await audio.load(.mediaCharacteristics) == [.audible])
        #expect(try await audio.load(.naturalSize) == .zero)
        #expect(try await audio.load(.preferredVolume) == 1)
        let format = try #require(try await audio.load(.formatDescriptions).first)
        #expect(format.audio?.sampleRate == 48000)
        #expect(format.audio?.channels == 2)
        let picture = try #require(try await video.load(.formatDescriptions).first)
        #expect(picture.mediaSubType.rawValue == 0x6176_6331)  // avc1
        #expect(picture.dimensions == CMVideoDimensions(width: 320, height: 240))
    }

    @Test func `A property is not yet loaded at first, then loaded`() async throws {
        let asset = Fixture("movie.mov").asset
        #expect(asset.status(of: .duration) == .notYetLoaded)
        _ = try await asset.load(.duration)
        #expect(asset.status(of: .duration) == .loaded(CMTime(value: 10, timescale: 1)))
        #expect(asset.status(of: .preferredRate) == .notYetLoaded)
    }

    @Test func `A failure to load is remembered`() async throws {
        let asset = Fixture("text.mp4").asset
        let first = await #expect(throws: AVError.self) { try await asset.load(.duration) }
        #expect(first?.code == .fileFormatNotRecognized)
        guard case .failed(let error) = asset.status(of: .duration) else {
            Issue.record("not failed: \(asset.status(of: .duration))")
            return
        }
        #expect(error.domain == AVFoundationErrorDomain && error.code == -11828)
        #expect(await #expect(throws: AVError.self) { try await asset.load(.duration) } == first)
        #expect(await #expect(throws: AVError.self) { try await asset.load(.tracks) } == first)
    }

    @Test func `Tracks are found by media type, characteristic and number`() async throws {
        let asset = Fixture("languages.mp4").asset
        #expect(try await asset.loadTracks(withMediaType: .audio).count == 3)
        #expect(try await asset.loadTracks(withMediaType: .subtitle).count == 1)
        #expect(try await asset.loadTracks(withMediaType: .timecode).isEmpty)
        #expect(try await asset.loadTracks(withMediaCharacteristic: .legible).count == 1)
        #expect(try await asset.loadTracks(withMediaCharacteristic: .visual).count == 1)
        #expect(try await asset.loadTrack(withTrackID: 3)?.load(.languageCode) == "deu")
        #expect(try await asset.loadTrack(withTrackID: 99) == nil)
        #expect(try await asset.findUnusedTrackID() == 6)
        #expect(
            try await Fixture("alpha-prores.mov").asset.loadTracks(withMediaCharacteristic: .containsAlphaChannel).count
                == 1)
    }

    @Test func `A hundred loads at once agree and let other tasks run`() async throws {
        let asset = Fixture("no-cues.mkv").asset
        let ticks = Mutex(0)
        let plain = Task {
            for _ in 0..<20 {
                ticks.withLock { $0 += 1 }
                try await Task.sleep(for: .milliseconds(1))
            }
        }
        let durations = try await withThrowingTaskGroup(of: CMTime.self) { group in
            for _ in 0..<100 { group.addTask { try await asset.load(.duration) } }
            return try await group.reduce(into: Set<CMTime>()) { $0.insert($1) }
        }
        try await plain.value
        #expect(durations == [CMTime(value: 4021, timescale: 1000)])
        #expect(ticks.withLock { $0 } == 20)
    }
}

@Suite struct `Loading keys` {
    @Test(.timeLimit(.minutes(5)))
    func `The handler of loaded keys is called once, when every key has a status`() async throws {
        let asset = Fixture("movie.mov").asset
        let calls = Mutex(0)
        #expect(asset.statusOfValue(forKey: "duration", error: nil) == .unknown)
        await withCheckedContinuation { continuation in
            asset.loadValuesAsynchronously(forKeys: ["duration", "tracks", "nonsense"]) {
                calls.withLock { $0 += 1 }
                continuation.resume()
            }
        }
        var error: NSError?
        #expect(asset.statusOfValue(forKey: "duration", error: &error) == .loaded)
        #expect(error == nil)
        #expect(asset.statusOfValue(forKey: "tracks", error: nil) == .loaded)
        #expect(asset.statusOfValue(forKey: "nonsense", error: &error) == .failed)
        #expect(error != nil)
        #expect(asset.status(of: .duration) == .loaded(CMTime(value: 10, timescale: 1)))
        #expect(calls.withLock { $0 } == 1)
    }

    @Test func `The handler of loaded keys is called at once if nothing needs loading`() async throws {
        let asset = Fixture("movie.mov").asset
        _ = try await asset.load(.duration)
        let calls = Mutex(0)
        asset.loadValuesAsynchronously(forKeys: ["duration"]) { calls.withLock { $0 += 1 } }
        #expect(calls.withLock { $0 } == 1)
    }

    // Symptom: a second caller's handler ran while the value was still on its way.
    @Test(.timeLimit(.minutes(5))) func `A key that is being loaded is waited for`() async throws {
        let asset = Fixture("movie.mov").asset
        asset.loadValuesAsynchronously(forKeys: ["duration"])
        let status = await withCheckedContinuation { continuation in
            asset.loadValuesAsynchronously(forKeys: ["duration"]) {
                continuation.resume(returning: asset.statusOfValue(forKey: "duration", error: nil))
            }
        }
        #expect(status == .loaded)
    }

    @Test(.timeLimit(.minutes(5))) func `Keys of a missing file fail`() async throws {
        let asset = Fixture("missing.mp4").asset
        await withCheckedContinuation { continuation in
            asset.loadValuesAsynchronously(forKeys: ["duration"]) { continuation.resume() }
        }
        var error: NSError?
        #expect(asset.statusOfValue(forKey: "duration", error: &error) == .failed)
        #expect(error?.domain == AVFoundationErrorDomain && error?.code == AVError.failedToLoadMediaData.rawValue)
        let underlying = error?.userInfo[NSUnderlyingErrorKey] as? NSError
        #expect(underlying?.domain == NSCocoaErrorDomain)
        #expect(underlying?.code == CocoaError.fileReadNoSuchFile.rawValue)
    }
}

@Suite struct `Files that are refused` {
    @Test(arguments: [
        ("empty.mp4", AVError.Code.fileFormatNotRecognized), ("text.mp4", .fileFormatNotRecognized),
        ("truncated-no-moov.mp4", .fileFailedToParse), ("hls-named.mp4", .fileFormatNotRecognized),
        ("concat-named.mp4", .fileFormatNotRecognized),
    ])
    func `Unreadable files fail with the code of the reason`(_ name: String, _ code: AVError.Code) async throws {
        let error = await #expect(throws: AVError.self) { try await Fixture(name).asset.load(.tracks) }
        #expect(error?.code == code)
        #expect(error?.localizedDescription.isEmpty == false)
    }

    @Test(arguments: [("missing.mp4", CocoaError.fileReadNoSuchFile), ("expected", .fileReadUnknown)])
    func `Missing files and folders fail with the system's error`(
        _ name: String, _ code: CocoaError.Code
    ) async throws {
        let error = await #expect(throws: AVError.self) { try await Fixture(name).asset.load(.tracks) }
        #expect(error?.code == .failedToLoadMediaData)
        #expect((error?.underlying as? CocoaError)?.code == code)
    }

    @Test func `Files that exceed a limit fail with that limit`() async throws {
        let error = await #expect(throws: AVError.self) { try await Fixture("huge-header.mkv").asset.load(.tracks) }
        #expect(error?.underlying is MediaLimitError)
    }

    @Test func `Formats can be allowed by name`() async throws {
        let options: [String: Any] = [AVURLAssetAllowedFormatsKey: ["wav", "sdp"]]
        let asset = AVURLAsset(url: Fixture("movie.mov").url, options: options)
        #expect(try await asset.load(.duration).seconds == 10)
        #expect(asset.url == Fixture("movie.mov").url)
    }

    /// A raw stream has no index: how long it lasts is known when all of it is read, which takes seconds for this one.
    @Test func `Cancelling an asset's loading stops the pass over its file`() async throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("long.h264")
        let part = try Data(contentsOf: URL(fileURLWithPath: Fixture("raw.h264").path))
        #expect(FileManager.default.createFile(atPath: url.path, contents: nil))
        let file = try FileHandle(forWritingTo: url)
        for _ in 0..<4000 { try file.write(contentsOf: part) }
        try file.close()
        let asset = AVURLAsset(url: url)
        let loading = Task { try await asset.load(.duration) }
        try await Task.sleep(for: .milliseconds(400))
        asset.cancelLoading()
        let failure = await #expect(throws: AVError.self) { try await loading.value }
        #expect(failure?.code == .operationCancelled)
        var error: NSError?
        #expect(asset.statusOfValue(forKey: "duration", error: &error) != .loaded)
    }

    @Test func `Cancelling right after a call for several keys cancels all that have not come`() async throws {
        let keys = ["duration", "tracks", "metadata"]
        let asset = Fixture("movie.mov").asset
        let ended = AsyncStream.makeStream(of: Void.self)
        asset.loadValuesAsynchronously(forKeys: keys) { ended.continuation.yield() }
        asset.cancelLoading()
        #expect(keys.map { asset.statusOfValue(forKey: $0, error: nil) } == [.cancelled, .cancelled, .cancelled])
        for await _ in ended.stream { break }
        #expect(keys.map { asset.statusOfValue(forKey: $0, error: nil) } == [.cancelled, .cancelled, .cancelled])
        // They can be loaded again, and what is loaded stays.
        asset.loadValuesAsynchronously(forKeys: keys) { ended.continuation.yield() }
        for await _ in ended.stream { break }
        asset.cancelLoading()
        #expect(keys.map { asset.statusOfValue(forKey: $0, error: nil) } == [.loaded, .loaded, .loaded])
    }

    @Test func `A cancelled load is an error and is not remembered`() async throws {
        let asset = Fixture("movie.mov").asset
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await asset.load(.duration)
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(asset.status(of: .duration) == .notYetLoaded)
        #expect(try await asset.load(.duration).seconds == 10)
    }
}
