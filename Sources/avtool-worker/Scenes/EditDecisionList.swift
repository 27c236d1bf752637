internal import AVToolCommands
internal import Foundation
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// The scenes of a film as a CMX 3600 edit decision list: an event for each, in
/// which the time in the source and on the record are the same.
struct EditDecisionList {
    let source: String
    let list: SceneList
    let description: AssetDescription

    var text: String {
        let name = (source as NSString).lastPathComponent.oneLine
        let rate = TimecodeRate(framesPerSecond: description.videoTrack?.video?.nominalFrameRate ?? 0)
        var lines = ["TITLE: \(name)", "FCM: \(rate.dropsFrames ? "DROP FRAME" : "NON-DROP FRAME")", ""]
        let zero = list.scenes.first?.timeRange.start ?? .zero
        for (index, scene) in list.scenes.enumerated() {
            let start = rate.timecode(of: scene.timeRange.start - zero)
            let end = rate.timecode(of: scene.timeRange.end - zero)
            let number = String(format: "%03d", index + 1)
            lines.append("\(number)  AX       V     C        \(start) \(end) \(start) \(end)")
            lines.append("* FROM CLIP NAME: \(name)")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}

/// How frames are counted in timecode (SMPTE ST 12-1).
struct TimecodeRate {
    /// Frames that a second of timecode has.
    let base: Int64
    /// Whether seconds of timecode are longer than real ones, by 1001/1000.
    let isNTSC: Bool
    /// Whether numbers are left out so that timecode keeps up with the clock.
    let dropsFrames: Bool

    /// - Parameter framesPerSecond: 25 is taken for a rate that is not known.
    init(framesPerSecond rate: Double) {
        let isKnown = rate.isFinite && rate >= 1 && rate <= 1000
        let whole = isKnown ? rate.rounded() : 25
        base = Int64(whole)
        isNTSC = isKnown && abs(rate - whole * 1000 / 1001) < abs(rate - whole) && [24, 30, 48, 60, 120].contains(base)
        dropsFrames = isNTSC && (base == 30 || base == 60)
    }

    /// The timecode of the frame that begins at a time from the film's start, or nearest to it.
    func timecode(of time: CMTime) -> String {
        let scale =
            isNTSC
            ? CMTime(value: 1001, timescale: CMTimeScale(base * 1000)) : CMTime(value: 1, timescale: CMTimeScale(base))
        let (numerator, denominator) = (
            Int128(time.value) * Int128(scale.timescale), Int128(time.timescale) * Int128(scale.value)
        )
        guard time.isNumeric, denominator > 0 else { return text(ofFrame: 0) }
        return text(ofFrame: Int64(clamping: (2 * numerator + denominator) / (2 * denominator)))
    }

    /// The timecode of a frame by its number from zero.
    func text(ofFrame number: Int64) -> String {
        var label = max(0, number)
        if dropsFrames {
            // The first numbers of each minute are left out, but for every tenth minute.
            let dropped = base / 15
            let (minute, ten) = (60 * base - dropped, 600 * base - 9 * dropped)
            let (tens, rest) = label.quotientAndRemainder(dividingBy: ten)
            label += 9 * dropped * tens + (rest >= 60 * base ? dropped * (1 + (rest - 60 * base) / minute) : 0)
        }
        let seconds = label / base
        let numbers = [seconds / 3600 % 24, seconds / 60 % 60, seconds % 60].map { String(format: "%02d", $0) }
        return numbers.joined(separator: ":") + (dropsFrames ? ";" : ":") + String(format: "%02d", label % base)
    }
}
