internal import MediaIO

/// The places in a `moov` box that say where in the file media lie.
///
/// Source: ISO/IEC 14496-12, "Chunk Offset Box", "Sample Auxiliary Information
/// Offsets Box", "Item Location Box".
struct ChunkOffsets {
    /// A table that takes more bytes is not changed: eight million chunks.
    private static let maximumTable = 64 << 20

    private let movieFile: MovieFile
    private let tables: [Box]
    /// Why the tables cannot be changed, in one line.
    private let obstacle: String?

    /// Finds the tables of a movie.
    init(_ movie: Box, in movieFile: MovieFile) {
        self.movieFile = movieFile
        let reader = movieFile.reader
        var tables: [Box] = []
        var obstacle: String?
        for child in reader.boxes(in: movie.content) {
            switch child.type {
            case "cmov": obstacle = "the moov box is compressed, so media cannot be moved"
            case PlacedData.camera: tables.append(child)
            case "uuid" where PlacedData.canonTable(child, reader) != nil: tables.append(child)
            case "trak":
                tables += PlacedData.itemLocations(among: reader.boxes(in: child.content), reader)
                guard let information = reader.box(["mdia", "minf"], in: child.content),
                    let table = reader.box(["stbl"], in: information.content)
                else { continue }
                switch Self.dataReferences(information, reader) {
                case .here: tables += reader.boxes(in: table.content).filter { Self.types.contains($0.type) }
                case .elsewhere: continue
                case .both: obstacle = "a track has media both in this file and in others, so they cannot be moved"
                }
            default: tables += PlacedData.itemLocations(among: [child], reader)
            }
        }
        self.tables = tables
        self.obstacle = obstacle
    }

    private static let types: Set<FourCC> = ["stco", "co64", "saio"]

    private enum DataReferences {
        case here
        case elsewhere
        case both
    }

    /// Whether a track's media lie in the file itself.
    private static func dataReferences(_ information: Box, _ reader: BoxReader) -> DataReferences {
        guard let references = reader.box(["dinf", "dref"], in: information.content) else { return .here }
        let start = references.content.lowerBound + 8
        guard start <= references.content.upperBound else { return .here }
        var isHere = false
        var isElsewhere = false
        for box in reader.boxes(in: start..<references.content.upperBound) {
            let content = reader.bytes(of: box, limit: 64)
            // Some writers forget the flag; but what names no other file is this one.
            let isSelf = content.last(where: { $0 != 0 }) == nil || (content.bigEndian32(at: 0) ?? 0) & 1 == 1
            if isSelf { isHere = true } else { isElsewhere = true }
        }
        return isElsewhere ? (isHere ? .both : .elsewhere) : .here
    }

    /// Whether media are to lie behind a position.
    func reach(past end: UInt64) -> Bool {
        tables.contains { table in
            guard ["stco", "co64"].contains(table.type),
                let content = movieFile.file.read(table.content, limit: Self.maximumTable),
                let count = content.bigEndian32(at: 4)
            else { return false }
            let width = table.type == "co64" ? 8 : 4
            return (0..<min(Int(count), (content.count - 8) / width)).contains { index in
                let offset =
                    width == 8
                    ? content.bigEndian64(at: 8 + index * 8) : content.bigEndian32(at: 8 + index * 4).map(UInt64.init)
                return offset ?? 0 >= end
            }
        }
    }

    /// The tables as they must be when everything lies where a map says.
    func adjust(_ edits: inout BoxEdits, by map: OffsetMap) throws(MovieError) {
        guard !map.isIdentity else { return }
        if let obstacle { throw MovieError(.unsupported, obstacle) }
        for table in tables {
            guard let content = movieFile.file.read(table.content, limit: Self.maximumTable) else {
                throw MovieError(.limit, "\(table.type): more chunks than are handled")
            }
            let bytes: [UInt8]?
            switch table.type {
            case "stco", "co64": bytes = Self.chunkOffsets(content, isLarge: table.type == "co64", map)
            case "saio": bytes = Self.auxiliaryOffsets(content, map)
            case PlacedData.camera:
                bytes = try CameraBlocks.moved(content, in: movieFile, map).map { .box(table.type, $0) }
            case "uuid":
                guard let canon = PlacedData.canonTable(table, movieFile.reader) else { continue }
                let start = Int(canon.content.lowerBound - table.content.lowerBound)
                bytes = try PlacedData.canonPlaces(content, table: start, map).map { .box(table.type, $0) }
            default: bytes = try ItemLocations.moved(content, by: map).map { .box("iloc", $0) }
            }
            if let bytes { edits.replace(table, with: [.bytes(bytes)]) }
        }
    }

