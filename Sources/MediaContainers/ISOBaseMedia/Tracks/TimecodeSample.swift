internal import MediaIO

/// The description of a timecode track, as far as advancing its start needs it.
///
/// Source: QuickTime File Format, timecode media.
struct TimecodeDescription {
    private let flags: UInt32
    private let timescale: UInt32
    private let frameDuration: UInt32
    private let framesPerSecond: UInt8

    /// - Parameter entry: The sample entry's content after its type.
    init?(_ entry: SampleEntry) {
        guard entry.type == "tmcd", entry.content.count >= 25 else { return nil }
        let table = TableBytes(bytes: entry.content)
        (flags, timescale, frameDuration) = (table.u32(12), table.u32(16), table.u32(20))
        framesPerSecond = entry.content[24]
        guard timescale > 0, frameDuration > 0, framesPerSecond > 0 else { return nil }
    }

    /// A sample that begins later.
    ///
    /// - Parameters:
    ///   - sample: A frame number, or a counter, of 32 bits.
    ///   - ticks: How much of the sample's time is cut off.
    func advanced(_ sample: [UInt8], by ticks: Int64, timescale mediaTimescale: UInt32) -> [UInt8] {
        guard sample.count >= 4 else { return sample }
        let (isDropFrame, wraps, isCounter) = (flags & 1 != 0, flags & 2 != 0, flags & 8 != 0)
        // A hundredth of a frame is rounding: the cut is where a frame begins.
        let denominator = Int128(mediaTimescale) * Int128(frameDuration)
        let hundredths = (Int128(ticks) * Int128(timescale) * 100).divided(by: denominator, .down) + 1
        var frames = hundredths / 100
        if isCounter { frames /= Int128(framesPerSecond) }
        var value = Int128(Int32(bitPattern: TableBytes(bytes: sample).u32(0))) + frames
        let perDay = Int128(framesPerSecond) * 86400
        // Of each ten minutes nine lose two numbers, four at twice the rate.
        let day = isDropFrame ? perDay - Int128(framesPerSecond / 30) * 2 * 9 * 144 : perDay
        if wraps, !isCounter, value >= day { value %= day }
        var result = sample
        result.set(bigEndian: UInt32(bitPattern: Int32(clamping: value)), at: 0)
        return result
    }
}
