import ImageGeneration
import MediaAsset
import MediaCore
import MediaEngine
import MediaTestSupport
import Testing

@Suite(.serialized) struct `The frame shown at a time` {
    @Test func `Fixtures with numbered frames are all there`() {
        #expect(Fixture.numbered.count == 61)
    }

    @Test(arguments: Tier.some(Fixture.numbered, 20))
    func `A batch gives the last frame at or before each time`(_ fixture: Fixture) async throws {
        let sidecar = try Sidecar.load(fixture)
        let frames = sidecar.shownFrames
        let asset = fixture.asset
        let duration = try await asset.shownDuration(frames)
        var times = frames.boundaries(through: duration)
        times += [Sidecar.ShownFrame].randomTimes(60, through: duration, seed: 7)
        times += [duration] + times.prefix(9)
        var random = SeededGenerator(seed: 11)
        times.shuffle(using: &random)

        var numbers = NumberReader()
        var wrong: [String] = []
        var position = 0
        let order = times.indices.sorted { (times[$0], $0) < (times[$1], $1) }
        for await result in fixture.generator(of: asset).stills(for: times) {
            let still = try result.get()
            let expected = frames.frame(shownAt: still.requestedTime)
            if still.index != order[position] || still.requestedTime != times[still.index] {
                wrong.append("result \(position) has the index \(still.index)")
            }
            let number = numbers.number(of: still.image)
            if number != expected.number || still.actualTime != expected.time || still.damage != nil || !still.isExact {
                wrong.append(
                    "\(still.requestedTime): frame \(number ?? -1) at \(still.actualTime), "
                        + "not \(expected.number ?? -1) at \(expected.time) \(still.damage ?? "")")
            }
            position += 1
        }
        #expect(position == times.count)
        #expect(wrong.isEmpty, "\(wrong.count) of \(times.count): \(wrong.prefix(5))")
    }

    @Test(arguments: Fixture.numbered)
    func `Single requests give the same frames as a batch`(_ fixture: Fixture) async throws {
        let frames = try Sidecar.load(fixture).shownFrames
        let asset = fixture.asset
        let duration = try await asset.shownDuration(frames)
        let generator = fixture.generator(of: asset)
        for time in [Sidecar.ShownFrame].randomTimes(4, through: duration, seed: 23) {
            let expected = frames.frame(shownAt: time)
            let (image, actual) = try await generator.image(at: time)
            #expect(image.frameNumber == expected.number, "at \(time)")
            #expect(actual == expected.time, "at \(time)")
        }
    }

    @Test(arguments: Fixture.numbered)
    func `Every frame can be asked for by its own time`(_ fixture: Fixture) async throws {
        let last = try #require(Sidecar.load(fixture).shownFrames.last)
        let duration = try await fixture.asset.load(.duration)
        // A stream without times has an indefinite duration, which is later than all.
        #expect(last.time <= duration, "the last frame begins after the end")
    }

    @Test(arguments: [Fixture("movie.mp4"), Fixture("vfr.mp4"), Fixture("h264.ts"), Fixture("cues.mkv")])
    func `A frame is shown until the next one`(_ fixture: Fixture) async throws {
        let frames = try Sidecar.load(fixture).shownFrames
        let duration = try await fixture.asset.load(.duration)
        let times = frames.map(\.time).filter { $0 <= duration }
        let stills = try await fixture.generator.allStills(for: times)
        for (index, still) in stills.enumerated() where index + 1 < frames.count {
            #expect(still.duration == frames[index + 1].time - frames[index].time, "frame \(index)")
        }
    }

    @Test(arguments: [Fixture("movie.mov"), Fixture("mpeg2.ps"), Fixture("vp9.webm"), Fixture("mjpeg.avi")])
    func `Stills report whether they are sync samples`(_ fixture: Fixture) async throws {
        let sidecar = try Sidecar.load(fixture)
        let keys = try #require(sidecar.frames).map(\.key)
        let stills = try await fixture.generator.allStills(for: sidecar.shownFrames.map(\.time))
        #expect(stills.map(\.isSyncSample) == keys)
    }

    @Test func `Actual times are in the track's timescale`() async throws {
        let (_, actual) = try await Fixture("movie.mp4").generator.image(at: seconds(1001, 1000))
        #expect(actual.timescale == 12800)
        #expect(actual.value == 12800)
    }
}

@Suite(.serialized) struct `Times outside the frames` {
    @Test func `A time before a track that starts late gives the first frame`() async throws {
        let (image, actual) = try await Fixture("edit-list-empty.mp4").generator.image(at: .zero)
        #expect(image.frameNumber == 0)
        #expect(actual == seconds(1))
    }

