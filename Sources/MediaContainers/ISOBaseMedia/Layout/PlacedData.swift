internal import MediaCore
internal import MediaIO

/// What boxes outside the tables of samples keep of absolute positions in the file.
///
/// Every box that is known to hold such positions is listed in
/// `docs/decisions/0092-absolute-positions.md`, with what happens to it.
enum PlacedData {
    /// The box of a dash camera's movie that says where its blocks of positions lie.
    static let camera: FourCC = "gps "
    /// Canon's box of places, within a `uuid` box of the movie.
    static let canon: FourCC = "CTBO"
    /// Indexes of the whole file, of which nothing is left to index once media are cut.
    static let indexes: Set<FourCC> = ["sidx", "ssix", "mfra", "afra"]

    private static let canonIdentifier: [UInt8] = [
        0x85, 0xC0, 0xB6, 0x87, 0x82, 0x0F, 0x11, 0xE0, 0x81, 0x11, 0xF4, 0xCE, 0x46, 0x2B, 0x6A, 0x48,
    ]
    private static let credentialsIdentifier: [UInt8] = [
        0xD8, 0xFE, 0xC3, 0xD6, 0x1B, 0x0E, 0x48, 0x3C, 0x92, 0x97, 0x58, 0x28, 0x87, 0x7E, 0xC4, 0x81,
    ]

    /// What a loss calls content credentials.
    static let credentials = "content credentials (C2PA)"
    /// Why a movie that is put together anew has none.
    static let credentialsReason = "they sign other bytes than the new file's"

    /// Whether a box of the file holds content credentials: a signed manifest of the file's bytes.
    ///
    /// Source: C2PA Technical Specification, "Embedding manifests into BMFF-based assets".
    static func isCredentials(_ box: Box, _ reader: BoxReader) -> Bool {
        box.type == "uuid" && reader.bytes(of: box, limit: 16) == credentialsIdentifier
    }

    /// Canon's table of places within a box of a movie; `nil` if there is none.
    static func canonTable(_ box: Box, _ reader: BoxReader) -> Box? {
        guard box.type == "uuid", reader.bytes(of: box, limit: 16) == canonIdentifier else { return nil }
        return reader.boxes(in: (box.content.lowerBound + 16)..<box.content.upperBound).first { $0.type == canon }
    }

    /// Where the items of a movie, a track, a fragment or a file are listed, in all boxes of metadata among some.
    ///
    /// - Parameter isWithin: Whether these are within a box that holds metadata, which holds no other such box.
    static func itemLocations(among boxes: [Box], _ reader: BoxReader, isWithin: Bool = false) -> [Box] {
        boxes.flatMap { box -> [Box] in
            switch box.type {
            case "meta": reader.boxes(in: reader.children(of: box)).filter { $0.type == "iloc" }
            case "udta" where !isWithin, "meco" where !isWithin:
                itemLocations(among: reader.boxes(in: box.content), reader, isWithin: true)
            default: []
            }
        }
    }

    /// What a loss calls a camera's blocks of positions.
    static let cameraPositions = "positions of the camera (gps)"

    /// The content of Canon's box with moved positions, `nil` if none moves.
    ///
    /// The table has a number of places, then a number, a position and a size of each.
    ///
    /// - Parameter table: Where in the content the table's content begins.
    static func canonPlaces(_ content: [UInt8], table: Int, _ map: OffsetMap) throws(MovieError) -> [UInt8]? {
        var fields = Cursor(bytes: content, position: table)
        guard let count = fields.number(4) else { return nil }
        for _ in 0..<count {
            guard fields.number(4) != nil, case let place = fields.position, let position = fields.number(8),
                fields.number(8) != nil
            else { break }
            try fields.write(position, shiftedBy: map.shift(at: position), width: 8, at: place)
        }
        return fields.bytes == content ? nil : fields.bytes
    }

    /// Canon's box of a movie without its table, which becomes free space: a movie that is put together anew has its
    /// parts elsewhere; `nil` for other boxes.
    static func withoutCanonTable(_ box: Box, _ reader: BoxReader) -> [UInt8]? {
        guard let table = canonTable(box, reader) else { return nil }
        var bytes = reader.wholeBytes(of: box)
        // From the end on, since the whole box may have got another header.
        let start = bytes.count - Int(box.range.upperBound - table.start)
        let end = bytes.count - Int(box.range.upperBound - table.range.upperBound)
        bytes.replaceSubrange((start + 4)..<(start + 8), with: ("free" as FourCC).bytes)
        let content = end - Int(table.content.length)
        bytes.replaceSubrange(content..<end, with: [UInt8](repeating: 0, count: end - content))
        return bytes
    }

    /// What a movie loses with its table.
    static let canonLoss = MovieLoss(item: "CTBO", reason: "it names places in the file that are others now")

    /// The content of a box of content credentials with a moved position of its hashes, `nil` if it stays.
    ///
    /// The identifier, version and flags, a purpose that ends with a zero, then, for a manifest, the position; boxes of
    /// hashes have none.
    static func credentials(
        _ content: [UInt8], byteCount: UInt64, _ map: OffsetMap
    ) throws(MovieError) -> [UInt8]? {
        guard content.count > 20, let end = content[20...].firstIndex(of: 0),
            ["manifest", "original", "update"].contains(String(decoding: content[20..<end], as: UTF8.self))
        else { return nil }
        var fields = Cursor(bytes: content, position: end + 1)
        guard let position = fields.number(8), position > 0, position < byteCount else { return nil }
        try fields.write(position, shiftedBy: map.shift(at: position), width: 8, at: end + 1)
        return fields.bytes == content ? nil : fields.bytes
    }

