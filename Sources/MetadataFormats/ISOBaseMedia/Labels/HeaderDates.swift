internal import Foundation
internal import MediaContainers
internal import MediaIO
internal import MediaMetadata

extension TimedHeader {
    /// From 1904, where the format's clock begins, to 1970.
    private static var epoch: TimeInterval { 2_082_844_800 }

    /// When it was made, `nil` if nobody says; a year of five digits is a mistake.
    var creationDate: Date? {
        guard creationTime != 0, creationTime < 1 << 38 else { return nil }
        return Date(timeIntervalSince1970: TimeInterval(creationTime) - Self.epoch)
    }

    /// Says when it was made and changed, which is zero for `nil`.
    fileprivate mutating func setDate(_ date: Date?) {
        let seconds = date.map { max(0, min($0.timeIntervalSince1970 + Self.epoch, TimeInterval(1 << 38))) } ?? 0
        setDates(UInt64(seconds))
    }
}

/// Changes the dates in a movie's headers: that of the movie, and of its tracks and their media, which go with it.
struct HeaderDates {
    let reader: BoxReader
    /// `nil` for none, which is written as zero.
    let date: Date?

    func write(to movie: Box, _ edits: inout BoxEdits) {
        let children = reader.boxes(in: movie.content)
        for box in children where box.type == "mvhd" { set(box, MovieHeader.self, &edits) }
        for track in children where track.type == "trak" {
            for box in reader.boxes(in: track.content) where box.type == "tkhd" { set(box, TrackHeader.self, &edits) }
            if let box = reader.box(["mdia", "mdhd"], in: track.content) { set(box, MediaHeader.self, &edits) }
        }
    }

    private func set<Header: TimedHeader>(_ box: Box, _: Header.Type, _ edits: inout BoxEdits) {
        edits.change(box, reader) { bytes in
            guard var header = Header(bytes) else { return }
            header.setDate(date)
            bytes = header.fields.bytes
        }
    }
}
