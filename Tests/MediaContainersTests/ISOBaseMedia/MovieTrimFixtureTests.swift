import Foundation
import MediaCore
import MediaIO
import TestSupport
import Testing

@testable import MediaContainers

@Suite("Cuts of real movies")
struct MovieTrimFixtureTests {
    static let fixtures = [
        "movie.mp4", "movie.mov", "long-gop.mp4", "h264-open-gop.mp4", "hevc-open-gop.mp4", "h264-intra-refresh.mp4",
        "vfr.mp4", "edit-list-trim.mp4", "edit-list-empty.mp4", "audio-longer.mp4", "languages.mp4", "rotate-90.mp4",
        "interlaced-tff.mp4", "alpha-prores.mov", "attached-picture.m4a", "audio-only.m4a",
    ].map { Fixture($0) }

    /// A range of a movie, at a frame's boundary or not.
    private func randomRange(upTo end: CMTime, _ random: inout SeededGenerator) -> CMTimeRange {
        let timescale = [25, 600, 1000, 30000, 48000].randomElement(using: &random) ?? 25
        let ticks = Int64(end.seconds * Double(timescale))
        let first = Int64.random(in: 0..<max(1, ticks), using: &random)
        let last = Int64.random(in: first...ticks, using: &random) + Int64(timescale / 5)
        return CMTimeRange(
            start: CMTime(value: first, timescale: Int32(timescale)),
            end: CMTime(value: last, timescale: Int32(timescale)))
    }

