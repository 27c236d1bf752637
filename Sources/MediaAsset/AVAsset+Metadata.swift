public import Foundation
public import MediaCore
internal import MediaIO
public import MediaMetadata
package import MetadataFormats

extension AVPartialAsyncProperty where Root: AVAsset {
    /// Every item of the asset, of all formats, in file order; empty if there are none.
    ///
    /// Files of formats that the library does not read itself have FFmpeg's tags, in `AVMetadataKeySpace.libavformat`.
    public static var metadata: AVAsyncProperty<Root, [AVMetadataItem]> {
        property(AssetProperties.all.metadata)
    }

    /// The items that have a key in the common key space.
    public static var commonMetadata: AVAsyncProperty<Root, [AVMetadataItem]> {
        property(AssetProperties.all.commonMetadata)
    }

    /// The formats of the asset's items, each once, in the order of the items.
    public static var availableMetadataFormats: AVAsyncProperty<Root, [AVMetadataFormat]> {
        property(AssetProperties.all.availableMetadataFormats)
    }

    /// When the asset was made: an item of the file, else the header's date as
    /// an item of the common key space; `nil` if the file says neither.
    public static var creationDate: AVAsyncProperty<Root, AVMetadataItem?> {
        property(AssetProperties.all.creationDate)
    }

    /// The words that are sung or spoken; `nil` if the file has none.
    public static var lyrics: AVAsyncProperty<Root, String?> {
        property(AssetProperties.all.lyrics)
    }

    /// The languages that chapter titles are written in, each once, in file order; `und` where the file
    /// names none.
    ///
    /// Of the lists that a file has, those count that players should use, and no hidden chapters.
    public static var availableChapterLocales: AVAsyncProperty<Root, [Locale]> {
        property(AssetProperties.all.availableChapterLocales)
    }
}

extension AVAsset {
    /// The items of one format, in file order; empty if there are none.
    ///
    /// - Throws: What opening the file fails with, as ``AVAsset`` tells.
    /// - Complexity: Reads all metadata once for the asset.
    public func loadMetadata(for format: AVMetadataFormat) async throws -> [AVMetadataItem] {
        let source = source
        return try await BlockingWork.run { try source.metadataItems().filter { $0.format == format } }
    }

    /// The chapters with titles in one language.
    ///
    /// - Parameters:
    ///   - locale: One of `availableChapterLocales`; its whole identifier has to be a title's language.
    ///   - commonKeys: What else is wanted for each chapter; only
    ///     `commonKeyArtwork` is possible.
    /// - Returns: A group for each chapter that has such a title and is neither hidden nor disabled, in file
    ///   order, on the asset's timeline, with a title item whose time is the group's; empty if there are none.
    /// - Throws: What opening the file fails with, as ``AVAsset`` tells.
    /// - Complexity: Opens the file and reads all metadata, once for the asset.
    /// - Note: Beyond AVFoundation, lists of Nero, Matroska, Vorbis comments and cue sheets
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

    /// The chapters with titles in the first of several languages that there is, with their artwork.
    ///
    /// A language matches its variants, if not itself: `en` is found by `en-GB` and the other way round. Titles
    /// without a language match `und` alone.
    ///
    /// - Returns: As `loadChapterMetadataGroups(withTitleLocale:containingItemsWithCommonKeys:)`.
    /// - Throws: What opening the file fails with, as ``AVAsset`` tells.
    /// - Complexity: Opens the file and reads all metadata, once for the asset.
    /// - Note: Beyond AVFoundation, lists of Nero, Matroska, Vorbis comments and cue sheets are chapters too.
    public func loadChapterMetadataGroups(
        bestMatchingPreferredLanguages languages: [String]
    ) async throws -> [AVTimedMetadataGroup] {
        let source = source
        return try await BlockingWork.run { try source.chapterMetadata().groups(languages: languages) }
    }

    /// The normalised view of the asset's metadata, beyond AVFoundation's API.
    ///
    /// - Throws: What opening the file fails with, as ``AVAsset`` tells.
    /// - Complexity: Reads all metadata once for the asset.
    public func loadMediaItem() async throws -> MediaItem {
        let source = source
        return try await BlockingWork.run { MediaItem(entries: try source.metadata().entries) }
    }

