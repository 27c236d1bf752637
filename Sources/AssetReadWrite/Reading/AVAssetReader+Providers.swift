internal import Foundation
internal import MediaAsset
public import MediaCore
public import MediaMetadata
public import SampleBuffers

extension AVAssetReader {
    /// Adds an output, and gives what its samples are read by without blocking.
    ///
    /// ```swift
    /// let provider = reader.outputProvider(for: output)
    /// try reader.start()
    /// while let sample = try await provider.next() { use(sample.content) }
    /// ```
    ///
    /// - Note: AVFoundation raises an exception for an output that cannot be added. Here the reader does not start.
    public func outputProvider(
        for output: AVAssetReaderOutput
    ) -> sending AVAssetReaderOutput.Provider<CMReadySampleBuffer<CMSampleBuffer.DynamicContent>> {
        add(output)
        return AVAssetReaderOutput.Provider(output, of: self) { CMReadySampleBuffer(unsafeBuffer: $0) }
    }

    /// As ``outputProvider(for:)``, with what other ranges are asked for by once all samples of one were read.
    ///
    /// - Note: AVFoundation raises an exception for an output that cannot be added. Here the reader does not start.
    public func outputProviderWithRandomAccess(
        for output: AVAssetReaderOutput
    )
        -> sending (
            AVAssetReaderOutput.Provider<CMReadySampleBuffer<CMSampleBuffer.DynamicContent>>,
            AVAssetReaderOutput.RandomAccessController
        )
    {
        output.supportsRandomAccess = true
        return (outputProvider(for: output), AVAssetReaderOutput.RandomAccessController(output))
    }

    /// Adds an output for a track of metadata, and gives what its groups are read by without blocking.
    ///
    /// - Note: AVFoundation raises an exception for an output that cannot be added. Here the reader does not start.
    public func outputMetadataProvider(
        for output: AVAssetReaderTrackOutput
    ) -> sending AVAssetReaderOutput.Provider<AVTimedMetadataGroup> {
        add(output)
        return AVAssetReaderOutput.Provider(output, of: self) { output.group(of: $0) }
    }

    /// As ``outputMetadataProvider(for:)``, with what other ranges are asked for by.
    ///
    /// - Note: AVFoundation raises an exception for an output that cannot be added. Here the reader does not start.
    public func outputMetadataProviderWithRandomAccess(
        for output: AVAssetReaderTrackOutput
    ) -> sending (AVAssetReaderOutput.Provider<AVTimedMetadataGroup>, AVAssetReaderOutput.RandomAccessController) {
        output.supportsRandomAccess = true
        return (outputMetadataProvider(for: output), AVAssetReaderOutput.RandomAccessController(output))
    }
}

extension AVAssetReaderOutput {
    /// What a provider can give.
    public protocol SupportedPayload: Sendable {}

    /// Gives what an output reads, one after the other, without blocking the thread that asks.
    public final class Provider<Payload: SupportedPayload>: Sendable {
        private let output: AVAssetReaderOutput
        private let reader: AVAssetReader
        private let payload: @Sendable (CMSampleBuffer) -> Payload?

        init(
            _ output: AVAssetReaderOutput, of reader: AVAssetReader,
            _ payload: @escaping @Sendable (CMSampleBuffer) -> Payload?
        ) {
            (self.output, self.reader, self.payload) = (output, reader, payload)
        }

        /// What comes next.
        ///
        /// Where the task is cancelled, so is reading.
        ///
        /// - Returns: `nil` after the last one.
        /// - Throws: Why the reader failed; `CancellationError` where it or the task was cancelled;
        ///   `AVError.operationNotAllowed` where it was not started.
        public nonisolated(nonsending) func next() async throws -> Payload? {
            let (output, reader, payload) = (output, reader, payload)
            if Task.isCancelled { reader.cancelReading() }
            return try await BlockingWork.run(cancel: { reader.cancelReading() }) {
                if let next = output.copyNextSampleBuffer().flatMap(payload) { return next }
                try reader.checkIsNotBroken()
                return nil
            }
        }
    }

    /// Asks an output for other ranges.
    public final class RandomAccessController: Sendable {
        private let output: AVAssetReaderOutput

        init(_ output: AVAssetReaderOutput) { self.output = output }

        /// Reads other ranges, once all samples of those before were read; as
        /// ``AVAssetReaderOutput/reset(forReadingTimeRanges:)``.
        ///
        /// - Parameter timeRanges: On the asset's timeline, ascending and apart from each other.
        public func resetForReading(timeRanges: [CMTimeRange]) {
            output.reset(forReadingTimeRanges: timeRanges.map { NSValue(timeRange: $0) })
        }

        /// Says that no more ranges will be asked for.
        public func markConfigurationAsFinal() { output.markConfigurationAsFinal() }
    }
}

extension CMReadySampleBuffer: AVAssetReaderOutput.SupportedPayload where Content == CMSampleBuffer.DynamicContent {}
extension AVTimedMetadataGroup: AVAssetReaderOutput.SupportedPayload {}

extension AVTimedMetadataGroup {
    /// A group of what a sample of timed metadata says; one without items where nothing holds.
    ///
    /// - Returns: `nil` for samples that are no boxed metadata.
    public convenience init?(sampleBuffer: CMReadySampleBuffer<CMSampleBuffer.DynamicContent>) {
        self.init(sampleBuffer: sampleBuffer.withUnsafeSampleBuffer { $0 })
    }
}
