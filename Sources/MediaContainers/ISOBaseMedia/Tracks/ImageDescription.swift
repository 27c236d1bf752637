package import MediaIO

/// How a movie describes the pictures of a track.
package enum ImageDescription {
    /// Longer than any with a table of 256 colours; what follows that is not needed.
    private static let limit = 4096

    /// The first sample description of a track, with its length and type; `nil` if there is none.
    package static func bytes(of trackID: Int32, in file: RandomAccessFile) -> [UInt8]? {
        let reader = BoxReader(file: file)
        guard let movie = reader.boxes(in: 0..<file.byteCount).first(where: { $0.type == "moov" }) else { return nil }
        let track = reader.boxes(in: movie.content).first { box in
            guard box.type == "trak" else { return false }
            let header = TrackHeader(in: reader.boxes(in: box.content), reader)
            return header.flatMap { Int32(exactly: $0.trackID) } == trackID
        }
        guard let track, let list = reader.box(["mdia", "minf", "stbl", "stsd"], in: track.content),
            list.content.length > 8,
            let entry = reader.firstBox(in: (list.content.lowerBound + 8)..<list.content.upperBound)
        else { return nil }
        return file.read(at: entry.start, count: Int(min(UInt64(limit), entry.content.upperBound - entry.start)))
    }
}