    /// A `stco` or `co64` box with moved offsets, `nil` if none moves.
    static func chunkOffsets(_ content: [UInt8], isLarge: Bool, _ map: OffsetMap) -> [UInt8]? {
        guard let count = content.bigEndian32(at: 4), content.count >= 8 else { return nil }
        let width = isLarge ? 8 : 4
        let available = min(Int(count), (content.count - 8) / width)
        let (offsets, isMoved) = moved(content, at: 8, count: available, width: width, map)
        guard isMoved else { return nil }
        let isNowLarge = isLarge || offsets.contains { $0 > UInt64(UInt32.max) }
        var result = Array(content[..<8])
        result.reserveCapacity(8 + offsets.count * 8)
        append(offsets, width: isNowLarge ? 8 : 4, to: &result)
        result += content[(8 + available * width)...]
        return .box(isNowLarge ? "co64" : "stco", result)
    }

    /// A `saio` box with moved offsets, `nil` if none moves.
    static func auxiliaryOffsets(_ content: [UInt8], _ map: OffsetMap) -> [UInt8]? {
        guard let head = content.bigEndian32(at: 0) else { return nil }
        let start = head & 1 == 1 ? 16 : 8
        guard let count = content.bigEndian32(at: start - 4) else { return nil }
        let width = head >> 24 == 0 ? 4 : 8
        let available = min(Int(count), (content.count - start) / width)
        let (offsets, isMoved) = moved(content, at: start, count: available, width: width, map)
        guard isMoved else { return nil }
        let isNowLarge = width == 8 || offsets.contains { $0 > UInt64(UInt32.max) }
        var result = Array(content[..<start])
        if isNowLarge, result[0] == 0 { result[0] = 1 }
        append(offsets, width: isNowLarge ? 8 : 4, to: &result)
        result += content[(start + available * width)...]
        return .box("saio", result)
    }

    private static func moved(
        _ content: [UInt8], at start: Int, count: Int, width: Int, _ map: OffsetMap
    ) -> (offsets: [UInt64], isMoved: Bool) {
        var offsets: [UInt64] = []
        offsets.reserveCapacity(count)
        var isMoved = false
        for index in 0..<count {
            var offset: UInt64 = 0
            for byte in 0..<width { offset = offset << 8 | UInt64(content[start + index * width + byte]) }
            let new = map(offset)
            if new != offset { isMoved = true }
            offsets.append(new)
        }
        return (offsets, isMoved)
    }

    private static func append(_ offsets: [UInt64], width: Int, to bytes: inout [UInt8]) {
        for offset in offsets {
            for byte in (0..<width).reversed() { bytes.append(UInt8(truncatingIfNeeded: offset >> UInt64(8 * byte))) }
        }
    }
}

/// Where the items of a `meta` box lie: its `iloc` box.
enum ItemLocations {
    /// The content with moved positions, `nil` if none moves.
    static func moved(_ content: [UInt8], by map: OffsetMap) throws(MovieError) -> [UInt8]? {
        guard let version = content.first, version <= 2, content.count >= 8 else { return nil }
        let widths = [content[4] >> 4, content[4] & 15, content[5] >> 4, version > 0 ? content[5] & 15 : 0].map(
            Int.init)
        let (offsetWidth, lengthWidth, baseWidth, indexWidth) = (widths[0], widths[1], widths[2], widths[3])
        guard widths.allSatisfy([0, 4, 8].contains) else { return nil }
        var fields = Cursor(bytes: content, position: 6)
        guard let count = fields.number(version < 2 ? 2 : 4) else { return nil }
        for _ in 0..<min(count, UInt64(content.count)) {
            guard fields.number(version < 2 ? 2 : 4) != nil else { break }
            let method = version > 0 ? (fields.number(2) ?? 0) & 15 : 0
            guard let reference = fields.number(2), case let basePosition = fields.position,
                let base = fields.number(baseWidth), let extents = fields.number(2)
            else { break }
            var shifts: [(position: Int, start: UInt64, shift: Int64)] = []
            for _ in 0..<min(extents, UInt64(content.count)) {
                guard fields.number(indexWidth) != nil, case let position = fields.position,
                    let offset = fields.number(offsetWidth), fields.number(lengthWidth) != nil
                else { break }
                shifts.append((position, offset, map.shift(at: base.addingReportingOverflow(offset).partialValue)))
            }
            // Other methods count from elsewhere, other references name other files.
            guard method == 0, reference == 0, let first = shifts.first else { continue }
            if base > 0, shifts.allSatisfy({ $0.shift == first.shift }) {
                try fields.write(base, shiftedBy: first.shift, width: baseWidth, at: basePosition)
            } else {
                for item in shifts {
                    try fields.write(item.start, shiftedBy: item.shift, width: offsetWidth, at: item.position)
                }
            }
        }
        return fields.bytes == content ? nil : fields.bytes
    }
}

