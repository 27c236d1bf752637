import MediaCore
import Testing
import avtool_worker

/// A short way to write a numeric time.
func t(_ value: Int64, _ timescale: Int32 = 1) -> CMTime { CMTime(value: value, timescale: timescale) }

/// A short way to write a segment.
func s(_ start: CMTime, _ end: CMTime?, _ name: String? = nil, line: Int) -> CutList.Segment {
    CutList.Segment(start: start, end: end, name: name, line: line)
}

/// How the frames of a film without timecodes are numbered.
func frames(_ numerator: Int32, _ denominator: Int64 = 1, from start: String? = nil) throws -> TimecodeScale {
    let perSecond = (Int(numerator) + Int(denominator) / 2) / Int(denominator)
    return try #require(
        TimecodeScale(
            start: start.flatMap { Timecode($0) }, framesPerSecond: perSecond,
            frameDuration: CMTime(value: denominator, timescale: numerator)))
}

/// Reads a list in UTF-8.
func read(_ text: String, _ fileName: String = "list", _ frames: TimecodeScale? = nil) throws(CutListError) -> CutList {
    try CutList(reading: Array(text.utf8), fileName: fileName, frames: frames)
}

/// What a list is refused for; the list itself if it is not.
func flaw(_ text: String, _ fileName: String = "list", _ frames: TimecodeScale? = nil) -> String {
    do throws(CutListError) {
        return "read: \(try read(text, fileName, frames))"
    } catch {
        return error.description
    }
}
