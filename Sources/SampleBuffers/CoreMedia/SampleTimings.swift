internal import Foundation
public import MediaCore

/// When the samples of a buffer are decoded and shown: not known, one for all, or one for each.
struct SampleTimings: Sendable {
    private enum Storage {
        /// Without memory of its own, as most buffers have one sample.
        case one(CMSampleTimingInfo)
        case list([CMSampleTimingInfo])
    }

    private let storage: Storage
    private let count: Int

    /// None, one or as many as there are samples.
    var entries: [CMSampleTimingInfo] {
        switch storage {
        case .one(let timing): [timing]
        case .list(let entries): entries
        }
    }

    /// Times of samples.
    ///
    /// - Throws: `kCMSampleBufferError_InvalidEntryCount`.
    init(_ entries: [CMSampleTimingInfo], count: Int) throws(CoreMediaFailure) {
        guard count >= 0, entries.count <= 1 || entries.count == count else {
            throw CoreMediaFailure(kCMSampleBufferError_InvalidEntryCount)
        }
        self.init(unchecked: entries, count: count)
    }

    private init(unchecked entries: [CMSampleTimingInfo], count: Int) {
        (storage, self.count) = (entries.count == 1 ? .one(entries[0]) : .list(entries), count)
    }

    /// The times of one sample.
    init(_ timing: CMSampleTimingInfo) { (storage, count) = (.one(timing), 1) }

    /// The times of a sample.
    ///
    /// - Throws: `kCMSampleBufferError_SampleIndexOutOfRange`, `kCMSampleBufferError_BufferHasNoSampleTimingInfo`.
    func timing(at index: Int) throws(CoreMediaFailure) -> CMSampleTimingInfo {
        guard (0..<count).contains(index) else { throw CoreMediaFailure(kCMSampleBufferError_SampleIndexOutOfRange) }
        guard let first = entries.first else {
            throw CoreMediaFailure(kCMSampleBufferError_BufferHasNoSampleTimingInfo)
        }
        return entries.count > 1 ? entries[index] : shifted(first, by: index)
    }

    private func shifted(_ timing: CMSampleTimingInfo, by index: Int) -> CMSampleTimingInfo {
        guard index > 0 else { return timing }
        let shift = timing.duration.steps(index)
        var timing = timing
        timing.presentationTimeStamp = timing.presentationTimeStamp + shift
        // The sum of an invalid time is invalid.
        timing.decodeTimeStamp = timing.decodeTimeStamp + shift
        return timing
    }

    /// How long a range of samples lasts: the sum of their durations, without gaps; invalid if it is not known.
    ///
    /// - Parameter range: Samples that there are.
    func duration(of range: Range<Int>) -> CMTime {
        if case .one(let timing) = storage, range.count == 1 { return timing.duration }
        guard entries.count > 1 else { return entries.first?.duration.steps(range.count) ?? .invalid }
        return entries[range].dropFirst().reduce(entries[range].first?.duration ?? .zero) { $0 + $1.duration }
    }

    /// How long all samples last.
    var duration: CMTime { duration(of: 0..<count) }

    /// The earliest time at which a sample is shown; invalid if it is not known.
    var presentationTimeStamp: CMTime {
        if case .one(let timing) = storage { return timing.presentationTimeStamp }
        // Invalid times come after all others.
        return entries.map(\.presentationTimeStamp).min { CMTimeCompare($0, $1) < 0 } ?? .invalid
    }

    /// When the first sample is decoded: samples are in the order of decoding; invalid if it is not known.
    var decodeTimeStamp: CMTime { entries.first?.decodeTimeStamp ?? .invalid }

    /// The times of a range of samples.
    ///
    /// - Parameter range: Samples that there are.
    func part(_ range: Range<Int>) -> SampleTimings {
        if entries.count > 1 { return SampleTimings(unchecked: Array(entries[range]), count: range.count) }
        return SampleTimings(unchecked: entries.map { shifted($0, by: range.lowerBound) }, count: range.count)
    }
}

/// When a sample is decoded and shown, and for how long.
///
/// One can stand for all samples of a buffer that follow one another without gaps and last equally long: its times are
/// those of the first one.
public struct CMSampleTimingInfo: Sendable {
    /// How long the sample lasts; invalid if it is not known.
    public var duration: CMTime
    /// When the sample is shown or heard.
    public var presentationTimeStamp: CMTime
    /// When the sample is decoded; invalid where samples are shown in the order in which they are decoded.
    public var decodeTimeStamp: CMTime

    /// Times that are all invalid.
    public init() { self.init(duration: .invalid, presentationTimeStamp: .invalid, decodeTimeStamp: .invalid) }

    /// Times of a sample.
    public init(duration: CMTime, presentationTimeStamp: CMTime, decodeTimeStamp: CMTime) {
        (self.duration, self.presentationTimeStamp) = (duration, presentationTimeStamp)
        self.decodeTimeStamp = decodeTimeStamp
    }

    /// Times that are all invalid.
    public static let invalid = CMSampleTimingInfo()
}

/// Times that are all invalid.
public let kCMTimingInfoInvalid = CMSampleTimingInfo.invalid

/// When samples are shown once they are trimmed, played faster or slower, or backwards.
struct OutputTiming {
    private let timings: SampleTimings
    private let count: Int
    /// Where the part that is shown begins and ends, before it is moved.
    private let (shownStart, shownEnd): (CMTime, CMTime)
    private let isTrimmed: Bool
    private let isReversed: Bool
    private let speed: Double
    /// How long the part that is shown takes.
    let duration: CMTime
    /// When the first of it is shown.
    let presentationTimeStamp: CMTime
    /// When the first sample would be decoded.
    let decodeTimeStamp: CMTime

