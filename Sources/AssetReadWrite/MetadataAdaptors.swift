public import Foundation
internal import MediaAsset
internal import MediaContainers
internal import MediaCore
public import MediaMetadata
internal import MetadataFormats
public import SampleBuffers

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

/// Brings timed metadata to an input: what holds when.
///
/// ```swift
/// let input = AVAssetWriterInput(
///     mediaType: .metadata, outputSettings: nil, sourceFormatHint: group.copyFormatDescription())
/// let adaptor = AVAssetWriterInputMetadataAdaptor(assetWriterInput: input)
/// input.addTrackAssociation(withTrackOf: pictures, type: AVAssetTrack.AssociationType.metadataReferent.rawValue)
/// writer.add(input)
/// ```
///
/// MP4 files and QuickTime movies have such tracks.
open class AVAssetWriterInputMetadataAdaptor: NSObject, @unchecked Sendable {
    // @unchecked Sendable: what is written last is behind a lock that is held while a group is taken.

    /// The input.
    public let assetWriterInput: AVAssetWriterInput
    private let appending = NSLock()
    /// Where what was brought last ends; `nil` where it lasts until the next.
    private var end: CMTime?
    /// When what was brought last began.
    private var start: CMTime?

    /// An adaptor of an input.
    ///
    /// - Parameter input: An input for metadata, without settings, with a hint of boxed metadata.
    public init(assetWriterInput input: AVAssetWriterInput) {
        assetWriterInput = input
        super.init()
    }

    /// Brings a group; waits while there are too many.
    ///
    /// Each item has an identifier that a key of the input's hint has, of the same type and language where it names them,
    /// and a value that the type can hold. A group without items says that nothing holds from then on; one whose range has
    /// no length lasts until the next group. Between groups nothing holds.
    ///
    /// - Returns: Whether it was taken; see ``AVAssetWriterInput/append(_:)``.
    /// - Note: Where an item or a time makes no sense, the writer fails; AVFoundation raises an exception.
    open func append(_ timedMetadataGroup: AVTimedMetadataGroup) -> Bool {
        appending.withLock {
            do {
                let range = timedMetadataGroup.timeRange
                let sample = try sample(of: timedMetadataGroup.items, during: range)
                if let end, range.start > end {
                    let gap = try self.sample(of: [], during: CMTimeRange(start: end, end: range.start))
                    guard assetWriterInput.append(gap) else { return false }
                    (start, self.end) = (end, nil)
                }
                guard assetWriterInput.append(sample) else { return false }
                (start, end) = (range.start, range.duration.isNumeric && range.duration > .zero ? range.end : nil)
                return true
            } catch {
                assetWriterInput.failWriter(error)
                return false
            }
        }
    }

    private func sample(of items: [AVMetadataItem], during range: CMTimeRange) throws -> CMSampleBuffer {
        guard let format = assetWriterInput.sourceFormatHint, let description = format.boxedMetadata else {
            throw AVError(
                .incorrectlyConfigured,
                reason: "an input for timed metadata needs a sourceFormatHint of boxed metadata")
        }
        guard range.start.isNumeric else {
            throw AVError(.incorrectlyConfigured, reason: "timed metadata has no time: \(range.start)")
        }
        if let start, range.start <= start {
            throw AVError(
                .incorrectlyConfigured,
                reason: "times go back: metadata at \(range.start.secondsText(decimals: 6)) s comes after some at "
                    + "\(start.secondsText(decimals: 6)) s")
        }
        if let end, range.start < end {
            throw AVError(
                .incorrectlyConfigured,
                reason: "times go back: metadata at \(range.start.secondsText(decimals: 6)) s comes after some that "
                    + "lasts until \(end.secondsText(decimals: 6)) s")
        }
        let entries = try items.map { item in
            guard let entry = item.entry else {
                throw AVError(
                    .incorrectlyConfigured,
                    reason: "an item of timed metadata has no value: \(item.identifier?.rawValue ?? "no identifier")")
            }
            return entry
        }
        let bytes: [UInt8]
        do {
            bytes = try description.sample(of: entries)
        } catch {
            throw AVError(.incorrectlyConfigured, reason: error.reason)
        }
        let timing = CMSampleTimingInfo(
            duration: range.duration.isNumeric && range.duration > .zero ? range.duration : .invalid,
            presentationTimeStamp: range.start, decodeTimeStamp: .invalid)
        return CMSampleBuffer(
            packet: try CMBlockBuffer(copying: bytes), byteCount: bytes.count, format: format, timing: timing,
            dependency: nil)
    }
}

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
