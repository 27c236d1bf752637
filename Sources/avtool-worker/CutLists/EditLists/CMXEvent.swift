internal import MediaCore

/// A line of an edit list that takes a part of a source.
struct CMXEvent {
    /// The times that tell whether an event of sound repeats one of pictures.
    struct Times: Hashable {
        let start: Timecode
        let end: Timecode
        let record: Timecode
    }

    let line: Int
    let hasVideo: Bool
    let times: Times
    /// The words in the list for the start and the end, for messages.
    let texts: (start: Substring, end: Substring)
    var clipName: Substring = ""

    /// Reads an event that cutting can do.
    ///
    /// - Parameter isDropFrame: Whether the list says so of timecodes whose punctuation does not.
    /// - Returns: `nil` if it records neither pictures nor sound.
    init?(_ line: ListLine, isDropFrame: Bool) throws(CutListError) {
        let words = line.words
        // Number, reel, channels and the kind of edit; a name of a reel may have spaces.
        guard words.count >= 8 else {
            throw line.failure("an event needs a number, a reel, channels, a kind of edit and four timecodes")
        }
        let head = words.dropLast(4)
        let (reel, channels) = try Self.source(head, of: line)
        var timecodes: [Timecode] = []
        for word in words.suffix(4) {
            guard let timecode = Self.timecode(word, isDropFrame: isDropFrame) else {
                throw line.failure(word, "is no timecode such as 01:00:00:00")
            }
            timecodes.append(timecode)
        }
        if channels == "NONE" { return nil }
        guard reel.uppercased() != "BL", reel.uppercased() != "BLACK" else {
            throw line.failure("the event is black (\(reel)), which no film holds")
        }
        // Sound only is A, A2, A12, AA and the like; V, B, A/V, AA/V, VA12 have pictures.
        hasVideo = channels == "B" || channels.contains("V")
        guard hasVideo || channels.hasPrefix("A") else {
            throw line.failure(channels[...], "is no kind of channels such as V, A, B or AA/V")
        }
        self.line = line.number
        times = Times(start: timecodes[0], end: timecodes[1], record: timecodes[2])
        texts = (words[words.count - 4], words[words.count - 3])
    }

    /// The reel and the channels of a cut.
    private static func source(
        _ head: ArraySlice<Substring>, of line: ListLine
    ) throws(CutListError) -> (reel: String, channels: String) {
        let kinds = head.dropFirst(3)
        if kinds.last?.uppercased() == "C" {
            let reel = head.dropFirst().dropLast(2).joined(separator: " ")
            return (reel, head[head.endIndex - 2].uppercased())
        }
        for kind in kinds.map({ $0.uppercased() }) {
            switch kind.utf8.first {
            case UInt8(ascii: "D") where kind == "D":
                throw line.failure("the event is a dissolve (D); only cuts (C) can be done here")
            case UInt8(ascii: "W") where kind.utf8.count <= 4 && Substring(kind.dropFirst()).isDigits:
                throw line.failure("the event is a wipe (\(kind)); only cuts (C) can be done here")
            case UInt8(ascii: "K") where ["K", "KB", "KO"].contains(kind):
                throw line.failure("the event is a key (\(kind)); only cuts (C) can be done here")
            default: continue
            }
        }
        throw line.failure(kinds.last ?? "", "is no kind of edit; only cuts (C) can be done here")
    }

    /// A timecode with colons or semicolons in any of its places.
    private static func timecode(_ word: Substring, isDropFrame: Bool) -> Timecode? {
        let fields = word.split(maxSplits: 4, omittingEmptySubsequences: false) { $0 == ":" || $0 == ";" }
        guard fields.count == 4 else { return nil }
        let separator = isDropFrame || word.contains(";") ? ";" : ":"
        return Timecode(fields[..<3].joined(separator: ":") + separator + fields[3])
    }
}
