public import Foundation
internal import MediaConcurrency
public import MediaLoading
public import MediaMetadata
package import MetadataFormats

extension AVPartialAsyncProperty where Root: AVAsset {
    /// Every item of the asset, of all formats, in file order.
    public static var metadata: AVAsyncProperty<Root, [AVMetadataItem]> {
        property(AssetProperties.all.metadata)
    }

    /// The items that have a key in the common key space.
    public static var commonMetadata: AVAsyncProperty<Root, [AVMetadataItem]> {
        property(AssetProperties.all.commonMetadata)
    }

    /// The formats of the asset's items.
    public static var availableMetadataFormats: AVAsyncProperty<Root, [AVMetadataFormat]> {
        property(AssetProperties.all.availableMetadataFormats)
    }

    /// When the asset was made: an item of the file, else the header's date as
    /// an item of the common key space.
    public static var creationDate: AVAsyncProperty<Root, AVMetadataItem?> {
        property(AssetProperties.all.creationDate)
    }

    /// The words that are sung or spoken.
    public static var lyrics: AVAsyncProperty<Root, String?> {
        property(AssetProperties.all.lyrics)
    }

    /// The languages that chapter titles are written in; `und` where the file
    /// names none.
    public static var availableChapterLocales: AVAsyncProperty<Root, [Locale]> {
        property(AssetProperties.all.availableChapterLocales)
    }
}

extension AVAsset {
    /// The items of one format; empty if there are none.
    ///
    /// - Throws: What opening the file fails with, as ``AVAsset`` tells.
    public func loadMetadata(for format: AVMetadataFormat) async throws -> [AVMetadataItem] {
        let source = source
        return try await BlockingWork.run { try source.metadataItems().filter { $0.format == format } }
    }

    /// The chapters with titles in one language.
    ///
    /// - Parameter commonKeys: What else is wanted for each chapter; only
    ///   `commonKeyArtwork` is possible.
    /// - Returns: A group for each chapter, in file order, with a title item
    ///   whose time is the group's.
    /// - Throws: What opening the file fails with, as ``AVAsset`` tells.
    /// - Note: Beyond AVFoundation, lists of Nero, Matroska and Vorbis comments
    ///   are chapters too. Chapters within chapters follow the one that they are in.
    public func loadChapterMetadataGroups(
        withTitleLocale locale: Locale, containingItemsWithCommonKeys commonKeys: [AVMetadataKey] = []
    ) async throws -> [AVTimedMetadataGroup] {
        let source = source
        return try await BlockingWork.run {
            try source.chapterMetadata().groups(
                locale: locale, withArtwork: commonKeys.contains(.commonKeyArtwork))
        }
    }

    /// The chapters with titles in the first of several languages that there is.
    ///
    /// Titles without a language match none.
    ///
    /// - Throws: What opening the file fails with, as ``AVAsset`` tells.
    public func loadChapterMetadataGroups(
        bestMatchingPreferredLanguages languages: [String]
    ) async throws -> [AVTimedMetadataGroup] {
        let source = source
        return try await BlockingWork.run { try source.chapterMetadata().groups(languages: languages) }
    }

    /// The normalised view of the asset's metadata, beyond AVFoundation's API.
    ///
    /// - Throws: What opening the file fails with, as ``AVAsset`` tells.
    public func loadMediaItem() async throws -> MediaItem {
        let source = source
        return try await BlockingWork.run { MediaItem(entries: try source.metadata().entries) }
    }

    /// All metadata of the file as readers give it.
    package func loadFileMetadata() async throws -> FileMetadata {
        let source = source
        return try await BlockingWork.run(cancel: { source.cancelOpening() }) { try source.metadata() }
    }

    /// The file's metadata for changing; a pipe's, which is read to its end for that, for changed copies only.
    package func loadMetadataFile() async throws -> MetadataFile {
        let source = source
        return try await BlockingWork.run(cancel: { source.cancelOpening() }) {
            try MetadataFile(path: try source.completePath())
        }
    }

    /// The lists of chapters that players should use, on the asset's timeline.
    package func loadPreferredChapterLists() async throws -> [ChapterList] {
        let source = source
        return try await BlockingWork.run { try source.chapterMetadata().preferredLists }
    }

