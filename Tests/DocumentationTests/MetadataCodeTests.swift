import Foundation
import MediaTestSupport
import OpenAVFoundation
import OpenAVFoundationExtras
import Testing

/// The code of the articles on metadata and chapters.
@Suite struct `Code on metadata` {
    let folder: TemporaryFolder
    let url: URL

    init() throws {
        folder = try TemporaryFolder()
        url = URL(fileURLWithPath: folder.path("movie.mp4"))
        try FileManager.default.copyItem(at: Fixture("movie.mp4").url, to: url)
    }

    @Test func `Documented code reads items of every key space`() async throws {
        var title: String?
        // code: items
        let asset = AVURLAsset(url: url)
        for item in try await asset.load(.metadata) {
            print(item.identifier?.rawValue ?? "?", try await item.load(.stringValue) ?? "")
        }
        let titles = AVMetadataItem.metadataItems(
            from: try await asset.load(.metadata), filteredByIdentifier: .commonIdentifierTitle)
        title = try await titles.first?.load(.stringValue)
        // end of code
        #expect(title == "Counting bars")
    }

    @Test func `Documented code changes metadata in place`() async throws {
        // code: change
        var file = try MetadataFile(url: url)
        var item = file.mediaItem
        item.name = "Bars, counted"
        item.trackNumber = 3
        file.apply(item)
        for loss in try file.plan().losses { print(loss.item, loss.reason) }
        try file.save()
        // end of code
        let items = try await AVURLAsset(url: url).load(.metadata)
        let titles = AVMetadataItem.metadataItems(from: items, filteredByIdentifier: .commonIdentifierTitle)
        #expect(titles.first?.stringValue == "Bars, counted")
    }

    @Test func `Documented code reads chapters`() async throws {
        var names: [String?] = []
        // code: chapters
        let asset = AVURLAsset(url: url)
        for locale in try await asset.load(.availableChapterLocales) {
            for group in try await asset.loadChapterMetadataGroups(withTitleLocale: locale) {
                let title = AVMetadataItem.metadataItems(
                    from: group.items, filteredByIdentifier: .commonIdentifierTitle
                ).first
                print(group.timeRange.start.seconds, title?.stringValue ?? "")
                names.append(title?.stringValue)
            }
        }
        // end of code
        #expect(names == ["Opening", "Middle", "Ending"])
    }

    @Test func `Documented code writes chapters`() async throws {
        // code: write-chapters
        var file = try MetadataFile(url: url)
        let times = [CMTime.zero, CMTime(value: 4, timescale: 1), CMTime(value: 10, timescale: 1)]
        let chapters = zip(["Start", "The rest"], zip(times, times.dropFirst())).map { name, time in
            Chapter(start: time.0, end: time.1, titles: [Chapter.Title(name)])
        }
        for index in file.chapterLists.indices { file.chapterLists[index].chapters = chapters }
        try file.save()
        // end of code
        let lists = try await AVURLAsset(url: url).loadChapterLists()
        #expect(!lists.isEmpty)
        for list in lists { #expect(list.chapters.map(\.title) == ["Start", "The rest"]) }
    }
}
