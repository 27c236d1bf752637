/// How a container lets a reader find the samples before a time.
///
/// Random access is used where the container gives every video packet a time
/// that does not depend on where reading began; anywhere else decoding starts
/// at the beginning, which is slow and always right.
enum SeekPolicy: Equatable {
    /// Seeks land at or before the wanted time (an index, or cues).
    case direct
    /// Seeks land near the wanted time: aim earlier, then further back.
    case search
    /// Decode from the beginning.
    case linear

    init(formatName: String, codec: String) {
        let names = Set(formatName.split(separator: ",").map(String.init))
        // AVI stores no presentation times. MPEG-4 pictures come out in the same
        // rhythm wherever decoding begins, those of H.264 and HEVC do not.
        if names.contains("avi"), ["h264", "hevc"].contains(codec) {
            self = .linear
        } else if !names.isDisjoint(with: ["mov", "matroska", "flv", "nut", "mxf", "avi", "asf"]) {
            self = .direct
        } else if !names.isDisjoint(with: ["mpegts"]) {
            self = .search
        } else {
            self = .linear
        }
    }
}
