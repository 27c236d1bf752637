import AssetExport
import Foundation
import ImageGeneration
import MediaAsset
import MediaCore
import MediaEngine
import MediaImage
import MediaTestSupport
import Testing

private func frames(_ start: Int64, _ count: Int64) -> CMTimeRange {
    CMTimeRange(start: CMTime(value: start, timescale: 25), duration: CMTime(value: count, timescale: 25))
}

/// What is told of a finished file by others: pictures by the numbers in their bars, times by ffprobe.
@Suite("Exports of compositions", .timeLimit(.minutes(5)))
struct CompositionExportTests {
    private func export(_ composition: AVComposition, _ preset: String, as ending: String) async throws -> Made {
        let folder = try TemporaryFolder()
        let session = AVAssetExportSession(
            asset: composition, preset: try ExportPresetCatalog.builtIn.preset(preset))
        let url = folder.url.appendingPathComponent("new.\(ending)")
        try await session.export(to: url, as: try #require(AVFileType(filenameExtension: ending)))
        return Made(folder: folder, url: url, result: try #require(session.result))
    }

    private struct Made {
        let folder: TemporaryFolder
        let url: URL
        let result: ExportResult

        /// The number in each shown picture, and when it is shown, by a linear decode.
        func pictures() async throws -> [(number: Int?, time: CMTime)] {
            let asset = AVURLAsset(url: url)
            var pictures: [(Int?, CMTime)] = []
            let generator = AVAssetImageGenerator(asset: asset)
            generator.appliesPreferredTrackTransform = true
            generator.requestedTimeToleranceBefore = .zero
            generator.requestedTimeToleranceAfter = .zero
            let count = try await frameCount()
            var times: [CMTime] = []
            for number in 0..<count { times.append(try await asset.loadTime(ofFrame: number)) }
            for await still in generator.stills(for: times) {
                let still = try still.get()
                pictures.append((still.image.frameNumber, still.actualTime))
            }
            return pictures
        }

        func frameCount() async throws -> Int {
            Int(try await probe("-count_frames", "-select_streams", "v:0", "-show_entries", "stream=nb_read_frames"))
                ?? -1
        }

        func probe(_ options: String...) async throws -> String {
            let run = try await CommandRun.run("ffprobe", ["-v", "error"] + options + ["-of", "csv=p=0", url.path])
            #expect(run.errorOutput.isEmpty)
            return run.output.trimmingCharacters(in: .whitespacesAndNewlines)
        }

        /// Samples of the first track of sound, of both channels.
        func samples() async throws -> [Float] {
            let run = try await CommandRun.run(
                "ffmpeg", ["-v", "error", "-i", url.path, "-map", "0:a:0", "-ac", "2", "-f", "f32le", "-"])
            return run.standardOutput.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        }
    }

    @Test func `Exports of compositions show the segments' frames, each at its time`() async throws {
        let composition = AVMutableComposition()
        var expected: [Int] = []
        for (name, start, count) in [("movie.mp4", 101, 30), ("long-gop.mp4", 7, 12), ("movie.mp4", 3, 20)] {
            try await composition.insertTimeRange(
                frames(Int64(start), Int64(count)), of: Fixture(name).asset, at: .invalid)
            expected += start..<(start + count)
        }
        let made = try await export(composition, "high", as: "mp4")
        let pictures = try await made.pictures()
        #expect(pictures.map(\.number) == expected)
        #expect(pictures.map(\.time) == expected.indices.map { CMTime(value: CMTimeValue($0), timescale: 25) })
        let durations = try await made.probe("-show_entries", "stream=duration").split(separator: "\n")
        #expect(durations.count == 2)
        for duration in durations {
            let seconds = try #require(Double(duration))
            #expect((2.45...2.51).contains(seconds))
        }
        #expect(made.result.actualRange == CMTimeRange(start: .zero, duration: CMTime(value: 62, timescale: 25)))
    }

    /// A picture of the film stays for a second and a half: the keyframe that the next piece is decoded from came on
    /// screen while it stayed.
    @Test func `Exports of compositions keep coded samples and their times, long frames included`() async throws {
        func range(_ start: Int64, _ end: Int64) -> CMTimeRange {
            CMTimeRange(start: CMTime(value: start, timescale: 1000), end: CMTime(value: end, timescale: 1000))
        }
        let (film, shown) = (Fixture("vfr.mp4").asset, try Sidecar.load(Fixture("vfr.mp4")).shownFrames)
        let ranges = [range(4788, 7788), range(4108, 4330), range(8000, 9100)]
        let joined = try await AVMutableComposition(joining: ranges.map { .init(film, in: $0) })
        var expected: [(number: Int?, time: CMTime)] = []
        var end = CMTime.zero
        for range in ranges {
            expected.append((shown.frame(shownAt: range.start).number, end))
            expected += shown.filter { $0.time > range.start && $0.time < range.end }
                .map { ($0.number, end + ($0.time - range.start)) }
            end = end + range.duration
        }
        let pictures = try await export(joined, "passthrough", as: "mp4").pictures()
        #expect(pictures.map(\.number) == expected.map(\.number))
        for (picture, wanted) in zip(pictures, expected) {
            #expect(CMTimeAbsoluteValue(picture.time - wanted.time) < CMTime(value: 1, timescale: 5000))
        }
    }

    /// The header says that the track ends before its last picture, and sound goes on for a moment.
    @Test func `Exports of compositions keep the last frame of a segment whose track ends early`() async throws {
        let film = Fixture("vfr.mp4").asset
        let joined = try await AVMutableComposition(joining: [
            .init(film), .init(Fixture("movie.mp4").asset, in: frames(0, 3)),
        ])
        let made = try await export(joined, "high", as: "mp4")
        let numbers = try await made.pictures().map(\.number)
        #expect(numbers == Array(try Sidecar.load(Fixture("vfr.mp4")).shownFrames.map(\.number)) + [0, 1, 2])
    }

    @Test func `Exports of compositions hold black where there is nothing`() async throws {
        let composition = AVMutableComposition()
        try await composition.insertTimeRange(frames(0, 20), of: Fixture("movie.mp4").asset, at: .zero)
        composition.insertEmptyTimeRange(frames(10, 5))
        let pictures = try await export(composition, "high", as: "mp4").pictures()
        #expect(pictures.map(\.number) == Array(0..<10) + [nil] + Array(10..<20))
        #expect(pictures.dropFirst(11).first?.time == CMTime(value: 15, timescale: 25))
    }

    @Test func `Exports of compositions are as fast as the composition says`() async throws {
        let composition = AVMutableComposition()
        try await composition.insertTimeRange(frames(0, 50), of: Fixture("movie.mp4").asset, at: .zero)
        composition.scaleTimeRange(frames(0, 50), toDuration: CMTime(value: 4, timescale: 1))
        let made = try await export(composition, "high", as: "mp4")
        let pictures = try await made.pictures()
        #expect(pictures.map(\.number) == Array(0..<50))
        #expect(pictures.map(\.time) == (0..<50).map { CMTime(value: $0 * 2, timescale: 25) })
        #expect(abs(Double(try await made.samples().count) / 96000 - 4) < 0.03)
    }

    /// Sound without loss is compared sample by sample with what each piece gives by itself.
    @Test func `Exports of compositions have the segments' audio, sample by sample`() async throws {
        let film = Fixture("movie.mov").asset
        let ranges = [frames(30, 11), frames(3, 17), frames(100, 5)]
        let composition = AVMutableComposition()
        var expected: [Float] = []
        for range in ranges {
            try await composition.insertTimeRange(range, of: film, at: .invalid)
            let single = AVMutableComposition()
            try await single.insertTimeRange(range, of: film, at: .zero)
            let session = AVAssetExportSession(asset: film, preset: try ExportPresetCatalog.builtIn.preset("wav"))
            session.timeRange = range
            let folder = try TemporaryFolder()
            let url = folder.url.appendingPathComponent("piece.wav")
            try await session.export(to: url, as: .wav)
            expected += try await Made(folder: folder, url: url, result: try #require(session.result)).samples()
        }
        let samples = try await export(composition, "wav", as: "wav").samples()
        #expect(samples.count == 33 * 96000 / 25)
        #expect(samples == expected)
    }

    @Test func `Exports of compositions mix the audio of all tracks`() async throws {
        let film = Fixture("movie.mov").asset
        let source = film.tracks(withMediaType: .audio)[0]
        let composition = AVMutableComposition()
        for _ in 0..<2 {
            let track = try #require(composition.addMutableTrack(withMediaType: .audio, preferredTrackID: 0))
            try track.insertTimeRange(frames(10, 25), of: source, at: .zero)
        }
        let twice = try await export(composition, "wav", as: "wav").samples()
        composition.removeTrack(composition.tracks[1])
        let once = try await export(composition, "wav", as: "wav").samples()
        #expect(once.count == 96000 && twice.count == 96000)
        // Each is rounded to 16 bits, with noise against steps.
        let differences = zip(once, twice).map { abs(Swift.min(1, Swift.max(-1, 2 * $0)) - $1) }
        #expect(differences.max() ?? 1 < 5.0 / 32768)
    }

    @Test func `Exports of compositions fit frames of other shapes in, upright`() async throws {
        let joined = try await AVMutableComposition(joining: [
            .init(Fixture("movie.mp4").asset, in: frames(5, 10)),
            .init(Fixture("rotate-90.mp4").asset, in: frames(0, 8)),
            .init(Fixture("anamorphic.mp4").asset, in: frames(0, 8)),
        ])
        let made = try await export(joined, "high", as: "mp4")
        let generator = AVAssetImageGenerator(asset: AVURLAsset(url: made.url))
        generator.requestedTimeToleranceBefore = .zero
        generator.requestedTimeToleranceAfter = .zero
        let time = CMTime(value: 14, timescale: 25)
        let turned = try await generator.image(at: time).image
        #expect(turned.size == [320, 240])
        #expect(turned.color(x: 20, y: 120).max() ?? 255 < 20)
        let stills = AVAssetImageGenerator(asset: joined)
        stills.appliesPreferredTrackTransform = true
        let still = try await stills.image(at: time).image
        let difference = zip(turned.pixels, still.pixels).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
        #expect(difference / still.pixels.count < 6)
    }

    @Test func `Exports of compositions fail before anything is made where a file has changed`() async throws {
        let folder = try TemporaryFolder()
        let copy = folder.url.appendingPathComponent("copy.mp4")
        try FileManager.default.copyItem(at: URL(fileURLWithPath: Fixture("movie.mp4").path), to: copy)
        let composition = AVMutableComposition()
        try await composition.insertTimeRange(frames(0, 20), of: AVURLAsset(url: copy), at: .zero)
        // What takes its name is another file; this one itself is changed.
        let handle = try FileHandle(forUpdating: copy)
        try handle.write(contentsOf: Data(contentsOf: Fixture("long-gop.mp4").url))
        let session = AVAssetExportSession(asset: composition, preset: try ExportPresetCatalog.builtIn.preset("high"))
        let result = folder.url.appendingPathComponent("new.mp4")
        await #expect(throws: (any Error).self) { try await session.export(to: result, as: .mp4) }
        #expect(!FileManager.default.fileExists(atPath: result.path))
    }

    @Test func `Exports of compositions refuse presets that copy tracks or share a palette`() async throws {
        let composition = AVMutableComposition()
        try await composition.insertTimeRange(frames(0, 20), of: Fixture("movie.mp4").asset, at: .zero)
        for (preset, type) in [("copy-video-aac", AVFileType.mp4), ("gif", .gif)] {
            let session = AVAssetExportSession(
                asset: composition, preset: try ExportPresetCatalog.builtIn.preset(preset))
            await #expect(throws: AVError.self) { _ = try await session.plan(for: type) }
        }
    }
}
