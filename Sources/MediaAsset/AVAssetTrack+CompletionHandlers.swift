public import MediaCore
public import MediaMetadata

// As those of AVAsset.

extension AVAssetTrack {
    /// Finds the segment at a time of the asset's timeline, then calls the handler.
    public func loadSegment(
        forTrackTime time: CMTime, completionHandler: @escaping @Sendable (AVAssetTrackSegment?, (any Error)?) -> Void
    ) {
        CompletionHandler.call {
            completionHandler($0 ?? nil, $1)
        } find: {
            try await self.loadSegment(forTrackTime: time)
        }
    }

    /// Finds the media time that is shown at a time of the asset's timeline, then calls the handler.
    public func loadSamplePresentationTime(
        forTrackTime time: CMTime, completionHandler: @escaping @Sendable (CMTime, (any Error)?) -> Void
    ) {
        CompletionHandler.call {
            completionHandler($0 ?? .invalid, $1)
        } find: {
            try await self.loadSamplePresentationTime(forTrackTime: time)
        }
    }

    /// Finds the track's items of one format, in file order, then calls the handler.
    public func loadMetadata(
        for format: AVMetadataFormat,
        completionHandler: @escaping @Sendable ([AVMetadataItem]?, (any Error)?) -> Void
    ) {
        CompletionHandler.call(completionHandler) { try await self.loadMetadata(for: format) }
    }

    /// Finds the tracks that this one refers to in one way, then calls the handler.
    public func loadAssociatedTracks(
        ofType type: AssociationType,
        completionHandler: @escaping @Sendable ([AVAssetTrack]?, (any Error)?) -> Void
    ) {
        CompletionHandler.call(completionHandler) { try await self.loadAssociatedTracks(ofType: type) }
    }
}
