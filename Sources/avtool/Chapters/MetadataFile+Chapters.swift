internal import Foundation
internal import OpenAVFoundation

extension MetadataFile {
    /// Replaces the chapters by lists whose times count from the asset's zero.
    mutating func setChapters(_ lists: [ChapterList], of file: String) async throws {
        let description = try await AVURLAsset(url: URL(fileURLWithPath: file)).loadDescription()
        let (forms, missing) = lists.forms(for: metadata.container, origin: description.origin)
        metadata.chapterLists = forms
        losses += missing
    }
}
