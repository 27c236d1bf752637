internal import FFmpegKit
internal import MediaAsset
internal import MediaCore
internal import MediaEngine

extension StillMaker {
    /// How many frames are looked at in each window.
    private static let candidates: Int64 = 9
    /// How much later the picture lies that tells whether a frame is part of a transition.
    private static let moment = CMTime(value: 3, timescale: 25)

    /// A frame looked at.
    private struct Seen {
        let ticks: Int64
        /// Let go of where too many are held.
        var shown: ShownFrame?
        let candidate: RepresentativeCandidate
    }

    /// The frame that stands best for what is shown around a time, and why.
    ///
    /// Windows that touch have no frame in common: a frame at the later end of one belongs to the next.
    ///
    /// - Parameter window: How far before and after the time frames may lie.
    func representative(
        at time: CMTime, within window: CMTime
    ) throws -> (shown: ShownFrame, choice: RepresentativeChoice)? {
        var seen: [Seen] = []
        for candidate in candidateTimes(around: time, within: window) {
            guard let shown = try wholeFrame(at: candidate), shown.ticks != seen.last?.ticks else { continue }
            let actual = self.time(of: shown.ticks)
            guard actual >= time - window, actual < time + window else { continue }
            if candidate > time, fills(shown, from: time + window, window) { continue }
            guard let measure = try measure(shown.frame) else { continue }
            let isEmpty = measure.isBlack || measure.isFlat
            let later = try isEmpty ? nil : wholeFrame(at: actual + Self.moment).flatMap { try self.measure($0.frame) }
            let distance = abs((actual - time).seconds) / max(1e-9, window.seconds)
            seen.append(
                Seen(
                    ticks: shown.ticks, shown: shown,
                    candidate: RepresentativeCandidate(
                        measure: measure, change: later.map { measure.difference(from: $0) } ?? 0,
                        distance: min(1, distance))))
            Self.letGo(&seen)
        }
        let candidates = seen.map(\.candidate)
        let flaws = RepresentativeRanking.flaws(of: candidates)
        guard let best = RepresentativeRanking.best(of: candidates, flaws: flaws) else { return nil }
        let passed = flaws.enumerated().compactMap { $0.offset == best ? nil : $0.element }
        let choice = RepresentativeChoice(
            considered: seen.count, passedOver: Dictionary(passed.map { ($0, 1) }, uniquingKeysWith: +),
            flaw: flaws[best], offset: self.time(of: seen[best].ticks) - time)
        guard let shown = try seen[best].shown ?? wholeFrame(at: self.time(of: seen[best].ticks)) else { return nil }
        return (shown, choice)
    }

    /// Keeps the sharpest few frames only, so that memory stays bounded.
    private static func letGo(_ seen: inout [Seen]) {
        let held = seen.indices.filter { seen[$0].shown != nil }
        guard held.count > 3 else { return }
        let least = held.min { seen[$0].candidate.measure.sharpness < seen[$1].candidate.measure.sharpness }
        if let least { seen[least].shown = nil }
    }

    /// Ascending, the requested time among them.
    private func candidateTimes(around time: CMTime, within window: CMTime) -> [CMTime] {
        let step = CMTimeMultiplyByRatio(window, multiplier: 2, divisor: Int32(Self.candidates - 1))
        let last = description.duration.isNumeric ? description.duration : .positiveInfinity
        return (0..<Self.candidates)
            .map { index in time + CMTimeMultiply(step, multiplier: Int32(index - Self.candidates / 2)) }
            .filter { $0 >= .zero && $0 < last || $0 == time }
    }

    /// Whether a picture is shown during all of the next time's window, and so is the only one for that time.
    private func fills(_ shown: ShownFrame, from start: CMTime, _ window: CMTime) -> Bool {
        guard let next = shown.nextTicks else { return true }
        return time(of: next) >= start + window + window
    }

    private func wholeFrame(at time: CMTime) throws -> ShownFrame? {
        let target = reader.timeBase.ticks(atOrBefore: time, from: description.origin)
        guard case .shown(let shown) = try reader.frame(at: target, acceptsDamage: false, goesOn: true) else {
            return nil
        }
        return shown
    }

    private func measure(_ frame: Frame) throws -> PictureMeasure? {
        guard frame.width > 0, frame.height > 0 else { return nil }
        let width = min(320, frame.width)
        let height = max(1, frame.height * width / frame.width)
        let whole = PixelConverter.Crop(left: 0, top: 0, right: 0, bottom: 0)
        let rgb = try measuring.rgb(of: frame, crop: whole, width: width, height: height, keepsAlpha: false)
        let luma = Self.luma(of: rgb, count: min(width * height, rgb.count / 3))
        return PictureMeasure(luma: luma, width: width, height: height)
    }

    /// The brightness of pixels with three bytes each.
    private static func luma(of rgb: [UInt8], count area: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: area) { luma, count in
            rgb.withUnsafeBufferPointer { rgb in
                while count < area {
                    let (red, green, blue) = (Int(rgb[3 * count]), Int(rgb[3 * count + 1]), Int(rgb[3 * count + 2]))
                    // ITU-R BT.709's weights in 256ths.
                    luma[count] = UInt8((54 * red + 183 * green + 19 * blue) >> 8)
                    count += 1
                }
            }
        }
    }
}
