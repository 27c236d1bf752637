import Foundation
import MediaAsset
import MediaCore
import MediaMetadata
import MediaTestSupport
import MetadataFormats
import Testing

/// Expected values are those that the fixtures' script gave to `ffmpeg`.
@Suite struct `Metadata of assets` {
    @Test func `Metadata of an asset is listed by key space and by common key`() async throws {
        let asset = Fixture("movie.mov").asset
        let (all, common, formats) = try await asset.load(.metadata, .commonMetadata, .availableMetadataFormats)
        #expect(formats == [.quickTimeMetadata])
        #expect(all.contains { $0.identifier == .quickTimeMetadataMake && $0.stringValue == "Fixture Works" })
        let location = AVMetadataItem.metadataItems(from: common, filteredByIdentifier: .commonIdentifierLocation)
        #expect(location.map(\.stringValue) == ["+52.5200+013.4050+034.000/"])
        #expect(try await asset.loadMetadata(for: .quickTimeMetadata).count == all.count)
        #expect(try await asset.loadMetadata(for: .id3Metadata).isEmpty)
        #expect(asset.metadata.count == all.count)
        #expect(asset.metadata(forFormat: .quickTimeMetadata).count == all.count)
        let shared = AVMetadataItem.metadataItems(from: all, filteredBy: .forSharing())
        let names = Set(shared.compactMap(\.identifier?.rawValue))
        #expect(names.contains("mdta/title"))
        for word in ["location", "make", "model", "creationdate"] {
            #expect(!names.contains { $0.contains(word) }, "\(word) in \(names)")
        }
    }

    @Test func `The creation date of an asset comes from its item or its header`() async throws {
        // 2024-05-06 07:08:09 UTC, in the item with its own time zone, in the header of the other file.
        let moment = Date(timeIntervalSince1970: 1_714_979_289)
        let item = try #require(try await Fixture("movie.mov").asset.load(.creationDate))
        #expect(item.dateValue == moment)
        #expect(item.stringValue == "2024-05-06T09:08:09+0200")
        let header = try #require(try await Fixture("movie.mp4").asset.load(.creationDate))
        #expect(header.identifier == .commonIdentifierCreationDate)
        #expect(header.dateValue == moment)
        #expect(header.stringValue == nil)
    }