/// Numbers of any width, read and replaced one after another.
struct Cursor {
    private(set) var bytes: [UInt8]
    private(set) var position: Int

    init(bytes: [UInt8], position: Int) { (self.bytes, self.position) = (bytes, position) }

    /// The next number, zero if it takes no bytes; `nil` at the end.
    mutating func number(_ width: Int) -> UInt64? {
        guard width <= bytes.count - position else { return nil }
        defer { position += width }
        return bytes[position..<(position + width)].reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Replaces a number by one that is larger or smaller.
    mutating func write(_ number: UInt64, shiftedBy shift: Int64, width: Int, at place: Int) throws(MovieError) {
        guard shift != 0 else { return }
        let new = number.addingReportingOverflow(UInt64(bitPattern: shift)).partialValue
        guard width > 0, width == 8 || new >> UInt64(8 * width) == 0 else {
            throw MovieError(.unsupported, "the file has positions that cannot grow to the new ones")
        }
        for byte in 0..<width { bytes[place + byte] = UInt8(truncatingIfNeeded: new >> UInt64(8 * (width - 1 - byte))) }
    }
}

/// Where the parts of a file lie in its new version.
struct OffsetMap {
    /// Positions from where on everything lies further back or forth, in rising order.
    private var changes: [(position: UInt64, shift: Int64)] = []

    /// Adds a change of length at a position, not before those already there.
    mutating func append(_ shift: Int64, from position: UInt64) {
        guard shift != 0 else { return }
        changes.append((position, (changes.last?.shift ?? 0) + shift))
    }

    /// Whether everything stays where it is.
    var isIdentity: Bool { changes.isEmpty }

    /// How much further back the byte at a position lies.
    func shift(at position: UInt64) -> Int64 { changes.last { $0.position <= position }?.shift ?? 0 }

    /// The new position of what is at a position; one that cannot be, as damaged
    /// files have, stays.
    func callAsFunction(_ position: UInt64) -> UInt64 {
        let shift = shift(at: position)
        let (result, overflow) =
            shift < 0
            ? position.subtractingReportingOverflow(shift.magnitude)
            : position.addingReportingOverflow(shift.magnitude)
        return overflow ? position : result
    }
}

/// The places beside the `moov` box that say where in the file something lies.
///
/// All keep their size.
///
/// Source: ISO/IEC 14496-12, "Track Fragment Header Box", "Track Fragment Random
/// Access Box", "Segment Index Box", "Item Location Box".
struct FragmentOffsets {
    /// A table that takes more bytes is not changed.
    private static let maximumTable = 64 << 20

    let movieFile: MovieFile

    /// What changes where when everything lies where a map says.
    func changes(by map: OffsetMap) throws(MovieError) -> [(range: Range<UInt64>, bytes: [UInt8])] {
        guard !map.isIdentity else { return [] }
        var changes: [(range: Range<UInt64>, bytes: [UInt8])] = []
        let reader = movieFile.reader
        for box in movieFile.boxes {
            switch box.type {
            case "moof":
                let children = reader.boxes(in: box.content)
                let metadata = children + children.filter { $0.type == "traf" }.flatMap { reader.boxes(in: $0.content) }
                changes += try items(among: metadata, map)
                for fragment in children where fragment.type == "traf" {
                    guard let header = reader.box(["tfhd"], in: fragment.content) else { continue }
                    if let bytes = try Self.fragmentHeader(reader.bytes(of: header, limit: 16), map) {
                        let start = header.content.lowerBound
                        changes.append((start..<(start + UInt64(bytes.count)), bytes))
                    }
                }
            case "mfra":
                for table in reader.boxes(in: box.content) where table.type == "tfra" {
                    if let bytes = try Self.randomAccess(try content(of: table), map) {
                        changes.append((table.content, bytes))
                    }
                }
            case "sidx":
                if let bytes = try Self.segmentIndex(try content(of: box), end: box.range.upperBound, map) {
                    changes.append((box.content, bytes))
                }
            case "afra":
                if let bytes = try PlacedData.fragmentAccess(try content(of: box), map) {
                    changes.append((box.content, bytes))
                }
            case "uuid" where PlacedData.isCredentials(box, reader):
                let head = reader.bytes(of: box, limit: 1 << 10)
                if let bytes = try PlacedData.credentials(head, byteCount: movieFile.file.byteCount, map) {
                    let start = box.content.lowerBound
                    changes.append((start..<(start + UInt64(bytes.count)), bytes))
                }
            default: changes += try items(among: [box], map)
            }
        }
        return changes
    }

