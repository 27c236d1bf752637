package import MediaFile
package import MediaTime

/// The boxes of a movie that is to be trimmed, the movie box in memory.
package struct MovieSource: Sendable {
    package let file: RandomAccessFile
    /// All boxes of the file in order.
    package let fileBoxes: [Box]
    /// Bytes after the last whole box.
    let rest: Range<UInt64>
    /// The movie box's content as a file of its own; positions of boxes in it count from its beginning.
    package let reader: BoxReader
    package let movieBoxes: [Box]
    package let timescale: UInt32
    /// What the movie's header says.
    package let duration: CMTime
    package let tracks: [MovieTrack]

    /// More than this is no movie's tables: eleven hours of film in chunks of one sample have 48 MB.
    private static let maximumMovieBytes = 96 << 20
    /// More tracks than this are an attack.
    private static let maximumTracks = 1024

    package init(file: RandomAccessFile) throws(MovieError) {
        self.file = file
        fileBoxes = BoxReader(file: file).boxes(in: 0..<file.byteCount)
        rest = (fileBoxes.last?.range.upperBound ?? 0)..<file.byteCount
        guard !fileBoxes.contains(where: { $0.type == "moof" }) else {
            throw MovieError(.unsupported, "the movie is in fragments")
        }
        guard let movie = fileBoxes.first(where: { $0.type == "moov" }) else {
            throw MovieError(.damaged, "there is no movie box")
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
        guard let header = movieBoxes.first(where: { $0.type == "mvhd" }),
            case let table = TableBytes(bytes: reader.bytes(of: header)),
            table.bytes.count >= (table.version == 1 ? 112 : 100)
        else { throw MovieError(.damaged, "there is no movie header") }
        timescale = table.u32(table.version == 1 ? 20 : 12)
        guard timescale > 0 else { throw MovieError(.damaged, "the movie's timescale is zero") }
        let ticks = table.version == 1 ? table.u64(24) : UInt64(table.u32(16))
        duration = CMTime(value: Int64(clamping: ticks), timescale: Int32(clamping: timescale))
        let boxes = movieBoxes.filter { $0.type == "trak" }
        guard boxes.count <= Self.maximumTracks else {
            throw MovieError(.limit, "there are more than \(Self.maximumTracks) tracks")
        }
        let scale = timescale
        tracks = boxes.compactMap { MovieTrack($0, reader, movieTimescale: scale) }
    }

    /// Whether the file calls itself a QuickTime movie, or nothing at all.
    var isQuickTime: Bool {
        guard let brands = fileBoxes.first(where: { $0.type == "ftyp" }) else { return true }
        return file.read(at: brands.content.lowerBound, count: 4).fourCC(at: 0) == "qt  "
    }
}

/// One track's boxes, and what its small ones say.
package struct MovieTrack: Sendable {
    /// A row of the edit list as it is in the file.
    package struct Edit: Hashable, Sendable {
        /// In the movie's timescale.
        package var duration: UInt64
        /// In the track's timescale; -1 for an empty edit.
        package var mediaTime: Int64
        /// 16.16 fixed point.
        package var rate: Int32
    }

    /// One way in which the track refers to others.
    package struct Reference: Hashable, Sendable {
        package var type: FourCC
        package var tracks: [UInt32]
    }

    package let box: Box
    package let children: [Box]
    package let mediaBoxes: [Box]
    package let informationBoxes: [Box]
    package let tableBoxes: [Box]
    package let id: UInt32
    package let isEnabled: Bool
    /// `vide`, `soun`, `text` and so on.
    package let handler: FourCC
    /// Ticks in each second; what the track's length implies if its header says zero.
    package var timescale: UInt32
    package let isTimescaleImplied: Bool
    /// What the track's header says, in the movie's timescale.
    package let duration: UInt64
    package var edits: [Edit]
    package let references: [Reference]
    package let entries: [SampleEntry]

    /// Edits and references of more rows than this are damage.
    private static let maximumEdits = 100_000
    /// An edit list, a sample description or another box that is read whole.
    private static let maximumBoxBytes = 16 << 20

    /// Reads the headers; `nil` without a track header, so that there is no track to speak of.
    ///
    /// - Parameter movieTimescale: Zero where times do not matter.
    package init?(_ box: Box, _ reader: BoxReader, movieTimescale: UInt32 = 0) {
        func inside(_ type: FourCC, _ boxes: [Box]) -> [Box] {
            boxes.first { $0.type == type }.map { reader.boxes(in: $0.content) } ?? []
        }
        func table(_ type: FourCC, _ boxes: [Box]) -> TableBytes? {
            boxes.first { $0.type == type }
                .map { TableBytes(bytes: reader.bytes(of: $0, limit: Self.maximumBoxBytes)) }
        }
        self.box = box
        children = reader.boxes(in: box.content)
        mediaBoxes = inside("mdia", children)
        informationBoxes = inside("minf", mediaBoxes)
        tableBoxes = inside("stbl", informationBoxes)
        guard let header = table("tkhd", children), header.bytes.count >= (header.version == 1 ? 96 : 84) else {
            return nil
        }
        id = header.u32(header.version == 1 ? 20 : 12)
        isEnabled = header.flags & 1 != 0
        let mediaHeader = table("mdhd", mediaBoxes) ?? TableBytes(bytes: [])
        let isLong = mediaHeader.version == 1
        let handlerBytes = table("hdlr", mediaBoxes)?.bytes ?? []
        handler = handlerBytes.fourCC(at: 8) ?? .none
        edits = table("elst", inside("edts", children)).map(Self.edits) ?? []
        duration = header.version == 1 ? header.u64(28) : UInt64(header.u32(20))
        let stated = mediaHeader.bytes.bigEndian32(at: isLong ? 20 : 12) ?? 0
        let ticks =
            isLong ? mediaHeader.bytes.bigEndian64(at: 24) : mediaHeader.bytes.bigEndian32(at: 16).map(UInt64.init)
        let implied =
            stated == 0 ? Self.timescale(of: ticks ?? 0, lasting: duration, movieTimescale: movieTimescale) : nil
        (timescale, isTimescaleImplied) = (implied ?? stated, implied != nil)
        references = inside("tref", children).map { box in
            let bytes = TableBytes(bytes: reader.bytes(of: box))
            return Reference(type: box.type, tracks: (0..<(bytes.bytes.count / 4)).map { bytes.u32($0 * 4) })
        }
        entries = table("stsd", tableBoxes).map(SampleEntry.all) ?? []
    }

    /// How many ticks make a second if so many last as long as the track; `nil` unless that is a whole number.
    private static func timescale(of ticks: UInt64, lasting duration: UInt64, movieTimescale: UInt32) -> UInt32? {
        let (product, overflow) = ticks.multipliedReportingOverflow(by: UInt64(movieTimescale))
        guard !overflow, product > 0, duration > 0, product.isMultiple(of: duration) else { return nil }
        return UInt32(exactly: product / duration)
    }

    private static func edits(_ table: TableBytes) -> [Edit] {
        let isLong = table.version == 1
        let size = isLong ? 20 : 12
        return (0..<min(table.count(at: 4, entrySize: size), maximumEdits)).map { index in
            let start = 8 + index * size
            return isLong
                ? Edit(
                    duration: table.u64(start), mediaTime: Int64(bitPattern: table.u64(start + 8)),
                    rate: Int32(bitPattern: table.u32(start + 16)))
                : Edit(
                    duration: UInt64(table.u32(start)), mediaTime: Int64(Int32(bitPattern: table.u32(start + 4))),
                    rate: Int32(bitPattern: table.u32(start + 8)))
        }
    }
}

/// One entry of a sample description, as far as trimming needs it.
package struct SampleEntry: Hashable, Sendable {
    package var type: FourCC
    /// What follows the type.
    package var content: [UInt8]

    /// The number of its data reference, from 1.
    var dataReference: Int { Int(content.bigEndian16(at: 6) ?? 1) }

    /// More entries than this are damage.
    private static let maximumEntries = 1024

    static func all(_ table: TableBytes) -> [SampleEntry] {
        let reader = BoxReader(file: RandomAccessFile(bytes: table.bytes))
        guard table.bytes.count > 8 else { return [] }
        return reader.boxes(in: 8..<UInt64(table.bytes.count)).prefix(maximumEntries).map { box in
            SampleEntry(type: box.type, content: reader.bytes(of: box, limit: 1 << 16))
        }
    }
}
