internal import Foundation
internal import MediaCore

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