    private func items(
        among boxes: [Box], _ map: OffsetMap
    ) throws(MovieError) -> [(range: Range<UInt64>, bytes: [UInt8])] {
        var changes: [(range: Range<UInt64>, bytes: [UInt8])] = []
        for table in PlacedData.itemLocations(among: boxes, movieFile.reader) {
            if let bytes = try ItemLocations.moved(try content(of: table), by: map) {
                changes.append((table.content, bytes))
            }
        }
        return changes
    }

    private func content(of box: Box) throws(MovieError) -> [UInt8] {
        guard let bytes = movieFile.file.read(box.content, limit: Self.maximumTable) else {
            throw MovieError(.limit, "\(box.type): larger than is handled")
        }
        return bytes
    }

    /// The beginning of a `tfhd` box with a moved base, `nil` if it has none or it does not move.
    static func fragmentHeader(_ content: [UInt8], _ map: OffsetMap) throws(MovieError) -> [UInt8]? {
        guard content.count == 16, content[3] & 1 == 1 else { return nil }
        var fields = Cursor(bytes: content, position: 8)
        guard let base = fields.number(8) else { return nil }
        try fields.write(base, shiftedBy: map.shift(at: base), width: 8, at: 8)
        return fields.bytes == content ? nil : fields.bytes
    }

    /// A `tfra` box's content with moved positions, `nil` if none moves.
    static func randomAccess(_ content: [UInt8], _ map: OffsetMap) throws(MovieError) -> [UInt8]? {
        var fields = Cursor(bytes: content, position: 8)
        guard let version = content.first, let widths = fields.number(4), let count = fields.number(4) else {
            return nil
        }
        let width = version == 1 ? 8 : 4
        let numbers = [4, 2, 0].reduce(0) { $0 + Int(widths >> UInt64($1) & 3) + 1 }
        for _ in 0..<count {
            guard fields.number(width) != nil, case let place = fields.position, let position = fields.number(width),
                fields.number(numbers) != nil
            else { break }
            try fields.write(position, shiftedBy: map.shift(at: position), width: width, at: place)
        }
        return fields.bytes == content ? nil : fields.bytes
    }

    /// A `sidx` box's content for what it refers to, `nil` if distances stay.
    ///
    /// It counts from its own end, so it changes only if something between there
    /// and the last subsegment changes its length.
    static func segmentIndex(_ content: [UInt8], end: UInt64, _ map: OffsetMap) throws(MovieError) -> [UInt8]? {
        guard let version = content.first else { return nil }
        let width = version == 0 ? 4 : 8
        var fields = Cursor(bytes: content, position: 12 + width)
        guard case let firstPlace = fields.position, let first = fields.number(width), fields.number(2) != nil,
            let count = fields.number(2)
        else { return nil }
        var start = end.addingReportingOverflow(first).partialValue
        let shift = map.shift(at: start) - map.shift(at: end)
        try fields.write(first, shiftedBy: shift, width: width, at: firstPlace)
        for _ in 0..<count {
            let place = fields.position
            guard let reference = fields.number(4), fields.number(8) != nil else { break }
            let next = start.addingReportingOverflow(reference & 0x7FFF_FFFF).partialValue
            let growth = map.shift(at: next) - map.shift(at: start)
            guard (Int64(reference & 0x7FFF_FFFF) + growth) >> 31 == 0 else {
                throw MovieError(.unsupported, "a segment becomes larger than its index can say")
            }
            try fields.write(reference, shiftedBy: growth, width: 4, at: place)
            start = next
        }
        return fields.bytes == content ? nil : fields.bytes
    }
}
