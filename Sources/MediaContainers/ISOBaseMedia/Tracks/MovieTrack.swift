internal import MediaCore
package import MediaIO

/// One track's boxes, and what its small ones say.
package struct MovieTrack: Sendable {
    /// The `trak` box.
    package let box: Box
    package let children: [Box]
    package let mediaBoxes: [Box]
    let informationBoxes: [Box]
    package let tableBoxes: [Box]
    package let header: TrackHeader
    let mediaHeader: MediaHeader?
    /// How long the media last, in the track's timescale; `nil` where the header does not tell.
    package var mediaDuration: UInt64? { mediaHeader?.duration }
    /// `vide`, `soun`, `text` and so on.
    package let handler: FourCC
    /// Ticks in each second; what the track's length implies if its header says zero.
    package var timescale: UInt32
    let isTimescaleImplied: Bool
    /// A BCP 47 tag, beside what the media header says.
    package let extendedLanguageTag: String?
    package var edits: [EditList.Segment]
    package let references: [TrackReference]
    package let entries: [SampleEntry]
    /// The box that says what kind of media it is, if these are neither pictures nor sound.
    let otherMediaHeader: [UInt8]

    /// Reads the headers; `nil` without a track header, so that there is no track to speak of.
    ///
    /// - Parameters:
    ///   - movieTimescale: Zero where the timescale is not to be guessed.
    ///   - limit: Bytes read of the sample descriptions.
    package init?(_ box: Box, _ reader: BoxReader, movieTimescale: UInt32 = 0, limit: Int = 16 << 20) {
        func inside(_ type: FourCC, _ boxes: [Box]) -> [Box] {
            boxes.first { $0.type == type }.map { reader.boxes(in: $0.content) } ?? []
        }
        func bytes(_ type: FourCC, _ boxes: [Box], limit: Int) -> [UInt8] {
            boxes.first { $0.type == type }.map { reader.bytes(of: $0, limit: limit) } ?? []
        }
        self.box = box
        children = reader.boxes(in: box.content)
        guard let header = TrackHeader(in: children, reader) else { return nil }
        self.header = header
        mediaBoxes = inside("mdia", children)
        informationBoxes = inside("minf", mediaBoxes)
        tableBoxes = inside("stbl", informationBoxes)
        let mediaHeader = MediaHeader(in: mediaBoxes, reader)
        self.mediaHeader = mediaHeader
        handler = bytes("hdlr", mediaBoxes, limit: 12).fourCC(at: 8) ?? .none
        let tag = bytes("elng", mediaBoxes, limit: 256).dropFirst(4).prefix { $0 != 0 }
        extendedLanguageTag = tag.isEmpty ? nil : String(decoding: tag, as: UTF8.self)
        let stated = mediaHeader?.timescale ?? 0
        let implied =
            stated == 0
            ? Self.timescale(
                of: mediaHeader?.duration ?? 0, lasting: header.duration ?? 0, movieTimescale: movieTimescale)
            : nil
        (timescale, isTimescaleImplied) = (implied ?? stated, implied != nil)
        edits = EditList(in: children, reader).segments
        references = TrackReference.all(in: children, reader)
        entries =
            tableBoxes.first { $0.type == "stsd" }.map { SampleEntry.all(in: $0.content, reader, limit: limit) } ?? []
        let other = informationBoxes.first { Self.otherMediaHeaders.contains($0.type) && $0.length <= 1024 }
        otherMediaHeader = other.map { reader.wholeBytes(of: $0) } ?? []
    }

    /// Whether samples are encrypted.
    package var isProtected: Bool { entries.contains { SampleEntry.protectedTypes.contains($0.type) } }

    /// The types of headers of media that are neither pictures nor sound.
    static let otherMediaHeaders: Set<FourCC> = ["gmhd", "nmhd", "sthd"]

    /// The track's number.
    package var id: UInt32 { header.trackID }

    /// Whether players show the track.
    package var isEnabled: Bool { header.isEnabled }

    /// How many ticks make a second if so many last as long as the track; `nil` unless that is a whole number.
    private static func timescale(of ticks: UInt64, lasting duration: UInt64, movieTimescale: UInt32) -> UInt32? {
        let (product, overflow) = ticks.multipliedReportingOverflow(by: UInt64(movieTimescale))
        guard !overflow, product > 0, duration > 0, product.isMultiple(of: duration) else { return nil }
        return UInt32(exactly: product / duration)
    }
}

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
        guard let movie = movieFile.movie else {
            // A photograph is no movie.
            let isPicture = movieFile.boxes.contains { $0.type == "meta" }
            throw MovieError(isPicture ? .unsupported : .damaged, "there is no movie box")
        }
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

/// One way in which a track refers to others: a box in `tref`.
package struct TrackReference: Hashable, Sendable {
    /// `chap`, `tmcd`, `auxl` and so on.
    package var type: FourCC
    /// The other tracks' numbers.
    package var tracks: [UInt32]

    /// A reference to tracks.
    init(type: FourCC, tracks: [UInt32]) { (self.type, self.tracks) = (type, tracks) }

    /// Reads a box.
    package init(_ box: Box, _ reader: BoxReader) {
        let bytes = TableBytes(bytes: reader.bytes(of: box))
        self.init(type: box.type, tracks: (0..<(bytes.bytes.count / 4)).map { bytes.u32($0 * 4) })
    }

    /// The references among a track's boxes.
    package static func all(in track: [Box], _ reader: BoxReader) -> [TrackReference] {
        guard let references = track.first(where: { $0.type == "tref" }) else { return [] }
        return reader.boxes(in: references.content).map { TrackReference($0, reader) }
    }

    /// The box.
    var box: [UInt8] {
        var content: [UInt8] = []
        for track in tracks { content.append(bigEndian: track) }
        return .box(type, content)
    }
}
