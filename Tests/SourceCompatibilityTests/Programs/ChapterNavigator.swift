// Chapters for a list and for the buttons beside it; only the import differs from the code on Apple's platforms.
import Foundation
import OpenAVFoundation

struct ChapterNavigator: Sendable {
    struct Chapter: Sendable, Identifiable, Equatable {
        let id: Int
        let title: String
        let range: CMTimeRange
    }

    let chapters: [Chapter]

    init(asset: AVAsset, languages: [String] = ["en"]) async throws {
        let groups = try await asset.loadChapterMetadataGroups(bestMatchingPreferredLanguages: languages)
        var chapters: [Chapter] = []
        for (index, group) in groups.enumerated() {
            let items = AVMetadataItem.metadataItems(from: group.items, filteredByIdentifier: .commonIdentifierTitle)
            let title = try await items.first?.load(.stringValue)
            chapters.append(Chapter(id: index, title: title ?? "Chapter \(index + 1)", range: group.timeRange))
        }
        self.chapters = chapters.sorted { $0.range.start < $1.range.start }
    }

    func chapter(at time: CMTime) -> Chapter? { chapters.last { $0.range.containsTime(time) } }

    /// Where the button for the chapter before leads: to this one's start, or the one before within 2 s of it.
    func previous(from time: CMTime) -> CMTime {
        guard let current = chapter(at: time) else { return .zero }
        let isNearStart = CMTimeSubtract(time, current.range.start) < CMTime(value: 2, timescale: 1)
        guard isNearStart, current.id > 0 else { return current.range.start }
        return chapters[current.id - 1].range.start
    }

    func next(from time: CMTime) -> CMTime? { chapters.first { $0.range.start > time }?.range.start }

    /// All chapters as files of their own, at the same time.
    func split(_ asset: AVAsset, into folder: URL) async throws -> [String: URL] {
        try await withThrowingTaskGroup(of: (String, URL).self) { group in
            for chapter in chapters {
                group.addTask {
                    let preset = AVAssetExportPresetPassthrough
                    guard let session = AVAssetExportSession(asset: asset, presetName: preset) else {
                        throw AVError(.exportFailed)
                    }
                    session.timeRange = chapter.range
                    let url = folder.appending(component: "\(chapter.title).mov")
                    try await session.export(to: url, as: .mov)
                    return (chapter.title, url)
                }
            }
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
    }
}
