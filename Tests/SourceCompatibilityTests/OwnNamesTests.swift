import ClientModel
import Foundation
import OpenAVFoundation
import Testing

/// A picture of the application's, by a name of Apple's that is not offered here.
private struct CIImage: Equatable {
    var extent = CGRect(x: 0, y: 0, width: 4, height: 3)
}

/// Code of an application whose own types have names that ours have too.
private struct Catalogue {
    var accent = RGBColor(red: 0.5)
    var window = AspectRatio.wide
    var plan = ExportPlan(names: [])
    var notes = MetadataFile(lines: [])
    var start = TimeExpression.minutes(1)

    mutating func item(of url: URL) async throws -> MediaItem {
        let asset = AVURLAsset(url: url)
        let (tracks, metadata) = try await asset.load(.tracks, .commonMetadata)
        let video = try #require(tracks.first { $0.mediaType == .video })
        let size = try await video.load(.naturalSize)
        let titles = AVMetadataItem.metadataItems(from: metadata, filteredByIdentifier: .commonIdentifierTitle)
        let title = try await titles.first?.load(.stringValue) ?? url.lastPathComponent
        let groups = try await asset.loadChapterMetadataGroups(bestMatchingPreferredLanguages: ["en"])
        plan.names.append(title)
        notes.lines.append(AtomicFile(path: url.path).path)
        return MediaItem(
            title: title, chapters: groups.compactMap(\.items.first?.stringValue).map { Chapter(title: $0) },
            poster: try await still(of: asset),
            size: PixelSize(width: Int(size.width), height: Int(size.height)))
    }

    func still(of asset: AVAsset) async throws -> Still {
        let (image, time) = try await AVAssetImageGenerator(asset: asset).image(at: CMTimeMake(value: 1, timescale: 1))
        return Still(caption: "\(image.width) × \(image.height) at \(time.seconds) s")
    }
}

@Suite struct `A client's own names` {
    private let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Fixtures/movie.mp4")

    @Test func `A client's own names mean its own types`() async throws {
        var catalogue = Catalogue()
        let item = try await catalogue.item(of: url)
        #expect(item.title == "Counting bars" && catalogue.plan.names == ["Counting bars"])
        #expect(item.chapters == ["Opening", "Middle", "Ending"].map { Chapter(title: $0) })
        #expect(item.size == PixelSize(width: 320, height: 240))
        #expect(item.poster == Still(caption: "320 × 240 at 1.0 s"))
        #expect(catalogue.accent == RGBColor(red: 0.5) && catalogue.window == .wide && catalogue.start == .minutes(1))
        #expect(catalogue.notes.lines == [url.path])
    }

    // The names of what is not offered are declared, to say so to those who mean Apple's.
    @Test func `A client's own names hide those of Apple's that are not offered`() {
        #expect(CIImage().extent.width == 4)
        #expect(AVPlayer(sounds: ["click"]).sounds == ["click"])
    }

    // Members that AVFoundation has not are there, and what they give needs no name.
    @Test func `A client's own names do not hide what our members give`() async throws {
        let asset = AVURLAsset(url: url)
        #expect(
            try await asset.loadChapterLists().first?.chapters.map(\.titles.first?.text) == [
                "Opening", "Middle", "Ending",
            ])
        #expect(try await asset.loadMediaItem().name == "Counting bars")
        #expect(try await asset.loadDescription().tracks.first?.codec == "h264")
    }
}
