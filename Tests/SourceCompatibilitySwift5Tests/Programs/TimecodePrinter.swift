// Timecodes and steps of frames by arithmetic with CMTime; only the import differs from the code on Apple's platforms.
import Foundation
import OpenAVFoundation

extension CMTime {
    /// The frame that begins at or before this time.
    func frameNumber(frameDuration: CMTime) -> Int {
        let scaled = CMTimeConvertScale(self, timescale: frameDuration.timescale, method: .roundTowardZero)
        return Int(scaled.value / frameDuration.value)
    }

    func timecode(frameDuration: CMTime, dropFrame: Bool = false) -> String {
        guard isNumeric else { return "--:--:--:--" }
        var frame = frameNumber(frameDuration: frameDuration)
        let nominal = Int((1 / frameDuration.seconds).rounded())
        if dropFrame {
            // Two numbers of each minute but the tenth do not exist at 29.97.
            let perMinute = nominal * 60 - 2
            let perTenMinutes = perMinute * 10 + 2
            let (tens, rest) = frame.quotientAndRemainder(dividingBy: perTenMinutes)
            frame += 18 * tens + (rest > 1 ? 2 * ((rest - 2) / perMinute) : 0)
        }
        let seconds = frame / nominal
        return String(
            format: dropFrame ? "%02d:%02d:%02d;%02d" : "%02d:%02d:%02d:%02d", seconds / 3600, seconds / 60 % 60,
            seconds % 60, frame % nominal)
    }

    static func * (time: CMTime, factor: Int32) -> CMTime { CMTimeMultiply(time, multiplier: factor) }

    static func / (time: CMTime, divisor: Int32) -> CMTime {
        CMTimeMultiplyByRatio(time, multiplier: 1, divisor: divisor)
    }
}

class FrameStepper {
    let frameDuration: CMTime
    let range: CMTimeRange
    private(set) var position: CMTime

    init?(track: AVAssetTrack) {
        guard track.mediaType == .video, track.minFrameDuration.isNumeric else { return nil }
        frameDuration = track.minFrameDuration
        range = track.timeRange
        position = range.start
    }

    var frameCount: Int { CMTimeRangeGetEnd(range).frameNumber(frameDuration: frameDuration) }

    @discardableResult func step(by count: Int32) -> CMTime {
        let last = CMTimeSubtract(range.end, frameDuration)
        let moved = position + frameDuration * count
        position = CMTimeClampToRange(moved, range: CMTimeRange(start: range.start, end: last))
        return position
    }

    /// The pieces of a film that is played at another speed.
    func mappings(speeds: [(seconds: Double, rate: Double)]) -> [CMTimeMapping] {
        var mappings: [CMTimeMapping] = []
        var (source, target) = (range.start, CMTime.zero)
        for (seconds, rate) in speeds {
            let length = CMTimeMinimum(CMTime(seconds: seconds, preferredTimescale: 600), range.end - source)
            guard length > .zero else { break }
            let shown = CMTimeMultiplyByFloat64(length, multiplier: 1 / rate)
            mappings.append(
                CMTimeMappingMake(
                    source: CMTimeRangeMake(start: source, duration: length),
                    target: CMTimeRangeMake(start: target, duration: shown)))
            source = CMTimeAdd(source, length)
            target = CMTimeAdd(target, shown)
        }
        return mappings
    }

    /// Where a moment of the new timeline lies in the film.
    static func sourceTime(for time: CMTime, in mappings: [CMTimeMapping]) -> CMTime? {
        guard let mapping = mappings.first(where: { CMTimeRangeContainsTime($0.target, time: time) }) else {
            return nil
        }
        return CMTimeMapTimeFromRangeToRange(time, fromRange: mapping.target, toRange: mapping.source)
    }
}
