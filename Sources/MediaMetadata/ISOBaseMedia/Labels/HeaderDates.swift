internal import Foundation
internal import ISOBaseMedia
internal import MediaFile

/// Changes the dates in a movie's headers: that of the movie, and of its tracks and their media, which go with it.
struct HeaderDates {
    let reader: BoxReader
    /// `nil` for none, which is written as zero.
    let date: Date?

    /// From 1904, where the format's clock begins, to 1970.
    private static let epoch: TimeInterval = 2_082_844_800

    private var seconds: UInt64 {
        guard let date else { return 0 }
        return UInt64(max(0, min(date.timeIntervalSince1970 + Self.epoch, TimeInterval(1 << 38))))
    }

    func write(to movie: Box, _ edits: inout BoxEdits) {
        let children = reader.boxes(in: movie.content)
        for box in children where box.type == "mvhd" { set(box, &edits) }
        for track in children where track.type == "trak" {
            for box in reader.boxes(in: track.content) where box.type == "tkhd" { set(box, &edits) }
            if let box = reader.box(["mdia", "mdhd"], in: track.content) { set(box, &edits) }
        }
    }

    /// Sets when a header says that it was made, and when it was changed last.
    private func set(_ box: Box, _ edits: inout BoxEdits) {
        edits.change(box, reader) { bytes in
            let isLong = bytes.first == 1
            let width = isLong ? 8 : 4
            guard bytes.count >= 4 + 2 * width else { return }
            let value = isLong ? seconds : min(seconds, UInt64(UInt32.max))
            for index in 0..<(2 * width) {
                let shift = UInt64(8 * (width - 1 - index % width))
                bytes[4 + index] = UInt8(truncatingIfNeeded: value >> shift)
            }
        }
    }
}
