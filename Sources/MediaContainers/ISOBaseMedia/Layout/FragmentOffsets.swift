internal import MediaIO

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
                for fragment in reader.boxes(in: box.content) where fragment.type == "traf" {
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
            case "meta":
                let children = reader.boxes(in: reader.children(of: box))
                for table in children where table.type == "iloc" {
                    if let bytes = try ItemLocations.moved(try content(of: table), by: map) {
                        changes.append((table.content, bytes))
                    }
                }
            default: continue
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
