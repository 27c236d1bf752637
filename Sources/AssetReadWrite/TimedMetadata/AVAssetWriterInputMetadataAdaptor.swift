public import Foundation
internal import MediaAsset
internal import MediaContainers
internal import MediaCore
public import MediaMetadata
internal import MetadataFormats
internal import SampleBuffers

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
