public import Foundation
public import MediaCore
public import SampleBuffers

/// A position among the samples of a track, which can be moved.
///
/// Made by `AVAssetTrack.makeSampleCursor(presentationTimeStamp:)` and its like, which read all packets of the file
/// once, undecoded. Times are on the asset's timeline, after edit lists; what an edit list hides lies before zero or
/// after the end.
///
/// A cursor is for one thread at a time.
///
/// - Note: AVFoundation's times are those of the track's media.
open class AVSampleCursor: NSObject, NSCopying {
    private let track: TrackDescription
    private let samples: TrackSamples
    /// The sample's number in decode order.
    private var number: Int

    init(track: TrackDescription, samples: TrackSamples, number: Int) {
        (self.track, self.samples, self.number) = (track, samples, number)
        super.init()
    }

    /// Another cursor at the same position.
    open func copy(with zone: NSZone? = nil) -> Any { AVSampleCursor(track: track, samples: samples, number: number) }

    private var sample: TrackSamples.Sample { samples.samples[number] }

    // MARK: Moving

    /// Moves on by so many samples in the order in which they are decoded, and stops at the first and the last one.
    ///
    /// - Parameter stepCount: Negative to move back.
    /// - Returns: By how many samples it moved, with the sign of the count.
    @discardableResult
    open func stepInDecodeOrder(byCount stepCount: Int64) -> Int64 {
        let (target, moved) = Self.step(from: number, by: stepCount, of: samples.samples.count)
        number = target
        return moved
    }

    /// Moves on by so many samples in the order in which they are shown or heard, and stops at the first and the last
    /// one.
    ///
    /// - Parameter stepCount: Negative to move back.
    /// - Returns: By how many samples it moved, with the sign of the count.
    @discardableResult
    open func stepInPresentationOrder(byCount stepCount: Int64) -> Int64 {
        let (target, moved) = Self.step(from: samples.ranks[number], by: stepCount, of: samples.presented.count)
        number = samples.presented[target]
        return moved
    }

    private static func step(from position: Int, by count: Int64, of total: Int) -> (Int, Int64) {
        let wanted = Int64(position).addingReportingOverflow(count)
        let last = Int64(max(0, total - 1))
        let target = wanted.overflow ? (count < 0 ? 0 : last) : min(max(0, wanted.partialValue), last)
        return (Int(target), target - Int64(position))
    }

    /// Moves by a time, to the sample that is shown or heard then.
    ///
    /// - Parameters:
    ///   - deltaPresentationTime: On the asset's timeline; negative to move back.
    ///   - outWasPinned: Set to whether the time lies before the first sample or after the end of the last one.
    /// - Returns: By how much the presentation time changed; zero if the time is not numeric.
    @discardableResult
    open func step(
        byPresentationTime deltaPresentationTime: CMTime, wasPinned outWasPinned: UnsafeMutablePointer<ObjCBool>?
    ) -> CMTime {
        let start = presentationTimeStamp
        let wanted = start + deltaPresentationTime
        guard wanted.isNumeric, let target = samples.number(presentedAt: wanted) else { return .zero }
        number = target
        let end = presentationTimeStamp + currentSampleDuration
        let isLast = samples.ranks[number] == samples.presented.count - 1
        outWasPinned?.pointee = ObjCBool(wanted < presentationTimeStamp || (isLast && wanted >= end))
        return presentationTimeStamp - start
    }

    // MARK: Where it is

    /// When the sample is shown or heard, on the asset's timeline.
    open var presentationTimeStamp: CMTime { samples.time(of: sample.presentation) }

    /// When the sample is to be decoded, on the asset's timeline; invalid where the container has no such times.
    open var decodeTimeStamp: CMTime { samples.time(of: sample.decode) }

    /// Which of two cursors of one track stands at a sample that is decoded earlier.
    open func comparePositionInDecodeOrder(withPositionOf cursor: AVSampleCursor) -> ComparisonResult {
        number == cursor.number ? .orderedSame : number < cursor.number ? .orderedAscending : .orderedDescending
    }

    /// Whether a sample that is decoded before this one may be shown after that of another cursor of the track.
    open func samplesWithEarlierDecodeTimeStampsMayHaveLaterPresentationTimeStamps(
        than cursor: AVSampleCursor
    ) -> Bool {
        samples.samples[..<number].contains { $0.presentation > cursor.sample.presentation }
    }

    /// Whether a sample that is decoded after this one may be shown before that of another cursor of the track.
    open func samplesWithLaterDecodeTimeStampsMayHaveEarlierPresentationTimeStamps(
        than cursor: AVSampleCursor
    ) -> Bool {
        samples.samples[number...].dropFirst().contains { $0.presentation < cursor.sample.presentation }
    }

