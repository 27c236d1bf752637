import Foundation
import MediaEngine
import MediaMetadata
import MediaTestSupport
import MetadataFormats
import Testing

@Suite struct `Labels of tracks` {
    private func file(_ name: String, in folder: TemporaryFolder) throws -> String {
        let path = folder.path(name)
        try FileManager.default.copyItem(atPath: Fixture(name).path, toPath: path)
        return path
    }

    private func tool(_ program: String, _ arguments: [String]) async throws -> String {
        try await CommandRun.run(program, arguments).output
    }

    @Test(arguments: ["movie.mp4", "movie.mov", "fragmented.mp4", "cues.mkv", "vp9.webm"])
    func `Labels of tracks are set where ffprobe reads them, and only there`(_ name: String) async throws {
        let folder = try TemporaryFolder()
        let path = try file(name, in: folder)
        let url = URL(fileURLWithPath: path)
        var tagged = try MetadataFile(url: url)
        try tagged.set(
            [MetadataAssignment("language=pt-BR"), MetadataAssignment("name=Bild")], inTrack: 1)
        #expect(tagged.losses.isEmpty)
        try tagged.save()
        let output = try await tool(
            "ffprobe", ["-v", "error", "-show_entries", "stream_tags=language,title,handler_name", "-of", "json", path])
        #expect(output.contains("\"language\": \"por\""), "\(output)")
        #expect(output.contains("Bild"), "\(output)")
        let again = try MetadataFile(url: url)
        let label = try #require(again.metadata.labels.first { $0.trackID == 1 })
        #expect(label.languageTag == "pt-BR" && label.name == "Bild")
        #expect(again.metadata.entries == tagged.metadata.entries)
        #expect(again.metadata.chapterLists == tagged.metadata.chapterLists)
        let hash = ["-v", "error", "-map", "0:v", "-map", "0:a?", "-c", "copy", "-f", "streamhash", "-"]
        #expect(
            try await tool("ffmpeg", ["-i", path] + hash) == tool("ffmpeg", ["-i", Fixture(name).path] + hash))
        var removed = again
        try removed.set([MetadataAssignment("language="), MetadataAssignment("name=")], inTrack: 1)
        try removed.save()
        let none = try #require(try MetadataFile(url: url).metadata.labels.first { $0.trackID == 1 })
        #expect(none.languageTag == nil && none.name == nil)
    }

    @Test func `A language that is set leaves those of other tracks as they are`() async throws {
        let folder = try TemporaryFolder()
        let path = try file("languages.mp4", in: folder)
        let entries = ["-v", "error", "-show_entries", "stream_tags=language", "-of", "csv=p=0"]
        let before = try await tool("ffprobe", entries + [path]).split(separator: "\n")
        var tagged = try MetadataFile(url: URL(fileURLWithPath: path))
        try tagged.set([MetadataAssignment("language=cy")], inTrack: 2)
        try tagged.save()
        let after = try await tool("ffprobe", entries + [path]).split(separator: "\n")
        #expect(after.count == before.count)
        #expect(after[1] == "cym")
        #expect(
            after.enumerated().filter { $0.offset != 1 }.map(\.element)
                == before.enumerated().filter { $0.offset != 1 }.map(\.element))
    }

    @Test(arguments: ["movie.mp4", "cues.mkv", "theora.ogv"])
    func `Labels of missing tracks are refused`(_ name: String) throws {
        let folder = try TemporaryFolder()
        var tagged = try MetadataFile(url: URL(fileURLWithPath: try file(name, in: folder)))
        #expect(throws: MetadataError.self) { try tagged.set([MetadataAssignment("title=X")], inTrack: 77) }
        #expect(throws: MetadataError.self) { try tagged.set([MetadataAssignment("title=X")], inTrack: 0) }
    }

    @Test(arguments: ["audio-only.mp3", "audio-only.flac"])
    func `Labels of tracks are refused where a format has none`(_ name: String) throws {
        let folder = try TemporaryFolder()
        var tagged = try MetadataFile(url: URL(fileURLWithPath: try file(name, in: folder)))
        #expect(throws: MetadataError.self) { try tagged.set([MetadataAssignment("title=X")], inTrack: 1) }
    }

    @Test(arguments: ["d", "german", "de_DE", "12", "de-", "deutsch-x"])
    func `Malformed languages of tracks are refused`(_ language: String) throws {
        let folder = try TemporaryFolder()
        var tagged = try MetadataFile(url: URL(fileURLWithPath: try file("movie.mp4", in: folder)))
        #expect(throws: MetadataNameError.self) {
            try tagged.set([MetadataAssignment("language=\(language)")], inTrack: 1)
        }
    }

    @Test(arguments: ["movie.mp4", "movie.mov", "cues.mkv"])
    func `Creation dates in headers are set and removed`(_ name: String) async throws {
        let folder = try TemporaryFolder()
        let path = try file(name, in: folder)
        var tagged = try MetadataFile(url: URL(fileURLWithPath: path))
        try tagged.set([MetadataAssignment("header-date=2001-02-03T04:05:06Z")])
        try tagged.save()
        let tags = ["-v", "error", "-show_entries", "format_tags=creation_time:stream_tags=creation_time"]
        let probe = try await tool("ffprobe", tags + [path])
        #expect(probe.contains("creation_time=2001-02-03T04:05:06.000000Z"), "\(probe)")
        #expect(try MetadataFile(url: URL(fileURLWithPath: path)).metadata.entries == tagged.metadata.entries)
        try tagged.set([MetadataAssignment("header-date=")])
        var again = try MetadataFile(url: URL(fileURLWithPath: path))
        try again.set([MetadataAssignment("header-date=")])
        try again.save()
        #expect(try MetadataFile(url: URL(fileURLWithPath: path)).metadata.creationDate == nil)
    }
}
