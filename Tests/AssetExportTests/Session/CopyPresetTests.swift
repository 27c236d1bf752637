import AssetExport
import Foundation
import MediaAsset
import MediaCore
import MediaEngine
import MediaIO
import MediaMetadata
import MediaTestSupport
import SampleBuffers
import Testing

/// Samples that stay are those that ffmpeg reads of the source; lossless sound decodes to the same samples.
@Suite("Presets that keep samples", .timeLimit(.minutes(10)))
struct CopyPresetTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func export(_ source: String, _ preset: String, to file: String) async throws -> String {
        let session = try #require(
            AVAssetExportSession(asset: AVURLAsset(url: URL(fileURLWithPath: source)), presetName: preset))
        let url = folder.url.appendingPathComponent(file)
        try await session.export(to: url, as: try #require(AVFileType(filenameExtension: url.pathExtension)))
        return url.path
    }

    private func hash(_ path: String, _ arguments: [String]) async throws -> String {
        try await Reading.run("ffmpeg", ["-v", "error", "-i", path] + arguments + ["-f", "streamhash", "-"]).output
    }

    @Test(
        arguments: Tier.some(
            [
                ("copy-video-aac", "movie.mov", "mov", "v", "aac"), ("copy-video-aac", "vp9.webm", "mp4", "v", "aac"),
                ("copy-video-aac", "rotate-90.mp4", "mp4", "v", nil),
                ("copy-video-opus", "movie.mp4", "mkv", "v", "opus"),
                ("copy-video-opus", "vp9.webm", "webm", "v", "opus"),
                ("copy-audio-h264", "vp9.webm", "mkv", "a", "h264"),
                ("copy-audio-h264", "languages.mkv", "mp4", "a", "h264"),
                ("copy-audio-hevc", "movie.mov", "mov", "a", "hevc"),
            ], 3))
    func `Presets that copy a track leave its samples as they are and encode the rest`(
        _ preset: String, _ source: String, _ type: String, _ kept: String, _ other: String?
    ) async throws {
        let path = try await export(Fixture(source).path, preset, to: "new.\(type)")
        let copy = ["-map", "0:\(kept)", "-c", "copy"]
        #expect(try await hash(path, copy) == (try await hash(Fixture(source).path, copy)))
        let select = ["-select_streams", kept == "v" ? "a:0" : "v:0"]
        let codecs = try await Reading.probe(path, select + ["-show_entries", "stream=codec_name"])
        #expect(codecs.first?.first == other)
        let run = try await Reading.run("ffmpeg", ["-v", "error", "-i", path, "-f", "null", "-"])
        #expect(run.errorOutput.isEmpty)
    }

    @Test(arguments: [
        ("pcm_s16le", "s16", "16"), ("pcm_s24le", "s32", "24"), ("pcm_f32le", "flt", "32"),
    ])
    func `Lossless presets lose nothing of audio, in as many bits as it has`(
        _ codec: String, _ format: String, _ bits: String
    ) async throws {
        let source = folder.path("source.wav")
        try await Reading.ffmpeg([
            "-f", "lavfi", "-i", "anoisesrc=d=0.5:r=44100:a=0.3:seed=1", "-ac", "2", "-c:a", codec, source,
        ])
        let samples = ["-c:a", "pcm_s32le"]
        for (preset, file) in [("wav", "a.wav"), ("flac", "a.flac"), ("alac", "a.m4a")] {
            let path = try await export(source, preset, to: file)
            let facts = try await Reading.probe(
                path, ["-show_entries", "stream=bits_per_sample,bits_per_raw_sample"])
            let shown = facts.first?.filter { $0 != "0" && $0 != "N/A" }.last
            // These have no numbers but whole ones, of 24 bits at most.
            #expect(shown == (preset != "wav" && bits == "32" ? "24" : bits), "\(preset)")
            guard preset == "wav" || bits != "32" else { continue }
            #expect(try await hash(path, samples) == (try await hash(source, samples)), "\(preset)")
        }
    }

    @Test(
        arguments: Tier.some(
            [
                ("prores-422-hq", "apch"), ("prores-422-lt", "apcs"), ("prores-proxy", "apco"), ("dnxhr-hq", "AVdh"),
            ], 1))
    func `Presets for editing have the codec tag of their kind`(_ preset: String, _ tag: String) async throws {
        let path = try await export(Fixture("movie.mp4").path, preset, to: "new.mov")
        let tags = try await Reading.probe(path, ["-show_entries", "stream=codec_tag_string"])
        #expect(tags.first == [tag] && tags.dropFirst().first == ["in24"])
        #expect(try await Reading.pictures(path).map(\.number) == Array(0..<250))
    }
}
