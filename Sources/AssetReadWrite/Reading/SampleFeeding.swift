internal import Foundation
internal import MediaAsset
internal import MediaCore
internal import SampleBuffers

/// What is read of an asset.
struct SampleRequest {
    let asset: AVAsset
    /// On the asset's timeline; `nil` for all.
    let timeRange: CMTimeRange?
    /// Whether damage is no error.
    let allowsDamage: Bool
    let run: ReaderRun

    init(asset: AVAsset, timeRange: CMTimeRange?, allowsDamage: Bool, run: ReaderRun) {
        (self.asset, self.timeRange, self.allowsDamage, self.run) = (asset, timeRange, allowsDamage, run)
    }

    /// Another range of the same.
    init(_ other: SampleRequest, timeRange: CMTimeRange) {
        self.init(asset: other.asset, timeRange: timeRange, allowsDamage: other.allowsDamage, run: other.run)
    }
}

/// Gives the samples of one track, one after the other.
protocol SampleFeeding: AnyObject {
    /// The next sample; blocks until it is there. `nil` after the last one.
    func next() throws -> CMSampleBuffer?
}

/// Gives the samples of several feeds, one feed after the other.
final class SampleFeeds: SampleFeeding {
    private var waiting: [() throws -> any SampleFeeding]
    private var current: (any SampleFeeding)?

    /// - Parameter feeds: What makes them, when it is their turn.
    init(_ feeds: [() throws -> any SampleFeeding]) { waiting = feeds }

    func next() throws -> CMSampleBuffer? {
        while true {
            if let sample = try current?.next() { return sample }
            current = nil
            guard !waiting.isEmpty else { return nil }
            current = try waiting.removeFirst()()
        }
    }
}
