internal import MediaCore

/// What MPlayer and Kodi do at which times: start, end, and the number of an action.
enum MPlayerList {
    static func parse(_ text: ListText, frames: TimecodeScale?) throws(CutListError) -> CutList {
        var segments: [CutList.Segment] = []
        for line in text.lines where !line.text.isEmpty && !line.isRemark {
            let words = line.words
            guard (2...3).contains(words.count), let action = words.last else {
                throw line.failure("there must be a start, an end and an action between spaces")
            }
            var times: [CMTime] = []
            for word in words.dropLast() { times.append(try time(word, frames, of: line)) }
            switch action {
            case "0" where times.count == 2, "3" where times.count == 2:
                try segments.add(from: times[0], to: times[1], line: line.number)
            case "1":
                throw line.failure("the action is to mute the sound (1), which cannot be done here")
            case "2":
                // A scene marker, which is a place to go to; Kodi's have no end.
                continue
            default:
                let isAction = action == "0" || action == "3"
                throw isAction
                    ? line.failure("there must be a start, an end and an action between spaces")
                    : line.failure(action, "is no action: 0 cuts, 1 mutes, 2 marks a scene, 3 skips commercials")
            }
        }
        return CutList(format: .mplayer, meaning: .cut, segments: segments)
    }

    private static func time(
        _ word: Substring, _ frames: TimecodeScale?, of line: ListLine
    ) throws(CutListError) -> CMTime {
        guard word.hasPrefix("#") else { return try TimeText.time(word, line: line.number) }
        guard let frames else {
            throw line.failure(word, "is a frame, and the film's frame rate is not known")
        }
        return try TimeText.time(ofFrame: word.dropFirst(), frames, line: line.number)
    }
}