    /// The chapters as the file lists them, on the asset's timeline, beyond
    /// AVFoundation's API.
    ///
    /// - Throws: What opening the file fails with, as ``AVAsset`` tells.
    public func loadChapterLists() async throws -> [ChapterList] {
        let source = source
        return try await BlockingWork.run { try source.chapterMetadata().lists }
    }
}

extension AVAsset {
    /// Every item of the asset; blocks.
    ///
    /// Empty if the file cannot be read.
    public var metadata: [AVMetadataItem] { value(AssetProperties.all.metadata) ?? [] }

    /// The items that have a key in the common key space; blocks.
    public var commonMetadata: [AVMetadataItem] { value(AssetProperties.all.commonMetadata) ?? [] }

    /// The formats of the asset's items; blocks.
    public var availableMetadataFormats: [AVMetadataFormat] {
        value(AssetProperties.all.availableMetadataFormats) ?? []
    }

    /// The items of one format; blocks.
    public func metadata(forFormat format: AVMetadataFormat) -> [AVMetadataItem] {
        metadata.filter { $0.format == format }
    }

    /// When the asset was made; blocks.
    public var creationDate: AVMetadataItem? { value(AssetProperties.all.creationDate) ?? nil }

    /// The words that are sung or spoken; blocks.
    public var lyrics: String? { value(AssetProperties.all.lyrics) ?? nil }

    /// The languages that chapter titles are written in; blocks.
    public var availableChapterLocales: [Locale] { value(AssetProperties.all.availableChapterLocales) ?? [] }

    /// The chapters with titles in one language; blocks.
    public func chapterMetadataGroups(
        withTitleLocale locale: Locale, containingItemsWithCommonKeys commonKeys: [AVMetadataKey]? = nil
    ) -> [AVTimedMetadataGroup] {
        let withArtwork = commonKeys?.contains(.commonKeyArtwork) ?? false
        return (try? source.chapterMetadata().groups(locale: locale, withArtwork: withArtwork)) ?? []
    }

    /// The chapters with titles in the first of several languages that there is; blocks.
    public func chapterMetadataGroups(bestMatchingPreferredLanguages languages: [String]) -> [AVTimedMetadataGroup] {
        (try? source.chapterMetadata().groups(languages: languages)) ?? []
    }
}

extension AVPartialAsyncProperty where Root == AVAssetTrack {
    /// Every item of the track itself.
    public static var metadata: AVAsyncProperty<Root, [AVMetadataItem]> {
        property(TrackProperties.all.metadata)
    }

    /// The track's items that have a key in the common key space.
    public static var commonMetadata: AVAsyncProperty<Root, [AVMetadataItem]> {
        property(TrackProperties.all.commonMetadata)
    }

    /// The formats of the track's items.
    public static var availableMetadataFormats: AVAsyncProperty<Root, [AVMetadataFormat]> {
        property(TrackProperties.all.availableMetadataFormats)
    }
}

extension AVAssetTrack {
    /// The track's items of one format; empty if there are none.
    ///
    /// - Throws: What opening the file fails with, as ``AVAsset`` tells.
    public func loadMetadata(for format: AVMetadataFormat) async throws -> [AVMetadataItem] {
        let (source, track) = (source, track)
        return try await BlockingWork.run { try source.metadataItems(of: track).filter { $0.format == format } }
    }

    /// Every item of the track itself; blocks.
    public var metadata: [AVMetadataItem] { value(TrackProperties.all.metadata) ?? [] }

    /// The track's items that have a key in the common key space; blocks.
    public var commonMetadata: [AVMetadataItem] { value(TrackProperties.all.commonMetadata) ?? [] }

    /// The formats of the track's items; blocks.
    public var availableMetadataFormats: [AVMetadataFormat] {
        value(TrackProperties.all.availableMetadataFormats) ?? []
    }

    /// The track's items of one format; blocks.
    public func metadata(forFormat format: AVMetadataFormat) -> [AVMetadataItem] {
        metadata.filter { $0.format == format }
    }
}

extension AVMetadataItem {
    fileprivate var format: AVMetadataFormat? { keySpace.map { AVMetadataFormat($0) } }
}

extension [AVMetadataItem] {
    /// The items that have a key in the common key space.
    var common: [AVMetadataItem] { filter { $0.commonKey != nil } }

    /// Each format once, in the order of the items.
    var formats: [AVMetadataFormat] {
        reduce(into: []) { formats, item in
            if let format = item.format, !formats.contains(format) { formats.append(format) }
        }
    }
}