    @Test(arguments: fixtures)
    func `Cuts of fixtures show exactly the requested segment of each track`(_ fixture: Fixture) throws {
        let source = [UInt8](try Data(contentsOf: fixture.url))
        let reading = MovieReading(source)
        let end = try MovieTrim(file: RandomAccessFile(bytes: source)).presentedRange.end
        var random = SeededGenerator(seed: 7)
        for _ in 0..<14 {
            let range = randomRange(upTo: end, &random)
            let trimmed = try Trimmed(source, from: range.start, to: range.end)
            let actual = CMTimeRange(
                start: trimmed.plan.actualRange.start + trimmed.plan.pictureShift,
                duration: trimmed.plan.actualRange.duration)
            #expect(trimmed.plan.actualRange.start == range.start)
            #expect(
                CMTime(value: Int64(trimmed.movie.duration), timescale: Int32(trimmed.movie.timescale))
                    <= actual.duration)
            for track in trimmed.movie.tracks {
                guard let old = reading.tracks.first(where: { $0.id == track.id }) else { continue }
                let expected = reading.shown(old).cut(to: actual)
                let shown = trimmed.movie.shown(track)
                expect(shown, equals: expected, of: track, in: range)
            }
        }
    }

    @Test(arguments: fixtures)
    func `Cuts of fixtures last as long as the requested range`(_ fixture: Fixture) throws {
        let source = [UInt8](try Data(contentsOf: fixture.url))
        let end = try MovieTrim(file: RandomAccessFile(bytes: source)).presentedRange.end
        var random = SeededGenerator(seed: 23)
        for _ in 0..<10 {
            let asked = randomRange(upTo: end, &random)
            let trimmed = try Trimmed(source, from: asked.start, to: asked.end)
            let wanted = min(asked.end, end) - asked.start
            let shown = try MovieTrim(file: RandomAccessFile(bytes: trimmed.file)).presentedRange
            let difference = shown.end - wanted
            // One tick of the movie's own clock: far less than a frame.
            let tick = CMTime(value: 1, timescale: Int32(trimmed.movie.timescale))
            #expect(max(difference, .zero - difference) <= tick, "\(asked)")
            #expect(trimmed.plan.requestedRange.start == trimmed.plan.actualRange.start)
            #expect(trimmed.plan.losses.isEmpty || fixture.name == "audio-longer.mp4")
        }
    }

    /// The same samples, at the same times within a tick of the track's timescale.
    private func expect(
        _ shown: [MovieReading.Shown], equals expected: [MovieReading.Shown], of track: MovieReading.Track,
        in range: CMTimeRange
    ) {
        let tick = CMTime(value: 1, timescale: Int32(track.timescale))
        // A sample that the range has less than a tick of may be there or not.
        let whole = { (list: [MovieReading.Shown]) in list.filter { $0.end - $0.start > tick } }
        let (new, old) = (whole(shown), whole(expected))
        #expect(new.map(\.bytes) == old.map(\.bytes), "track \(track.id), \(range)")
        for (new, old) in zip(new, old) {
            let difference = new.start - old.start
            #expect(max(difference, .zero - difference) <= tick, "track \(track.id), \(range)")
        }
    }

    // MARK: As FFmpeg reads it

    /// A picture that a decoder gave out: when, and its hash.
    private struct Picture: Equatable {
        var time: CMTime
        var hash: String
    }

    /// Decodes the first video track.
    private func pictures(of path: String) async throws -> (pictures: [Picture], errors: String) {
        func decode(_ timeBase: String) async throws -> CommandRun {
            try await CommandRun.run(
                "ffmpeg",
                [
                    "-nostdin", "-v", "error", "-i", path, "-map", "0:v:0", "-fps_mode", "passthrough",
                    "-enc_time_base", timeBase, "-copyts", "-f", "framemd5", "-",
                ])
        }
        var run = try await decode("-1")
        // The ticks of the file have another name from FFmpeg 8 on.
        if run.exitCode != 0, run.output.isEmpty { run = try await decode("demux") }
        var timeBase = (numerator: Int64(1), denominator: Int32(1))
        var result: [Picture] = []
        for line in run.output.split(separator: "\n") {
            if line.hasPrefix("#tb 0:") {
                let parts = line.dropFirst(6).split(separator: "/").map { $0.trimmingCharacters(in: .whitespaces) }
                timeBase = (Int64(parts[0]) ?? 1, Int32(parts[1]) ?? 1)
            }
            let fields = line.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
            guard fields.count == 6, let time = Int64(fields[2]) else { continue }
            result.append(
                Picture(
                    time: CMTime(value: time * timeBase.numerator, timescale: timeBase.denominator), hash: fields[5]))
        }
        return (result, run.errorOutput)
    }

    @Test(
        arguments: fixtures.filter { !$0.name.hasSuffix("m4a") && $0.name != "audio-longer.mp4" })
    func `Cuts of fixtures decode to the source's frames`(_ fixture: Fixture) async throws {
        let source = try await pictures(of: fixture.path).pictures
        let folder = try TemporaryFolder()
        let file = try #require(RandomAccessFile(path: fixture.path))
        let trim = try MovieTrim(file: file)
        let end = try #require(source.last).time
        var random = SeededGenerator(seed: 11)
        for number in 0..<3 {
            let range = randomRange(upTo: end, &random)
            let plan = try trim.plan(range: range)
            let path = folder.path("\(number)-\(fixture.name)")
            try plan.rewrite().write(to: path, from: file, replaces: true)
            let (shown, errors) = try await pictures(of: path)
            #expect(errors.isEmpty, "\(range)")
            let actual = plan.actualRange
            let first = source.lastIndex { $0.time <= actual.start } ?? 0
            let sliver = CMTime(value: 1, timescale: 20000)
            let expected = source[first...].filter { $0.time < actual.end - sliver }
            #expect(shown.map(\.hash) == expected.map(\.hash), "\(range)")
            for (new, old) in zip(shown, expected) {
                let difference = new.time - max(.zero, old.time - actual.start)
                #expect(max(difference, .zero - difference) < CMTime(value: 1, timescale: 10000), "\(range)")
            }
        }
    }

    /// Decodes a sound track to 16-bit samples.
    private func samples(of path: String, track: Int) async throws -> [Int16] {
        let run = try await CommandRun.run(
            "ffmpeg", ["-nostdin", "-v", "error", "-i", path, "-map", "0:a:\(track)", "-ac", "1", "-f", "s16le", "-"])
        #expect(run.errorOutput.isEmpty)
        return run.standardOutput.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
    }

    @Test(arguments: [
        Fixture("movie.mp4"), Fixture("languages.mp4"), Fixture("audio-only.m4a"), Fixture("edit-list-trim.mp4"),
    ])
    func `Audio of fixtures is cut to the sample`(_ fixture: Fixture) async throws {
        let source = try await samples(of: fixture.path, track: 0)
        let folder = try TemporaryFolder()
        let file = try #require(RandomAccessFile(path: fixture.path))
        let trim = try MovieTrim(file: file)
        for (number, start) in [0.7, 1.23456].enumerated() {
            let range = CMTimeRange(
                start: CMTime(value: Int64(start * 48000), timescale: 48000), duration: milliseconds(1000))
            let plan = try trim.plan(range: range)
            let path = folder.path("\(number)-\(fixture.name)")
            try plan.rewrite().write(to: path, from: file, replaces: true)
            let cut = try await samples(of: path, track: 0)
            #expect(cut.count >= 48000)
            // The encoder's noise is random in each decoder, and small.
            let from = Int(((range.start + plan.pictureShift).seconds * 48000).rounded())
            let distances = (-1...1).map { (shift: Int) -> Int in
                zip(source[(from + shift)...].prefix(48000), cut).reduce(0) { max($0, abs(Int($1.0) - Int($1.1))) }
            }
            #expect(distances.contains { $0 < 200 }, "\(distances)")
        }
    }
}
