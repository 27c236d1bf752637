public import Foundation
public import MediaMetadata
internal import SampleBuffers

/// Reads timed metadata from an output: what holds when.
///
/// ```swift
/// let output = AVAssetReaderTrackOutput(track: track, outputSettings: nil)
/// let adaptor = AVAssetReaderOutputMetadataAdaptor(assetReaderTrackOutput: output)
/// reader.add(output)
/// guard reader.startReading() else { throw reader.error ?? CocoaError(.fileReadUnknown) }
/// while let group = adaptor.nextTimedMetadataGroup() { use(group.items, during: group.timeRange) }
/// ```
///
/// Of movies, boxed metadata is understood (`mebx`): what iPhones and other programs of AVFoundation's write. Samples of
/// other kinds, such as GoPro's telemetry, are read as they are, by ``AVAssetReaderTrackOutput`` itself.
open class AVAssetReaderOutputMetadataAdaptor: NSObject, @unchecked Sendable {
    // @unchecked Sendable: the output is, and nothing else is here.

    /// The output.
    public let assetReaderTrackOutput: AVAssetReaderTrackOutput

    /// An adaptor of an output.
    ///
    /// - Parameter trackOutput: An output for a track of metadata, without settings.
    public init(assetReaderTrackOutput trackOutput: AVAssetReaderTrackOutput) {
        assetReaderTrackOutput = trackOutput
        super.init()
    }

    /// The next group; blocks until it is there.
    ///
    /// One without items says that nothing holds any more.
    ///
    /// - Returns: `nil` after the last one, and where the reader failed, was cancelled or was not started: its status says
    ///   which. Samples that no group can be made of make it fail.
    open func nextTimedMetadataGroup() -> AVTimedMetadataGroup? {
        assetReaderTrackOutput.copyNextSampleBuffer().flatMap { assetReaderTrackOutput.group(of: $0) }
    }
}

extension AVAssetReaderTrackOutput {
    /// The group that one of its samples is; `nil` for a sample of another kind, at which the reader fails.
    func group(of sample: CMSampleBuffer) -> AVTimedMetadataGroup? {
        let group = AVTimedMetadataGroup(sampleBuffer: sample)
        if group == nil { failReader("its samples are no boxed metadata, of which alone groups are made") }
        return group
    }
}