    @Test func `A time after the last frame gives that frame`() async throws {
        let generator = Fixture("audio-longer.mp4").generator
        for time in [seconds(2), seconds(3), seconds(4)] {
            let (image, actual) = try await generator.image(at: time)
            #expect(image.frameNumber == 49)
            #expect(actual == seconds(49, 25))
        }
    }

    @Test(arguments: ["movie.mp4", "movie.mov", "h264.ts", "no-cues.mkv", "mpeg2.ps", "one-frame.mp4"])
    func `The time of the duration itself gives the last frame`(_ name: String) async throws {
        let fixture = Fixture(name)
        let asset = fixture.asset
        let last = try #require(Sidecar.load(fixture).shownFrames.last)
        let (image, actual) = try await exactGenerator(of: asset).image(at: try await asset.load(.duration))
        #expect(image.frameNumber == last.number)
        #expect(actual == last.time)
    }

    @Test(arguments: ["movie.mp4", "h264.ts", "no-cues.mkv", "one-frame.mp4"])
    func `A tolerance that reaches back to the end gives the last frame after it`(_ name: String) async throws {
        let fixture = Fixture(name)
        let last = try #require(Sidecar.load(fixture).shownFrames.last)
        let end = try await fixture.asset.load(.duration)
        let generator = AVAssetImageGenerator(asset: fixture.asset)
        for time in [end + seconds(1, 1000), end + seconds(5), seconds(1 << 40)] {
            let (image, actual) = try await generator.image(at: time)
            #expect(image.frameNumber == last.number)
            #expect(actual == last.time)
        }
        generator.requestedTimeToleranceBefore = seconds(2)
        #expect(try await generator.image(at: end + seconds(2)).actualTime == last.time)
        let error = await generator.failure(at: end + seconds(3)) as? AVError
        #expect(error?.code == .noImageAtTime)
    }

    @Test func `A time beyond the duration is an error that states the duration`() async throws {
        let error = try #require(await Fixture("movie.mp4").generator.failure(at: seconds(100_001, 10_000)) as? AVError)
        #expect(error.code == .noImageAtTime)
        #expect(error.reason.contains("10 s"))
        #expect(error.reason.contains("beyond the end"))
    }

    @Test(arguments: [
        seconds(-1, 1000), .invalid, .indefinite, .positiveInfinity, .negativeInfinity,
        CMTime(value: .max, timescale: 1),
        CMTime(value: .min, timescale: 1), CMTime(value: .max, timescale: .max),
    ])
    func `Times that are not numeric are errors`(_ time: CMTime) async throws {
        let error = await Fixture("movie.mp4").generator.failure(at: time) as? AVError
        #expect(error?.code == .noImageAtTime)
    }

    @Test func `An invalid time among valid ones spoils only its own result`() async throws {
        let times = [seconds(1), .invalid, seconds(11), seconds(-1), seconds(2)]
        let results = await Fixture("movie.mp4").generator.results(for: times)
        #expect(results.count == 5)
        var numbers: [Int: Int] = [:]
        var failed: Set<Int> = []
        for result in results {
            switch result {
            case .success(let still): numbers[still.index] = still.image.frameNumber
            case .failure(let failure):
                failed.insert(failure.index)
                #expect((failure.error as? AVError)?.code == .noImageAtTime)
            }
        }
        #expect(numbers == [0: 25, 4: 50])
        #expect(failed == [1, 2, 3])
    }

    @Test func `An empty list of times gives no results`() async {
        #expect(await Fixture("movie.mp4").generator.results(for: []).isEmpty)
    }

    @Test(arguments: [
        "audio-only.m4a", "audio-only.mp3", "audio-only.flac", "attached-picture.m4a", "attached-picture.mp3",
    ])
    func `Audio files have no stills`(_ name: String) async {
        let error = await Fixture(name).generator.failure(at: .zero) as? AVError
        #expect(error?.code == .noSourceTrack)
    }

    @Test func `A track without samples has no stills`() async {
        #expect(await Fixture("zero-frames.mp4").generator.failure(at: .zero) != nil)
    }

    @Test(arguments: ["empty.mp4", "text.mp4", "truncated-no-moov.mp4", "no-such-file.mp4", "hls-named.mp4"])
    func `A file that cannot be opened fails every request`(_ name: String) async {
        let results = await Fixture(name).generator.results(for: [seconds(1), .zero])
        let indices = results.map { result in
            if case .failure(let failure) = result { failure.index } else { -1 }
        }
        #expect(indices == [1, 0])
    }
}
