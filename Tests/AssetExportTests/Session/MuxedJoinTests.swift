import AssetExport
import Foundation
import MediaAsset
import MediaCore
import MediaEngine
import MediaIO
import MediaImage
import MediaTestSupport
import SampleBuffers
import Testing

private func t(_ value: Int64, _ timescale: Int32) -> CMTime { CMTime(value: value, timescale: timescale) }

/// Joins that go through a muxer, read by ffmpeg.
@Suite("Joins of coded samples in files without edit lists", .timeLimit(.minutes(5)))
struct MuxedJoinTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A fixture in another container, its coded samples kept by ffmpeg.
    private func film(_ name: String, as ending: String) async throws -> AVURLAsset {
        let path = folder.path("\(UUID().uuidString).\(ending)")
        let run = try await CommandRun.run(
            "ffmpeg",
            ["-v", "error", "-i", Fixture(name).path, "-map", "0:v?", "-map", "0:a?", "-c", "copy", path])
        #expect(run.exitCode == 0, "\(run.errorOutput)")
        return AVURLAsset(url: URL(fileURLWithPath: path))
    }

    private func join(_ pieces: [AVMutableComposition.Piece], as type: AVFileType) async throws -> StudioFilm {
        let composition = try await AVMutableComposition(joining: pieces)
        let session = AVAssetExportSession(
            asset: composition, preset: try ExportPresetCatalog.builtIn.preset("passthrough"))
        let url = folder.url.appendingPathComponent("\(UUID().uuidString).\(type.filenameExtensions[0])")
        try await session.export(to: url, as: type)
        return StudioFilm(url: url, result: try #require(session.result))
    }

    /// The number in the bars of each picture, and when it is shown, by ffmpeg.
    private func pictures(of film: StudioFilm) async throws -> [(number: Int?, time: Double)] {
        let times = try await film.probe([
            "-select_streams", "v:0", "-show_entries", "frame=best_effort_timestamp_time",
        ])
        .split(separator: "\n").compactMap { Double($0.split(separator: ",")[0]) }
        let images = try await film.pictures().map { pixels in
            CGImage(width: 320, height: 240, hasAlpha: false, pixels: pixels)?.frameNumber
        }
        #expect(images.count == times.count)
        return Array(zip(images, times))
    }

    /// Each piece begins with the keyframe before it, says so, and is whole from there on; chapters follow.
    @Test func `Joins in files without edit lists begin segments with keyframes, and say so`() async throws {
        let path = folder.path("chapters.mkv")
        let run = try await CommandRun.run(
            "ffmpeg",
            ["-v", "error", "-i", Fixture("movie.mp4").path, "-map", "0:v", "-map", "0:a", "-c", "copy", path])
        #expect(run.exitCode == 0)
        let film = AVURLAsset(url: URL(fileURLWithPath: path))
        let pieces = [(45, 20), (130, 40), (105, 10)]
        // Frames' times begin 21 ms after the sound's in this file.
        let made = try await join(
            pieces.map { start, count in
                .init(
                    film, in: CMTimeRange(start: t(Int64(start * 40 + 30), 1000), duration: t(Int64(count * 40), 1000)))
            }, as: .matroska)
        let keyframes = try await keyframes(of: path)
        let pictures = try await pictures(of: made)
        var numbers = pictures.compactMap(\.number)[...]
        #expect(numbers.count == pictures.count)
        for (start, count) in pieces {
            let first = try #require(keyframes.last { $0 <= start })
            let run = zip(numbers, first...).prefix { $0 == $1 }.map(\.0)
            // Pictures that others need from beyond the end cannot be hidden.
            #expect((start + count - 1...start + count + 3).contains(run.last ?? 0), "\(run)")
            numbers = numbers.dropFirst(run.count)
        }
        #expect(numbers.isEmpty)
        #expect(zip(pictures, pictures.dropFirst()).allSatisfy { abs($1.time - $0.time - 0.04) < 0.03 })
        #expect(made.result.warnings.filter { $0.contains("with a keyframe") }.count >= 2)
        #expect(made.result.losses.isEmpty, "\(made.result.losses)")
        let sound = Double(try await made.samples().count) / 48000
        #expect(abs(sound - Double(pictures.count) / 25) < 0.15)
        // The second piece has the chapter “Middle” from its beginning on, which lies behind what was not asked for.
        let chapters = try await made.probe(["-show_entries", "chapter=start_time:chapter_tags=title"])
        #expect(chapters.contains("Middle"))
    }

    private func keyframes(of path: String) async throws -> [Int] {
        let run = try await CommandRun.run(
            "ffprobe",
            ["-v", "error", "-select_streams", "v:0", "-show_entries", "frame=key_frame", "-of", "csv=p=0", path])
        return run.output.split(separator: "\n").enumerated().filter { $0.1.hasPrefix("1") }.map(\.0)
    }

    @Test func `Joins of unlike segments are refused with the segment's number`() async throws {
        let films = [try await film("movie.mp4", as: "mkv"), try await film("long-gop.mp4", as: "mkv")]
        await #expect { _ = try await join(films.map { .init($0) }, as: .matroska) } throws: { error in
            let error = error as? AVError
            return error?.code == .operationNotSupportedForAsset
                && error?.localizedDescription.contains("piece 2") == true
        }
        #expect(try folder.contents().count == 2)
    }

    @Test(arguments: Tier.some([("mkv", AVFileType.matroska), ("ts", .mpeg2TransportStream), ("mkv", .mp4)], 1))
    func `Joins put whole files one after the other`(source: String, type: AVFileType) async throws {
        let films = [try await film("movie.mp4", as: source), try await film("movie.mp4", as: source)]
        let made = try await join(films.map { .init($0) }, as: type)
        let pictures = try await pictures(of: made)
        #expect(pictures.map(\.number) == Array(0..<250) + Array(0..<250))
        let first = try #require(pictures.first).time
        for (index, picture) in pictures.enumerated() where index != 250 {
            // The second film begins where the first one's sound ends, a moment later than its pictures.
            let base = index < 250 ? first : pictures[250].time
            #expect(abs(picture.time - base - Double(index % 250) / 25) < 0.0011)
        }
        #expect(abs(pictures[250].time - first - 10) < 0.06)
        // Sound is neither doubled nor missing.
        #expect(abs(Double(try await made.samples().count) / 48000 - 20) < 0.1)
    }
}
