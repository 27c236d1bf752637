internal import MediaCore
package import MediaIO

/// The boxes of a movie that is to be trimmed, the movie box in memory.
package struct MovieSource: Sendable {
    let movieFile: MovieFile
    /// The movie box's content as a file of its own; positions of boxes in it count from its beginning.
    package let reader: BoxReader
    let movieBoxes: [Box]
    let header: MovieHeader
    /// The tracks that have a whole header.
    package let tracks: [MovieTrack]

    /// More than this is no movie's tables: eleven hours of film in chunks of one sample have 48 MB.
    static let maximumMovieBytes = 96 << 20
    /// More tracks than this are an attack.
    private static let maximumTracks = 1024

    /// Reads a movie's boxes.
    ///
    /// - Throws: `MovieError` if there is no movie, or one whose tables cannot be edited.
    package init(file: RandomAccessFile) throws(MovieError) {
        movieFile = MovieFile(file)
        guard !movieFile.boxes.contains(where: { $0.type == "moof" }) else {
            throw MovieError(.unsupported, "the movie is in fragments")
        }
        guard let movie = movieFile.movie else { throw MovieError(.damaged, "there is no movie box") }
        guard movie.content.count <= Self.maximumMovieBytes else {
            throw MovieError(.limit, "the movie box has more than \(Self.maximumMovieBytes >> 20) MiB")
        }
        guard let bytes = file.read(movie.content, limit: Self.maximumMovieBytes) else {
            throw MovieError(.damaged, "the movie box cannot be read")
        }
        let reader = BoxReader(file: RandomAccessFile(bytes: bytes))
        self.reader = reader
        movieBoxes = reader.boxes(in: 0..<UInt64(bytes.count))
        for (type, name) in [("cmov" as FourCC, "compressed"), ("rmra", "a list of other movies")]
        where movieBoxes.contains(where: { $0.type == type }) {
            throw MovieError(.unsupported, "the movie box is \(name)")
        }
        guard let header = MovieHeader(in: movieBoxes, reader), header.isWhole else {
            throw MovieError(.damaged, "there is no movie header")
        }
        guard header.timescale > 0 else { throw MovieError(.damaged, "the movie's timescale is zero") }
        self.header = header
        let boxes = movieBoxes.filter { $0.type == "trak" }
        guard boxes.count <= Self.maximumTracks else {
            throw MovieError(.limit, "there are more than \(Self.maximumTracks) tracks")
        }
        tracks = boxes.compactMap { MovieTrack($0, reader, movieTimescale: header.timescale) }
            .filter(\.header.isWhole)
    }

    var file: RandomAccessFile { movieFile.file }

    /// Ticks in each second of the movie's timeline.
    package var timescale: UInt32 { header.timescale }

    /// What the movie's header says, infinite if it says nothing.
    var duration: CMTime {
        header.duration.map { CMTime(value: Int64(clamping: $0), timescale: Int32(clamping: timescale)) }
            ?? .positiveInfinity
    }

    /// Refuses tracks whose samples lie in other files.
    func checkReferences(of track: MovieTrack) throws(MovieError) {
        guard let information = track.informationBoxes.first(where: { $0.type == "dinf" }),
            let box = reader.box(["dref"], in: information.content), box.content.count > 8
        else { return }
        let references = reader.boxes(in: (box.content.lowerBound + 8)..<box.content.upperBound)
        for entry in track.entries {
            let number = entry.dataReference - 1
            guard references.indices.contains(number) else { continue }
            let flags = reader.bytes(of: references[number], limit: 4).bigEndian32(at: 0) ?? 1
            if flags & 1 == 0 { throw MovieError(.unsupported, "its samples lie in another file") }
        }
    }

    /// Bytes after the last whole box.
    var rest: Range<UInt64> { (movieFile.boxes.last?.range.upperBound ?? 0)..<file.byteCount }
}
