internal import FFmpegKit
internal import MediaCore

/// Counts the samples of coded sound whose container tells coarse times: where packets follow each other, a time that was
/// rounded to milliseconds moves nothing.
struct SoundClock {
    /// A time of one sample.
    let base: TimeBase
    private let info: StreamInfo
    /// What rounding has taken from the first times.
    private let shift: CMTime
    /// How far a told time may be from a counted one, in samples.
    private let tolerance: Int64
    private var next: Int64?

    /// `nil` for streams whose times are exact, and where nothing tells how many samples packets have.
    init?(_ info: StreamInfo, in container: Container) {
        let rate = info.codec == .opus ? 48_000 : info.audio?.sampleRate ?? 0
        guard info.kind == .audio, container.isMatroska, info.tellsSoundLengths,
            let denominator = Int32(exactly: rate), denominator > 0
        else { return nil }
        self.info = info
        base = TimeBase(numerator: 1, denominator: denominator)
        // libavformat takes what decoders leave out from times in whole ticks.
        shift = info.timeBase.time(of: info.timeBase.ticks(nearest: info.preSkip)) - info.preSkip
        // Times of frames in one block are shares of its length, cut off.
        tolerance = base.ticks(atOrAfter: info.timeBase.time(of: 3))
    }

    /// The next packet's time and length in samples, on the source's timeline, without what decoders leave out at its
    /// end; `nil` where it does not tell.
    mutating func timed(_ packet: Packet) -> (start: Int64, duration: Int64)? {
        guard let ticks = packet.presentationTicks else {
            next = nil
            return nil
        }
        let told = base.ticks(nearest: info.timeBase.time(of: ticks) + shift)
        let toldLength = packet.durationTicks.map { base.ticks(nearest: info.timeBase.time(of: $0)) }
        guard let length = info.soundLength(of: packet) else {
            next = nil
            return toldLength.map { (told, $0) }
        }
        let start = next.map { abs(told - $0) <= tolerance ? $0 : told } ?? told
        next = start + length
        // It may have been cut on purpose.
        let heard = toldLength.map { $0 + tolerance < length ? $0 : length } ?? length
        return (start, max(0, min(heard, length - packet.samplesLeftOutAtEnd)))
    }
}
