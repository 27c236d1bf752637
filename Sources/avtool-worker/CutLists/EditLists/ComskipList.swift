internal import MediaCore

/// Commercials by their first and last frames, as comskip writes them by default.
enum ComskipList {
    /// Frames of a hundred seconds that stand for a rate with 1001 in it, which comskip cuts or rounds.
    private static let rates: [Int: CMTimeScale] = [
        2397: 24000, 2398: 24000, 2997: 30000, 4795: 48000, 5994: 60000, 11988: 120_000,
    ]

    static func parse(_ text: ListText, frames: TimecodeScale?) throws(CutListError) -> CutList {
        var scale: TimecodeScale?
        var segments: [CutList.Segment] = []
        for line in text.lines where !line.text.isEmpty {
            guard let known = scale else {
                scale = try self.scale(line, frames)
                continue
            }
            if line.text.utf8.allSatisfy({ $0 == UInt8(ascii: "-") }) { continue }
            let words = line.words
            guard words.count == 2 else { throw line.failure("there must be two numbers of frames") }
            try segments.add(
                from: try TimeText.time(ofFrame: words[0], known, line: line.number),
                to: try TimeText.time(ofFrame: words[1], known, line: line.number), line: line.number)
        }
        return CutList(format: .comskip, meaning: .cut, segments: segments)
    }

    /// The frames by the first line: `FILE PROCESSING COMPLETE  12345 FRAMES AT  2997`.
    ///
    /// Old versions of comskip wrote no rate.
    private static func scale(_ line: ListLine, _ frames: TimecodeScale?) throws(CutListError) -> TimecodeScale {
        let words = line.words.dropFirst(3).map { $0 }
        if words.isEmpty {
            guard let frames else { throw line.failure("there is no frame rate, and the film's is not known") }
            return frames
        }
        guard words.count == 4, words[0].isDigits, words[1] == "FRAMES", words[2] == "AT",
            words[3].isDigits
        else { throw line.failure("the line must end as 12345 FRAMES AT 2997 does") }
        let hundredths = Int(words[3]) ?? .max
        // Up to a thousand frames a second, as timecodes have them.
        guard (1...100_000).contains(hundredths) else { throw line.failure(words[3], "is no frame rate") }
        let duration =
            rates[hundredths].map { CMTime(value: 1001, timescale: $0) }
            ?? CMTime(value: 100, timescale: CMTimeScale(hundredths))
        guard let scale = TimecodeScale(start: nil, framesPerSecond: max(1, hundredths / 100), frameDuration: duration)
        else { throw line.failure(words[3], "is no frame rate") }
        return scale
    }
}
