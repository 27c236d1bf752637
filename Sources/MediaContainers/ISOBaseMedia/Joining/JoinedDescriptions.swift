internal import MediaIO

/// The sample descriptions of a track that is put together: those that say the same are one.
struct JoinedDescriptions {
    /// Whole entries.
    private var entries: [[UInt8]] = []
    private var numbers: [MovieTrackFormat.Coding: UInt32] = [:]

    /// More entries than this are not written: readers refuse them.
    private static let maximumEntries = 1024
    /// Bytes of an entry that no reader takes.
    private static let maximumBytes: UInt64 = 1 << 20

    /// Adds a track's entries.
    ///
    /// - Returns: The number, from 1, that each of them has now.
    mutating func add(_ track: MovieTrack, _ reader: BoxReader) throws(MovieError) -> [UInt32] {
        guard let box = track.tableBoxes.first(where: { $0.type == "stsd" }), box.content.length > 8 else {
            throw MovieError(.damaged, "it has no sample description")
        }
        var result: [UInt32] = []
        for (entry, place) in zip(track.entries, reader.boxes(in: box.content.dropping(8))) {
            let coding = MovieTrackFormat.Coding(entry, handler: track.handler)
            if let known = numbers[coding] {
                result.append(known)
                continue
            }
            guard entries.count < Self.maximumEntries, place.length <= Self.maximumBytes else {
                throw MovieError(.limit, "its sample descriptions are too many or too long")
            }
            entries.append(reader.wholeBytes(of: place))
            let number = UInt32(entries.count)
            numbers[coding] = number
            result.append(number)
        }
        return result
    }

    /// The box `stsd`.
    var box: [UInt8] {
        var content: [UInt8] = [0, 0, 0, 0]
        content.append(bigEndian: UInt32(entries.count))
        for entry in entries { content += entry }
        return .box("stsd", content)
    }
}
