/// How a container lets a reader find the samples before a time.
///
/// Random access is used where the container gives every video packet a time
/// that does not depend on where reading began; anywhere else decoding starts
/// at the beginning, which is slow and always right.
package enum SeekPolicy: Equatable, Sendable {
    /// Seeks land at or before the wanted time (an index, or cues).
    case direct
    /// Seeks land near the wanted time: aim earlier, then further back.
    case search
    /// Decode from the beginning.
    case linear

    package init(formatName: String, codec: String) {
        let names = Set(formatName.split(separator: ",").map(String.init))
        // ASF stores no presentation times for reordered pictures; those of AVI are found by the pictures' order.
        let isReordered = ["h264", "hevc", "mpeg1video", "mpeg2video"].contains(codec)
        if isReordered, names.contains("asf") {
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
