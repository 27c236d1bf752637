internal import Foundation
internal import MediaAsset
internal import MediaContainers
internal import MediaCore
public import MediaMetadata
internal import MetadataFormats
public import SampleBuffers

extension AVTimedMetadataGroup {
    /// A group of what a sample of timed metadata says; one without items where nothing holds.
    ///
    /// - Parameter sampleBuffer: One sample of boxed metadata, with its data.
    /// - Returns: `nil` for samples of another kind.
    public convenience init?(sampleBuffer: CMSampleBuffer) {
        guard let description = CMSampleBufferGetFormatDescription(sampleBuffer)?.boxedMetadata,
            let block = CMSampleBufferGetDataBuffer(sampleBuffer),
            let bytes = block.isEmpty ? [] : try? block.withContiguousStorage({ Array($0) })
        else { return nil }
        let range = CMTimeRange(
            start: CMSampleBufferGetPresentationTimeStamp(sampleBuffer),
            duration: CMSampleBufferGetDuration(sampleBuffer))
        let entries = description.entries(in: bytes).map { entry in
            var entry = entry
            (entry.time, entry.duration) = (range.start, range.duration)
            return entry
        }
        self.init(items: entries.map { AVMetadataItem($0) }, timeRange: range)
    }

    /// A description that has a key for each item, for an input that is to take such groups.
    ///
    /// - Returns: `nil` without items, and where one has no identifier or value, or one that timed metadata cannot have.
    public func copyFormatDescription() -> CMMetadataFormatDescription? {
        let entries = items.compactMap(\.entry)
        guard !items.isEmpty, entries.count == items.count,
            let description = try? BoxedMetadataDescription(describing: entries)
        else { return nil }
        return CMFormatDescription(description)
    }
}
