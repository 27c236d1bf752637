internal import FFmpegKit
internal import MediaCore

/// Counts the samples of coded sound.
///
/// Where the container tells coarse times and packets follow each other, a time that was rounded to milliseconds moves
/// nothing.
struct SoundClock {
    /// A time of one sample.
    let base: TimeBase
    private let info: StreamInfo
    /// What rounding has taken from the first times.
    private let shift: CMTime
    /// How far a told time may be from a counted one, in samples.
    private let tolerance: Int64
    /// When the stream's first packet is heard.
    private let first: Int64?
    private var next: Int64?

    /// `nil` where nothing tells how many samples packets have, and but for PCM for streams whose times are exact.
    init?(_ info: StreamInfo, in container: Container) {
        let rate = info.codec == .opus ? 48_000 : info.audio?.sampleRate ?? 0
        guard info.kind == .audio, container.isMatroska || info.audio?.bytesPerFrame != nil, info.tellsSoundLengths,
            let denominator = Int32(exactly: rate), denominator > 0
        else { return nil }
        self.info = info
        base = TimeBase(numerator: 1, denominator: denominator)
        // libavformat takes what decoders leave out from times in whole ticks.
        shift = info.timeBase.time(of: info.timeBase.ticks(nearest: info.preSkip)) - info.preSkip
        // Times of frames in one block are shares of its length, cut off.
        let isExact = info.timeBase.numerator == 1 && info.timeBase.denominator % denominator == 0
        tolerance = isExact ? 0 : base.ticks(atOrAfter: info.timeBase.time(of: 3))
        let shift = shift
        first = info.startTicks.map { [base] in base.ticks(nearest: info.timeBase.time(of: $0) + shift) }
            .flatMap { $0.magnitude < 1 << 60 ? $0 : nil }
    }

    /// The next packet's time and length in samples, on the source's timeline, without what decoders leave out at its
    /// end; `nil` where it does not tell.
    mutating func timed(_ packet: Packet) -> (start: Int64, duration: Int64)? {
        guard let ticks = packet.presentationTicks else {
            next = nil
            return nil
        }
        let told = base.ticks(nearest: info.timeBase.time(of: ticks) + shift)
        // Sums of a few such times stay within 64 bits.
        guard told.magnitude < 1 << 60 else {
            next = nil
            return nil
        }
        let toldLength = packet.durationTicks.map { base.ticks(nearest: info.timeBase.time(of: $0)) }
        guard let length = info.soundLength(of: packet) else {
            next = nil
            return toldLength.map { (told, $0) }
        }
        let start = next.map { abs(told - $0) <= tolerance ? $0 : told } ?? counted(told, length)
        next = start + length
        // It may have been cut on purpose.
        let heard = toldLength.map { $0 + tolerance < length ? $0 : length } ?? length
        return (start, max(0, min(heard, length - packet.samplesLeftOutAtEnd)))
    }

    /// When a packet amid the stream begins, if those before it were as long.
    private func counted(_ told: Int64, _ length: Int64) -> Int64 {
        guard let first, tolerance > 0, length > 2 * tolerance, told > first else { return told }
        let start = first + (told - first + length / 2) / length * length
        return abs(start - told) <= tolerance / 3 ? start : told
    }
}
