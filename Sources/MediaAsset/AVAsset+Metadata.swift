public import Foundation
internal import MediaConcurrency
public import MediaLoading
public import MediaMetadata

extension AVPartialAsyncProperty where Root: AVAsset {
    /// Every item of the asset, of all formats, in file order.
    public static var metadata: AVAsyncProperty<Root, [AVMetadataItem]> {
        AVAsyncProperty("metadata") { try $0.source.metadataItems() }
    }

    /// The items that have a key in the common key space.
    public static var commonMetadata: AVAsyncProperty<Root, [AVMetadataItem]> {
        AVAsyncProperty("commonMetadata") { try $0.source.metadataItems().filter { $0.commonKey != nil } }
    }

    /// The formats of the asset's items.
    public static var availableMetadataFormats: AVAsyncProperty<Root, [AVMetadataFormat]> {
        AVAsyncProperty("availableMetadataFormats") { try $0.source.metadataItems().formats }
    }

    /// When the asset was made: an item of the file, else the header's date as
    /// an item of the common key space.
    public static var creationDate: AVAsyncProperty<Root, AVMetadataItem?> {
        AVAsyncProperty("creationDate") { try $0.source.creationDate() }
    }

    /// The words that are sung or spoken.
    public static var lyrics: AVAsyncProperty<Root, String?> {
        AVAsyncProperty("lyrics") { try $0.source.metadataItems().lyrics }
    }

    /// The languages that chapter titles are written in; `und` where the file
    /// names none.
    public static var availableChapterLocales: AVAsyncProperty<Root, [Locale]> {
        AVAsyncProperty("availableChapterLocales") { try $0.source.chapterMetadata().locales }
    }
}

extension AVAsset {
    /// The items of one format; empty if there are none.
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
    /// - Note: Beyond AVFoundation, lists of Nero, Matroska and Vorbis comments
    ///   are chapters too. Chapters within chapters follow the one that they are in.
    public func loadChapterMetadataGroups(
        withTitleLocale locale: Locale, containingItemsWithCommonKeys commonKeys: [AVMetadataKey] = []
    ) async throws -> [AVTimedMetadataGroup] {
        let source = source
        return try await BlockingWork.run {
            try source.chapterMetadata().groups(
                locale: locale, withArtwork: commonKeys.contains(AVMetadataKey(rawValue: "artwork")))
        }
    }

    /// The chapters with titles in the first of several languages that there is.
    ///
    /// Titles without a language match none.
    public func loadChapterMetadataGroups(
        bestMatchingPreferredLanguages languages: [String]
    ) async throws -> [AVTimedMetadataGroup] {
        let source = source
        return try await BlockingWork.run { try source.chapterMetadata().groups(languages: languages) }
    }

    /// The normalised view of the asset's metadata, beyond AVFoundation's API.
    public func loadMediaItem() async throws -> MediaItem {
        let source = source
        return try await BlockingWork.run { MediaItem(entries: try source.metadata().entries) }
    }

    /// All metadata of the file as readers give it.
    package func loadFileMetadata() async throws -> FileMetadata {
        let source = source
        return try await BlockingWork.run { try source.metadata() }
    }

    /// The lists of chapters that players should use, on the asset's timeline.
    package func loadPreferredChapterLists() async throws -> [ChapterList] {
        let source = source
        return try await BlockingWork.run { try source.chapterMetadata().preferredLists }
    }

    /// The chapters as the file lists them, on the asset's timeline, beyond
    /// AVFoundation's API.
    public func loadChapterLists() async throws -> [ChapterList] {
        let source = source
        return try await BlockingWork.run { try source.chapterMetadata().lists }
    }
}

extension AVAsset {
    /// Every item of the asset; blocks.
    ///
    /// Empty if the file cannot be read.
    public var metadata: [AVMetadataItem] { (try? source.metadataItems()) ?? [] }

    /// The items that have a key in the common key space; blocks.
    public var commonMetadata: [AVMetadataItem] { metadata.filter { $0.commonKey != nil } }

    /// The formats of the asset's items; blocks.
    public var availableMetadataFormats: [AVMetadataFormat] { metadata.formats }

    /// The items of one format; blocks.
    public func metadata(forFormat format: AVMetadataFormat) -> [AVMetadataItem] {
        metadata.filter { $0.format == format }
    }

    /// When the asset was made; blocks.
    public var creationDate: AVMetadataItem? { (try? source.creationDate()) ?? nil }

    /// The words that are sung or spoken; blocks.
    public var lyrics: String? { metadata.lyrics }

    /// The languages that chapter titles are written in; blocks.
    public var availableChapterLocales: [Locale] { (try? source.chapterMetadata().locales) ?? [] }

    /// The chapters with titles in one language; blocks.
    public func chapterMetadataGroups(
        withTitleLocale locale: Locale, containingItemsWithCommonKeys commonKeys: [AVMetadataKey]? = nil
    ) -> [AVTimedMetadataGroup] {
        let withArtwork = commonKeys?.contains(AVMetadataKey(rawValue: "artwork")) ?? false
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
        AVAsyncProperty("metadata") { try $0.source.metadataItems(of: $0.track) }
    }

    /// The track's items that have a key in the common key space.
    public static var commonMetadata: AVAsyncProperty<Root, [AVMetadataItem]> {
        AVAsyncProperty("commonMetadata") { track in
            try track.source.metadataItems(of: track.track).filter { $0.commonKey != nil }
        }
    }

    /// The formats of the track's items.
    public static var availableMetadataFormats: AVAsyncProperty<Root, [AVMetadataFormat]> {
        AVAsyncProperty("availableMetadataFormats") { try $0.source.metadataItems(of: $0.track).formats }
    }
}

extension AVAssetTrack {
    /// The track's items of one format; empty if there are none.
    public func loadMetadata(for format: AVMetadataFormat) async throws -> [AVMetadataItem] {
        let (source, track) = (source, track)
        return try await BlockingWork.run { try source.metadataItems(of: track).filter { $0.format == format } }
    }

    /// Every item of the track itself; blocks.
    public var metadata: [AVMetadataItem] { (try? source.metadataItems(of: track)) ?? [] }

    /// The track's items that have a key in the common key space; blocks.
    public var commonMetadata: [AVMetadataItem] { metadata.filter { $0.commonKey != nil } }

    /// The formats of the track's items; blocks.
    public var availableMetadataFormats: [AVMetadataFormat] { metadata.formats }

    /// The track's items of one format; blocks.
    public func metadata(forFormat format: AVMetadataFormat) -> [AVMetadataItem] {
        metadata.filter { $0.format == format }
    }
}

extension AVMetadataItem {
    fileprivate var format: AVMetadataFormat? { keySpace.map { AVMetadataFormat($0) } }
}

extension [AVMetadataItem] {
    /// Each format once, in the order of the items.
    fileprivate var formats: [AVMetadataFormat] {
        reduce(into: []) { formats, item in
            if let format = item.format, !formats.contains(format) { formats.append(format) }
        }
    }

    /// The text of the first item that holds lyrics.
    fileprivate var lyrics: String? {
        let identifiers = ["itsk/%A9lyr", "id3/USLT", "id3/%00ULT", "vorb/LYRICS", "vorb/UNSYNCEDLYRICS", "mkv/LYRICS"]
        return first { item in identifiers.contains(item.identifier?.rawValue.uppercasingVorbisKey ?? "") }?.stringValue
    }
}

extension String {
    /// Vorbis field names know no case.
    fileprivate var uppercasingVorbisKey: String {
        hasPrefix("vorb/") ? "vorb/" + dropFirst(5).uppercased() : self
    }
}
