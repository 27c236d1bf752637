package import MediaIO

/// What a movie says of itself and its tracks, however many samples they have and wherever these lie.
package struct MovieOutline: Sendable {
    /// `nil` if the header is cut off.
    package let header: MovieHeader?
    /// Whether fragments may follow.
    package let canContainFragments: Bool
    /// How long all fragments last together (`mehd`), in the movie's timescale; `nil` if the header does not tell.
    package let fragmentDuration: UInt64?
    package let tracks: [MovieTrack]

    /// Ticks in each second of the movie's timeline, 0 if the header does not tell.
    package var timescale: UInt32 { header?.timescale ?? 0 }

    /// More tracks than this are not read.
    private static let maximumTracks = 1 << 12
    /// Bytes read of a track's sample descriptions.
    private static let maximumDescription = 1 << 16

    /// Reads the headers, or gives `nil` if the file has no movie box.
    package init?(_ file: RandomAccessFile) {
        let reader = BoxReader(file: file)
        guard let movie = reader.boxes(in: 0..<file.byteCount).first(where: { $0.type == "moov" }) else { return nil }
        let boxes = reader.boxes(in: movie.content)
        guard boxes.contains(where: { $0.type == "mvhd" }) else { return nil }
        header = MovieHeader(in: boxes, reader)
        let extending = boxes.first { $0.type == "mvex" }
        canContainFragments = extending != nil
        fragmentDuration = extending.flatMap { Self.fragmentDuration(in: $0, reader) }
        tracks = boxes.filter { $0.type == "trak" }.prefix(Self.maximumTracks)
            .compactMap { MovieTrack($0, reader, limit: Self.maximumDescription) }
    }

    private static func fragmentDuration(in extending: Box, _ reader: BoxReader) -> UInt64? {
        guard let box = reader.boxes(in: extending.content).first(where: { $0.type == "mehd" }) else { return nil }
        let bytes = reader.bytes(of: box, limit: 16)
        return bytes.first == 1 ? bytes.bigEndian64(at: 4) : bytes.bigEndian32(at: 4).map(UInt64.init)
    }
}