    /// An `afra` box's content with moved positions, `nil` if none moves.
    ///
    /// Source: Adobe Flash Video File Format Specification 10.1, "afra box".
    static func fragmentAccess(_ content: [UInt8], _ map: OffsetMap) throws(MovieError) -> [UInt8]? {
        guard content.count >= 13 else { return nil }
        // The highest bit stands for long numbers, the next for long positions, the third for other segments.
        guard content[4] & 0x20 == 0 else {
            throw MovieError(
                .unsupported, "the file has an index (afra) of other segments, whose positions would change")
        }
        let width = content[4] & 0x40 == 0 ? 4 : 8
        var fields = Cursor(bytes: content, position: 9)
        guard let count = fields.number(4) else { return nil }
        for _ in 0..<count {
            guard fields.number(8) != nil, case let place = fields.position, let position = fields.number(width) else {
                break
            }
            try fields.write(position, shiftedBy: map.shift(at: position), width: width, at: place)
        }
        return fields.bytes == content ? nil : fields.bytes
    }
}

/// The table `gps ` of a dash camera's movie: where in the file its blocks of positions lie, one a second.
///
/// Version and flags, the number of blocks, then a position and a size of 32 bits each, and room for more.
///
/// Source: observed in files of Novatek's cameras; ExifTool reads it so ("freeGPS"), and knows boxes of this name that
/// hold text instead.
struct CameraBlocks {
    /// Version, flags and number.
    private let header: ArraySlice<UInt8>
    /// The blocks in the file's order of the table.
    let ranges: [Range<UInt64>]
    /// What comes after the table.
    private let rest: ArraySlice<UInt8>

    /// Takes a table apart; `nil` if it is none of blocks that lie in a file's media or free space.
    init?(_ content: [UInt8], in movieFile: MovieFile) {
        var fields = Cursor(bytes: content, position: 4)
        guard let stated = fields.number(4), stated > 0 else { return nil }
        let places = movieFile.boxes.filter { $0.type == "mdat" || FourCC.freeSpace.contains($0.type) }
        var ranges: [Range<UInt64>] = []
        for _ in 0..<min(stated, UInt64(content.count / 8)) {
            guard let start = fields.number(4), let size = fields.number(4) else { break }
            let index = places.partitioningIndex { $0.range.upperBound > start }
            let isInside = places.indices.contains(index) && places[index].start <= start
            guard size == 0 || isInside && start + size <= places[index].range.upperBound else { return nil }
            ranges.append(start..<(start + size))
        }
        guard ranges.contains(where: { !$0.isEmpty }) else { return nil }
        (header, self.ranges, rest) = (content[..<8], ranges, content[(8 + 8 * ranges.count)...])
    }

    /// The bytes that the whole box takes.
    var byteCount: Int { 16 + 8 * ranges.count + rest.count }

    /// The box, with blocks at other positions.
    func box(_ place: (UInt64) -> UInt64) -> [UInt8] {
        var content = Array(header)
        for range in ranges {
            // A block of no bytes is none, and stays nowhere.
            content.append(bigEndian: range.isEmpty ? 0 : UInt32(clamping: place(range.lowerBound)))
            content.append(bigEndian: UInt32(clamping: range.length))
        }
        return .box(PlacedData.camera, content + rest)
    }

    /// The table's content with moved positions, `nil` if none moves, or if it is no such table.
    static func moved(
        _ content: [UInt8], in movieFile: MovieFile, _ map: OffsetMap
    ) throws(MovieError) -> [UInt8]? {
        guard let table = CameraBlocks(content, in: movieFile) else { return nil }
        var fields = Cursor(bytes: content, position: 8)
        for range in table.ranges {
            guard case let place = fields.position, fields.number(8) != nil, !range.isEmpty else { continue }
            try fields.write(range.lowerBound, shiftedBy: map.shift(at: range.lowerBound), width: 4, at: place)
        }
        return fields.bytes == content ? nil : fields.bytes
    }
}

extension MovieFile {
    /// What the file says beside its tracks and its metadata, which no other kind of file has a place for.
    package var ownBoxes: [String] {
        let inFile: Set<FourCC> = [
            "ftyp", "styp", "moov", "moof", "mdat", "pdin", "udta", "meta", "pnot", "PICT", "abst", "emsg", "prft",
        ]
        let inMovie: Set<FourCC> = ["mvhd", "trak", "mvex", "iods", "udta", "meta", "ctab", "prfl", "clip"]
        let known = FourCC.freeSpace.union(PlacedData.indexes)
        let (knownInFile, knownInMovie) = (known.union(inFile), known.union(inMovie))
        let movieBoxes = movie.map { reader.boxes(in: $0.content) } ?? []
        let others =
            boxes.filter { !knownInFile.contains($0.type) } + movieBoxes.filter { !knownInMovie.contains($0.type) }
        return others.compactMap { box in
            switch box.type {
            case PlacedData.camera: return PlacedData.cameraPositions
            case "uuid":
                let identifier = reader.bytes(of: box, limit: 16)
                if PlacedData.isCredentials(box, reader) { return PlacedData.credentials }
                // XMP packets are items.
                guard identifier != Self.packetIdentifier else { return nil }
                return "box uuid " + identifier.map { $0.zeroPadded(to: 2, radix: 16) }.joined()
            // What is no name was no box.
            default: return box.type.bytes.allSatisfy { $0 >= 0x20 } ? "box \(box.type.text)" : nil
            }
        }
    }

    /// The identifier of XMP packets.
    ///
    /// Source: XMP Specification, Part 3, "MPEG-4".
    package static let packetIdentifier: [UInt8] = [
        0xBE, 0x7A, 0xCF, 0xCB, 0x97, 0xA9, 0x42, 0xE8, 0x9C, 0x71, 0x99, 0x94, 0x91, 0xE3, 0xAF, 0xAC,
    ]
}
