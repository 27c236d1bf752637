import AssetExport
import Foundation
import MediaAsset
import MediaCore
import MediaEngine
import MediaIO
import MediaMetadata
import MediaTestSupport
import Testing

/// Expected values are what RFC 8216 asks for, and what ffmpeg reads of the stream.
@Suite("Folders for HTTP Live Streaming", .serialized, .timeLimit(.minutes(10)))
struct StreamingExportTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func export(
        _ source: String, to name: String = "stream", replaces: Bool = false,
        _ change: (AVAssetExportSession) -> Void = { _ in }
    ) async throws -> AVAssetExportSession {
        let asset = AVURLAsset(url: URL(fileURLWithPath: source))
        let session = try #require(AVAssetExportSession(asset: asset, presetName: "hls"))
        session.replacesExistingFile = replaces
        change(session)
        try await session.export(to: folder.url.appendingPathComponent(name), as: .hls)
        return session
    }

    private func lines(_ name: String = "stream") throws -> [String] {
        try String(contentsOfFile: folder.path("\(name)/index.m3u8"), encoding: .utf8).split(separator: "\n")
            .map(String.init)
    }

    private func probe(_ name: String, _ arguments: [String]) async throws -> [[String]] {
        try await Reading.probe(folder.path(name), ["-allowed_extensions", "ALL"] + arguments)
    }

    @Test func `HLS folders hold a playlist with the duration of each segment`() async throws {
        let source = folder.path("film.mp4")
        try await Reading.ffmpeg([
            "-f", "lavfi", "-i", "testsrc=s=160x120:r=25:d=20", "-f", "lavfi", "-i", "sine=d=20:r=48000", "-c:v",
            "libx264", "-preset", "ultrafast", "-metadata", "title=A film", source,
        ])
        let session = try await export(source)
        let lines = try lines()
        #expect(lines.prefix(3) == ["#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-TARGETDURATION:6"])
        #expect(lines.contains(#"#EXT-X-MAP:URI="init.mp4""#) && lines.last == "#EXT-X-ENDLIST")
        let durations = lines.filter { $0.hasPrefix("#EXTINF:") }.compactMap { Double($0.dropFirst(8).dropLast()) }
        #expect(durations == [6, 6, 6, 2])
        let segments = lines.filter { $0.hasSuffix(".m4s") }
        #expect(segments == (1...4).map { "segment-0000\($0).m4s" })
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path("stream"))
        #expect(Set(files) == Set(segments + ["init.mp4", "index.m3u8"]))
        let sizes = try files.map { try Data(contentsOf: URL(fileURLWithPath: folder.path("stream/\($0)"))).count }
        #expect(session.result?.byteCount == UInt64(sizes.reduce(0, +)))
        // Each segment begins with a keyframe, alone with the header.
        for segment in segments {
            let joined = folder.path("joined.mp4")
            let parts = try ["init.mp4", segment].map {
                try Data(contentsOf: URL(fileURLWithPath: folder.path("stream/\($0)")))
            }
            try parts.reduce(Data(), +).write(to: URL(fileURLWithPath: joined))
            let packets = try await Reading.probe(
                joined, ["-select_streams", "v", "-show_entries", "packet=flags"])
            #expect(packets.first?.first?.hasPrefix("K") == true)
        }
        let frames = try await probe("stream/index.m3u8", ["-select_streams", "v", "-show_entries", "frame=pts_time"])
        #expect(frames.count == 500)
        let times = frames.compactMap { Double($0[0]) }
        #expect(zip(times, times.dropFirst()).allSatisfy { abs($1 - $0 - 0.04) < 0.001 })
        let title = try await Reading.probe(folder.path("stream/init.mp4"), ["-show_entries", "format_tags=title"])
        #expect(title == [["A film"]])
        let decoded = try await Reading.run(
            "ffmpeg",
            ["-v", "error", "-allowed_extensions", "ALL", "-i", folder.path("stream/index.m3u8"), "-f", "null", "-"])
        #expect(decoded.errorOutput.isEmpty)
    }

    @Test func `HLS folders show the frames of the exported range, with the audio in sync`() async throws {
        _ = try await export(Fixture("movie.mp4").path) {
            $0.timeRange = CMTimeRange(start: seconds(1), duration: seconds(8))
        }
        // ffprobe reads no rotation or numbers of a playlist: the parts in one file do.
        let parts = try ["init.mp4"] + lines().filter { $0.hasSuffix(".m4s") }
        let joined = folder.path("joined.mp4")
        try parts.map { try Data(contentsOf: URL(fileURLWithPath: folder.path("stream/\($0)"))) }
            .reduce(Data(), +).write(to: URL(fileURLWithPath: joined))
        #expect(try await Reading.pictures(joined).map(\.number) == Array(25..<225))
        // The encoder's own 1024 samples come before the sound; whether a track starts there, versions of ffprobe differ.
        for (type, start) in [("v", "0.000000"), ("a", "-0.021333")] {
            let times = try await Reading.probe(joined, ["-select_streams", type, "-show_entries", "packet=pts_time"])
            #expect(times.first?.first == start)
        }
    }

    @Test func `HLS segments are cut by time where there is no video`() async throws {
        let source = folder.path("sound.wav")
        try await Reading.ffmpeg(["-f", "lavfi", "-i", "sine=d=13:r=48000", source])
        _ = try await export(source)
        let durations = try lines().filter { $0.hasPrefix("#EXTINF:") }
            .compactMap { Double($0.dropFirst(8).dropLast()) }
        #expect(durations.count == 3 && durations.prefix(2).allSatisfy { abs($0 - 6) < 0.05 }, "\(durations)")
    }

    @Test func `HLS exports name the tracks and chapters that have no place as lost`() async throws {
        let session = try await export(Fixture("languages.mp4").path)
        let losses = session.result?.losses ?? []
        #expect(losses.filter { $0.kind == .track }.count == 3, "\(losses)")
        let chapters = try await export(Fixture("movie.mp4").path, to: "other").result?.losses ?? []
        #expect(chapters.contains { $0.kind == .chapters }, "\(chapters)")
    }

    @Test func `HLS folders appear whole or not at all, and replace nothing but a stream`() async throws {
        await #expect(throws: (any Error).self) { _ = try await export(Fixture("truncated.mp4").path) }
        #expect(try folder.contents().isEmpty)
        _ = try await export(Fixture("audio-only.m4a").path)
        let error = await #expect(throws: AVError.self) { _ = try await export(Fixture("audio-only.m4a").path) }
        #expect(error?.code == .fileAlreadyExists)
        _ = try await export(Fixture("audio-only.m4a").path, replaces: true)
        try Data("mine".utf8).write(to: URL(fileURLWithPath: folder.path("stream/mine.txt")))
        let refusal = await #expect(throws: AVError.self) {
            _ = try await export(Fixture("audio-only.m4a").path, replaces: true)
        }
        #expect(refusal?.underlying is FileWriteError)
        #expect(try String(contentsOfFile: folder.path("stream/mine.txt"), encoding: .utf8) == "mine")
    }
}