    /// The times of samples.
    ///
    /// - Parameters:
    ///   - attachments: Say what is trimmed, how fast samples are played, and whether backwards.
    ///   - stated: When the first of it is shown, invalid to have that calculated.
    init(_ timings: SampleTimings, count: Int, attachments: Attachments, stated: CMTime) {
        let trimAtStart = attachments.time(kCMSampleBufferAttachmentKey_TrimDurationAtStart)
        let trimAtEnd = attachments.time(kCMSampleBufferAttachmentKey_TrimDurationAtEnd)
        let (start, whole) = (timings.presentationTimeStamp, timings.duration)
        (self.timings, self.count) = (timings, count)
        isTrimmed = trimAtStart != nil || trimAtEnd != nil
        isReversed = attachments.number(kCMSampleBufferAttachmentKey_Reverse)?.boolValue ?? false
        speed = attachments.number(kCMSampleBufferAttachmentKey_SpeedMultiplier)?.doubleValue ?? 1
        shownStart = trimAtStart.map { start + $0 } ?? start
        shownEnd = trimAtEnd.map { start + whole - $0 } ?? start + whole
        var shown = whole
        if let trimAtStart { shown = shown - trimAtStart }
        if let trimAtEnd { shown = shown - trimAtEnd }
        duration = shown.played(atSpeed: speed)
        presentationTimeStamp = stated.isValid ? stated : isReversed ? shownEnd : shownStart
        decodeTimeStamp = presentationTimeStamp + (timings.decodeTimeStamp - start).played(atSpeed: speed)
    }

    /// One for all samples where that can say it all, otherwise one for each.
    var timingInfos: [CMSampleTimingInfo] {
        if timings.entries.count == 1, !isTrimmed, !isReversed { return timings.entries.map { moved($0) } }
        return (0..<(timings.entries.isEmpty ? 0 : count)).compactMap { try? timings.timing(at: $0) }.map { moved($0) }
    }

    /// The times of a sample: of the part of it that is shown.
    private func moved(_ timing: CMSampleTimingInfo) -> CMSampleTimingInfo {
        let start = max(timing.presentationTimeStamp, isTrimmed ? shownStart : timing.presentationTimeStamp)
        let end = isTrimmed ? min(timing.presentationTimeStamp + timing.duration, shownEnd) : nil
        let duration = end.map { max($0 - start, .zero) } ?? timing.duration
        let lead = isReversed ? shownEnd - (start + duration) : start - shownStart
        let decodeLead = timing.decodeTimeStamp - timings.presentationTimeStamp
        return CMSampleTimingInfo(
            duration: duration.played(atSpeed: speed),
            presentationTimeStamp: presentationTimeStamp + lead.played(atSpeed: speed),
            decodeTimeStamp: presentationTimeStamp + decodeLead.played(atSpeed: speed))
    }
}

extension CMTime {
    /// The time so many steps long.
    ///
    /// - Parameter count: At least 0.
    func steps(_ count: Int) -> CMTime {
        let most = Int(Int32.max)
        let rest = CMTimeMultiply(self, multiplier: Int32(count % most))
        guard count >= most else { return rest }
        let many = CMTimeMultiply(self, multiplier: .max)
        return CMTimeMultiply(many, multiplier: Int32(clamping: count / most)) + rest
    }

    /// The time as it is at another speed, exactly wherever the speed is a short fraction.
    ///
    /// - Parameter speed: Above 0; others make the time invalid.
    func played(atSpeed speed: Double) -> CMTime {
        guard speed > 0, speed.isFinite else { return .invalid }
        guard speed != 1 else { return self }
        var (numerator, denominator) = (speed, Int32(1))
        while denominator < 1 << 20, numerator != numerator.rounded() {
            numerator *= 2
            denominator *= 2
        }
        guard let numerator = Int32(exactly: numerator) else {
            return CMTimeMultiplyByFloat64(self, multiplier: 1 / speed)
        }
        return CMTimeMultiplyByRatio(self, multiplier: denominator, divisor: numerator)
    }
}

extension Attachments {
    /// The time that is attached by a key in its dictionary form, `nil` if there is none.
    func time(_ key: CFString) -> CMTime? {
        guard let dictionary = self[String(describing: key)]?.value as? NSDictionary,
            let value = dictionary.number(kCMTimeValueKey), let timescale = dictionary.number(kCMTimeScaleKey),
            let flags = dictionary.number(kCMTimeFlagsKey)
        else { return nil }
        return CMTime(
            value: value.int64Value, timescale: timescale.int32Value, flags: CMTimeFlags(rawValue: flags.uint32Value),
            epoch: dictionary.number(kCMTimeEpochKey)?.int64Value ?? 0)
    }

    /// The number that is attached by a key, `nil` if there is none.
    func number(_ key: CFString) -> NSNumber? { self[String(describing: key)]?.value as? NSNumber }

    /// Attaches how much is not to be heard or seen, nothing if that is not a time above 0.
    mutating func setTrim(_ time: CMTime, by key: CFString) {
        guard time.isNumeric, time > .zero, let dictionary = CMTimeCopyAsDictionary(time, allocator: nil) else {
            self[String(describing: key)] = nil
            return
        }
        self[String(describing: key)] = Attachment(value: dictionaryObject(dictionary), mode: .shouldPropagate)
    }
}

extension NSDictionary {
    /// The number by a key, `nil` if there is none.
    fileprivate func number(_ key: String) -> NSNumber? {
        object(forKey: NSString(string: key)).flatMap { dictionaryObject($0) as? NSNumber }
    }
}
