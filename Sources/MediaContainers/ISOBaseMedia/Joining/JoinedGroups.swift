internal import MediaIO

/// The sample groups of a track that is put together, as far as all pieces describe them alike.
struct JoinedGroups {
    private struct Key: Hashable {
        var type: FourCC
        var parameter: UInt32?
    }

    private var descriptions: [FourCC: [[UInt8]]] = [:]
    private var rows: [Key: CountedRows<UInt32>] = [:]
    /// How many samples the rows tell of.
    private var counts: [Key: Int] = [:]
    /// In the order in which they came.
    private var keys: [Key] = []
    private var sampleCount = 0
    /// Groups that the pieces describe in different ways.
    private(set) var dropped: Set<FourCC> = []

    /// Adds the groups of a piece's samples.
    mutating func append(_ track: MovieTrack, _ tables: SampleTables, _ reader: BoxReader) {
        var own: [FourCC: [[UInt8]]] = [:]
        for box in track.tableBoxes where box.type == "sgpd" {
            let bytes = reader.wholeBytes(of: box)
            own[bytes.fourCC(at: 12) ?? .none, default: []].append(bytes)
        }
        for (type, boxes) in own {
            if let known = descriptions[type] {
                if known != boxes { dropped.insert(type) }
            } else {
                descriptions[type] = boxes
            }
        }
        for group in tables.groups {
            let key = Key(type: group.type, parameter: group.parameter)
            if rows[key] == nil {
                keys.append(key)
                rows[key] = CountedRows()
                rows[key]?.append(0, times: sampleCount)
            }
            // A second box of a kind would say something else of the same samples.
            guard counts[key] ?? 0 <= sampleCount else { continue }
            group.forEachRun { rows[key]?.append($1, times: $0) }
            counts[key] = sampleCount + tables.count
        }
        append(tables.count)
    }

    /// Rows of its tables.
    var rowCount: Int { rows.values.reduce(0) { $0 + $1.rows.count } }

    /// Adds samples that are in no group but those given above.
    mutating func append(_ count: Int) {
        sampleCount += count
        for key in keys {
            rows[key]?.append(0, times: sampleCount - (counts[key] ?? 0))
            counts[key] = sampleCount
        }
    }

    /// The boxes `sgpd` and `sbgp`.
    var boxes: [[UInt8]] {
        let kept = descriptions.filter { !dropped.contains($0.key) }.sorted { $0.key.rawValue < $1.key.rawValue }
        var result = kept.flatMap(\.value)
        for key in keys where !dropped.contains(key.type) {
            var head = key.type.bytes
            if let parameter = key.parameter { head.append(bigEndian: parameter) }
            if let rows = rows[key] {
                result.append(rows.box("sbgp", version: key.parameter == nil ? 0 : 1, head: head) { $0 })
            }
        }
        return result
    }
}