    // MARK: The sample

    /// How long the sample lasts; zero where the container does not say.
    open var currentSampleDuration: CMTime { samples.duration(of: sample.duration) }

    /// How the sample is coded.
    open func copyCurrentSampleFormatDescription() -> CMFormatDescription { CMFormatDescription(track: track) }

    /// Whether decoding can begin at the sample, by the container's flags.
    open var currentSampleSyncInfo: AVSampleCursorSyncInfo {
        AVSampleCursorSyncInfo(
            sampleIsFullSync: ObjCBool(sample.isSync), sampleIsPartialSync: false,
            sampleIsDroppable: ObjCBool(sample.isDroppable))
    }

    /// Where the sample's bytes lie in the file; the offset is -1 where the container does not tell.
    open var currentSampleStorageRange: AVSampleCursorStorageRange {
        AVSampleCursorStorageRange(offset: sample.position ?? -1, length: Int64(sample.byteCount))
    }

    /// How many samples before this one have to be decoded for it: those back to the last sync sample.
    open var samplesRequiredForDecoderRefresh: Int {
        guard let sync = samples.samples[...number].lastIndex(where: \.isSync) else { return number }
        return number - sync
    }
}

/// Where bytes lie in a file.
public struct AVSampleCursorStorageRange: Sendable {
    /// The first byte, counted from the beginning of the file.
    public var offset: Int64
    /// How many bytes there are.
    public var length: Int64

    /// Makes a range.
    public init(offset: Int64, length: Int64) { (self.offset, self.length) = (offset, length) }

    /// Makes an empty range at the beginning.
    public init() { self.init(offset: 0, length: 0) }
}

/// Whether decoding can begin at a sample.
public struct AVSampleCursorSyncInfo: Sendable {
    /// Whether neither it nor what follows needs samples before it.
    public var sampleIsFullSync: ObjCBool
    /// Whether what follows is right after some samples; never true here.
    public var sampleIsPartialSync: ObjCBool
    /// Whether no other sample depends on it, as far as the container says.
    public var sampleIsDroppable: ObjCBool

    /// Makes the facts of a sample.
    public init(sampleIsFullSync: ObjCBool, sampleIsPartialSync: ObjCBool, sampleIsDroppable: ObjCBool) {
        self.sampleIsFullSync = sampleIsFullSync
        self.sampleIsPartialSync = sampleIsPartialSync
        self.sampleIsDroppable = sampleIsDroppable
    }

    /// Makes the facts of a sample of which nothing is known.
    public init() { self.init(sampleIsFullSync: false, sampleIsPartialSync: false, sampleIsDroppable: false) }
}

// Each reads all packets of the file the first time, undecoded, and blocks for that.

extension AVAssetTrack {
    /// A cursor at the sample that is shown or heard at a time; blocks.
    ///
    /// - Parameter presentationTimeStamp: On the asset's timeline. Before the first sample the cursor stands at the
    ///   first one, after the last one at the last; so it does for infinite times.
    /// - Returns: `nil` without samples, for invalid and indefinite times, for a pipe that is not read to its end, and
    ///   if the file cannot be read.
    /// - Complexity: The first call reads all packets of the file, without decoding; what they tell is kept.
    public func makeSampleCursor(presentationTimeStamp: CMTime) -> AVSampleCursor? {
        if presentationTimeStamp == .negativeInfinity {
            return makeSampleCursor { $0.presented.first }
        }
        if presentationTimeStamp == .positiveInfinity {
            return makeSampleCursor { $0.presented.last }
        }
        guard presentationTimeStamp.isNumeric else { return nil }
        return makeSampleCursor { $0.number(presentedAt: presentationTimeStamp) }
    }

    /// A cursor at the sample that is decoded first; blocks.
    ///
    /// - Returns: `nil` where `makeSampleCursor(presentationTimeStamp:)` gives it.
    public func makeSampleCursorAtFirstSampleInDecodeOrder() -> AVSampleCursor? {
        makeSampleCursor { $0.samples.indices.first }
    }

    /// A cursor at the sample that is decoded last; blocks.
    ///
    /// - Returns: `nil` where `makeSampleCursor(presentationTimeStamp:)` gives it.
    public func makeSampleCursorAtLastSampleInDecodeOrder() -> AVSampleCursor? {
        makeSampleCursor { $0.samples.indices.last }
    }

    private func makeSampleCursor(at position: (TrackSamples) -> Int?) -> AVSampleCursor? {
        guard canProvideSampleCursors, let samples = try? source.samples(stream: track.streamIndex),
            let number = position(samples)
        else { return nil }
        return AVSampleCursor(track: track, samples: samples, number: number)
    }
}