    @Test func `Chapters of an asset are listed by language`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a.mp4")
        try FileManager.default.copyItem(atPath: Fixture("movie.mp4").path, toPath: path)
        var file = try MetadataFile(url: URL(fileURLWithPath: path))
        file.chapterLists = [("en", ["One", "Two"]), ("de-CH", ["Eins", "Zwei"])].map { tag, titles in
            let starts = [CMTime.zero, CMTime(value: 4, timescale: 1)]
            return ChapterList(
                form: .quickTimeTrack, languageTag: tag,
                chapters: zip(starts, titles).map { Chapter(start: $0, titles: [.init($1)]) })
        }
        try file.save()
        let asset = AVURLAsset(url: URL(fileURLWithPath: path))
        let locales = try await asset.load(.availableChapterLocales)
        #expect(locales.map(\.identifier) == ["en", "de-CH"])
        let groups = try await asset.loadChapterMetadataGroups(bestMatchingPreferredLanguages: ["fr", "de", "en"])
        #expect(groups.map(\.timeRange.start.seconds) == [0, 4])
        #expect(groups.map(\.timeRange.duration.seconds) == [4, 6])
        let titles = groups.compactMap { group in
            AVMetadataItem.metadataItems(from: group.items, filteredByIdentifier: .commonIdentifierTitle).first
        }
        #expect(titles.map(\.stringValue) == ["Eins", "Zwei"])
        #expect(titles.map(\.time) == groups.map(\.timeRange.start))
        #expect(titles.allSatisfy { $0.commonKey == .commonKeyTitle && $0.locale?.identifier == "de-CH" })
        let byLocale = try await asset.loadChapterMetadataGroups(withTitleLocale: locales[0])
        #expect(byLocale.map { $0.items[0].stringValue } == ["One", "Two"])
    }

    /// ffprobe: the chapter track is English; the Nero list beside it, of the same chapters, has no language.
    @Test(arguments: ["movie.mov", "movie.mp4"])
    func `Chapters of a text track are preferred to a list without a language`(_ name: String) async throws {
        let asset = Fixture(name).asset
        #expect(try await asset.load(.availableChapterLocales).map(\.identifier) == ["en"])
        for languages in [["en"], ["en-US"], ["fr", "en"]] {
            let groups = try await asset.loadChapterMetadataGroups(bestMatchingPreferredLanguages: languages)
            #expect(groups.map(\.timeRange.start.seconds) == [0, 3, 7])
            #expect(groups.map { $0.items[0].stringValue } == ["Opening", "Middle", "Ending"])
            #expect(groups.map { $0.items[0].extendedLanguageTag } == ["en", "en", "en"])
        }
        #expect(asset.chapterMetadataGroups(bestMatchingPreferredLanguages: ["fr"]).isEmpty)
        #expect(asset.chapterMetadataGroups(withTitleLocale: Locale(identifier: "und")).isEmpty)
    }

    @Test func `Chapters without a language match no preferred language`() async throws {
        // Of the three lists only Nero's stays.
        let folder = try TemporaryFolder()
        let path = folder.path("a.mp4")
        var bytes = try Data(contentsOf: Fixture("movie.mp4").url)
        while let reference = bytes.range(of: Data("chap".utf8)) {
            bytes.replaceSubrange(reference, with: Data("none".utf8))
        }
        try bytes.write(to: URL(fileURLWithPath: path))
        let asset = AVURLAsset(url: URL(fileURLWithPath: path))
        #expect(try await asset.load(.availableChapterLocales).map(\.identifier) == ["und"])
        #expect(asset.chapterMetadataGroups(bestMatchingPreferredLanguages: ["en"]).isEmpty)
        let groups = asset.chapterMetadataGroups(withTitleLocale: Locale(identifier: "und"))
        #expect(groups.map(\.timeRange.start.seconds) == [0, 3, 7])
        #expect(groups.map { $0.items[0].stringValue } == ["Opening", "Middle", "Ending"])
    }

    @Test func `Metadata of tracks is listed`() async throws {
        let tracks = try await Fixture("cues.mkv").asset.loadTracks(withMediaType: .video)
        let items = try await tracks[0].load(.metadata)
        #expect(items.map(\.identifier?.rawValue) == ["mkv/DURATION"])
        #expect(tracks[0].availableMetadataFormats == [.matroska])
        #expect(try await Fixture("movie.mp4").asset.loadTracks(withMediaType: .audio)[0].load(.metadata).isEmpty)
    }

    @Test func `Metadata of formats without our own reader comes from FFmpeg`() async throws {
        let folder = try TemporaryFolder()
        let run = try await CommandRun.run(
            "ffmpeg",
            ["-v", "error", "-i", Fixture("h264.flv").path, "-c", "copy", "-metadata", "title=X", folder.path("a.flv")])
        #expect(run.exitCode == 0)
        let asset = AVURLAsset(url: URL(fileURLWithPath: folder.path("a.flv")))
        let items = try await asset.load(.metadata)
        #expect(items.contains { $0.identifier?.rawValue == "lavf/title" && $0.stringValue == "X" })
        #expect(throws: MetadataError.self) { try MetadataFile(url: URL(fileURLWithPath: folder.path("a.flv"))) }
    }

    @Test func `Metadata of a missing file cannot be loaded`() async throws {
        let asset = AVURLAsset(url: URL(fileURLWithPath: "/nowhere/a.mp4"))
        let error = await #expect(throws: AVError.self) { try await asset.load(.metadata) }
        #expect((error?.underlying as? CocoaError)?.code == .fileReadNoSuchFile)
        #expect(asset.metadata.isEmpty)
        #expect(asset.creationDate == nil)
    }

    @Test func `The media item of an asset has its normalised fields`() async throws {
        let item = try await Fixture("movie.mp4").asset.loadMediaItem()
        #expect(item.name == "Counting bars")
        #expect(item.artist == "Fixture Band")
        #expect(item.comments == "Every frame carries its number")
        #expect(item.artwork == nil)
        #expect(try await Fixture("attached-picture.m4a").asset.loadMediaItem().artwork?.mimeType == "image/jpeg")
    }
}
