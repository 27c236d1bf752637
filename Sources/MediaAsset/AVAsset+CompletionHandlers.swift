public import Foundation
internal import MediaCore
public import MediaMetadata

// The asynchronous functions for code that does not await. Each calls its handler once, from any thread: with the
// value, or without it and with the error that the asynchronous form throws.

extension AVAsset {
    /// Finds the track with a number, then calls the handler: with `nil` twice if there is none.
    public func loadTrack(
        withTrackID trackID: CMPersistentTrackID,
        completionHandler: @escaping @Sendable (AVAssetTrack?, (any Error)?) -> Void
    ) {
        CompletionHandler.call {
            completionHandler($0 ?? nil, $1)
        } find: {
            try await self.loadTrack(withTrackID: trackID)
        }
    }

    /// Finds the tracks of one kind, in container order, then calls the handler.
    public func loadTracks(
        withMediaType mediaType: AVMediaType,
        completionHandler: @escaping @Sendable ([AVAssetTrack]?, (any Error)?) -> Void
    ) {
        CompletionHandler.call(completionHandler) { try await self.loadTracks(withMediaType: mediaType) }
    }

    /// Finds the tracks whose media have a characteristic, in container order, then calls the handler.
    public func loadTracks(
        withMediaCharacteristic characteristic: AVMediaCharacteristic,
        completionHandler: @escaping @Sendable ([AVAssetTrack]?, (any Error)?) -> Void
    ) {
        CompletionHandler.call(completionHandler) {
            try await self.loadTracks(withMediaCharacteristic: characteristic)
        }
    }

    /// Finds a number that no track has, then calls the handler: with 0 if the file cannot be read.
    public func findUnusedTrackID(
        completionHandler: @escaping @Sendable (CMPersistentTrackID, (any Error)?) -> Void
    ) {
        CompletionHandler.call {
            completionHandler($0 ?? 0, $1)
        } find: {
            try await self.findUnusedTrackID()
        }
    }

    /// Finds the items of one format, in file order, then calls the handler.
    public func loadMetadata(
        for format: AVMetadataFormat,
        completionHandler: @escaping @Sendable ([AVMetadataItem]?, (any Error)?) -> Void
    ) {
        CompletionHandler.call(completionHandler) { try await self.loadMetadata(for: format) }
    }

    /// Finds the chapters with titles in one language, then calls the handler.
    ///
    /// - Parameters:
    ///   - commonKeys: As in `loadChapterMetadataGroups(withTitleLocale:containingItemsWithCommonKeys:)`.
    public func loadChapterMetadataGroups(
        withTitleLocale locale: Locale, containingItemsWithCommonKeys commonKeys: [AVMetadataKey] = [],
        completionHandler: @escaping @Sendable ([AVTimedMetadataGroup]?, (any Error)?) -> Void
    ) {
        CompletionHandler.call(completionHandler) {
            try await self.loadChapterMetadataGroups(
                withTitleLocale: locale, containingItemsWithCommonKeys: commonKeys)
        }
    }

    /// Finds the chapters with titles in the first of several languages that there is, then calls the handler.
    public func loadChapterMetadataGroups(
        bestMatchingPreferredLanguages languages: [String],
        completionHandler: @escaping @Sendable ([AVTimedMetadataGroup]?, (any Error)?) -> Void
    ) {
        CompletionHandler.call(completionHandler) {
            try await self.loadChapterMetadataGroups(bestMatchingPreferredLanguages: languages)
        }
    }
}