    /// All metadata of the file as readers give it.
    package func loadFileMetadata() async throws -> FileMetadata {
        let source = source
        return try await BlockingWork.run(cancel: { source.cancelReading() }) { try source.metadata() }
    }

    /// The file's metadata for changing; a pipe's, which is read to its end for that, for changed copies only.
    package func loadMetadataFile() async throws -> MetadataFile {
        let source = source
        return try await BlockingWork.run(cancel: { source.cancelReading() }) {
            let (shared, input) = (try source.completeFile(), source.input)
            // What changes a file in place has to see that this asset reads it, and opens it by itself.
            let isShared = input.access.isBrokered || input.pipe != nil
            let file = isShared ? shared : RandomAccessFile(path: input.path, limits: source.limits)
            return try MetadataFile(file, path: input.path, access: input.access)
        }
    }

    /// The lists of chapters that players should use, on the asset's timeline.
    package func loadPreferredChapterLists() async throws -> [ChapterList] {
        let source = source
        return try await BlockingWork.run { try source.chapterMetadata().preferredLists }
    }

    /// The chapters as the file lists them, all lists of it, on the asset's timeline, beyond
    /// AVFoundation's API.
    ///
    /// Each chapter has an end: its own, else the next one's start, else the asset's end.
    ///
    /// - Throws: What opening the file fails with, as ``AVAsset`` tells.
    /// - Complexity: Opens the file and reads all metadata, once for the asset.
    public func loadChapterLists() async throws -> [ChapterList] {
        let source = source
        return try await BlockingWork.run { try source.chapterMetadata().lists }
    }
}

extension AVAsset {
    /// Every item of the asset, in file order; blocks.
    ///
    /// Empty if the file cannot be read, as the other lists of items and chapters that block.
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

    /// When the asset was made, `nil` if the file does not say or cannot be read; blocks.
    public var creationDate: AVMetadataItem? { value(AssetProperties.all.creationDate) ?? nil }

    /// The words that are sung or spoken, `nil` if there are none or the file cannot be read; blocks.
    public var lyrics: String? { value(AssetProperties.all.lyrics) ?? nil }

    /// The languages that chapter titles are written in; blocks.
    public var availableChapterLocales: [Locale] { value(AssetProperties.all.availableChapterLocales) ?? [] }

    /// The chapters with titles in one language; blocks.
    ///
    /// - Returns: As `loadChapterMetadataGroups(withTitleLocale:containingItemsWithCommonKeys:)`, with what is beyond
    ///   AVFoundation.
    public func chapterMetadataGroups(
        withTitleLocale locale: Locale, containingItemsWithCommonKeys commonKeys: [AVMetadataKey]? = nil
    ) -> [AVTimedMetadataGroup] {
        let withArtwork = commonKeys?.contains(.commonKeyArtwork) ?? false
        return (try? source.chapterMetadata().groups(locale: locale, withArtwork: withArtwork)) ?? []
    }

    /// The chapters with titles in the first of several languages that there is; blocks.
    ///
    /// - Returns: As `loadChapterMetadataGroups(bestMatchingPreferredLanguages:)`, with what is beyond AVFoundation.
    public func chapterMetadataGroups(bestMatchingPreferredLanguages languages: [String]) -> [AVTimedMetadataGroup] {
        (try? source.chapterMetadata().groups(languages: languages)) ?? []
    }
}

extension AVPartialAsyncProperty where Root: AVAssetTrack {
    /// Every item of the track itself, in file order; empty if there are none.
    public static var metadata: AVAsyncProperty<Root, [AVMetadataItem]> {
        property(TrackProperties.all.metadata)
    }

    /// The track's items that have a key in the common key space.
    public static var commonMetadata: AVAsyncProperty<Root, [AVMetadataItem]> {
        property(TrackProperties.all.commonMetadata)
    }

    /// The formats of the track's items, each once, in the order of the items.
    public static var availableMetadataFormats: AVAsyncProperty<Root, [AVMetadataFormat]> {
        property(TrackProperties.all.availableMetadataFormats)
    }
}

extension AVAssetTrack {
    /// The track's items of one format, in file order; empty if there are none.
    ///
    /// - Throws: What opening the file fails with, as ``AVAsset`` tells.
    /// - Complexity: Reads all metadata once for the asset.
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
