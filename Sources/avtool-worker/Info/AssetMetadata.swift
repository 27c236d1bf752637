internal import AVToolCommands
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// The metadata and chapters of an asset.
///
/// Damage there does not keep the rest from being shown; it is told as a problem. Bytes that the system did not give are
/// no damage: what they hold may be well.
struct AssetMetadata {
    let file: FileMetadata
    let chapters: [Chapter]
    /// Tracks that hold the chapters' titles.
    let chapterTracks: Set<Int32>

    init(of asset: AVAsset) async throws {
        do {
            let metadata = try await asset.loadFileMetadata()
            let lists = try await asset.loadPreferredChapterLists()
            let tracks = Set(try await asset.loadChapterLists().compactMap(\.trackID))
            (file, chapters, chapterTracks) = (metadata, lists.first?.visibleChapters ?? [], tracks)
        } catch let error as AVError
            where error.code != .failedToLoadMediaData && !(error.underlying is MediaLimitError)
        {
            file = FileMetadata(container: .other, problems: ["metadata: \(error.reason)"])
            (chapters, chapterTracks) = ([], [])
        }
    }

    func entries(ofTrack id: Int32) -> [MetadataEntry] {
        file.tracks.first { $0.trackID == Int64(id) }?.entries ?? []
    }
}
