internal import MediaIO

/// A table in rows: how many samples in turn have which number.
struct CountedRows<Number: Equatable & Sendable>: Sendable {
    struct Row: Sendable {
        var count: Int
        var number: Number
    }

    private(set) var rows: [Row] = []

    mutating func append(_ number: Number, times count: Int) {
        guard count > 0 else { return }
        if let last = rows.last, last.number == number {
            rows[rows.count - 1].count += count
        } else {
            rows.append(Row(count: count, number: number))
        }
    }

    /// Takes the last samples off.
    ///
    /// - Returns: Their rows in order.
    mutating func removeLast(_ count: Int) -> [Row] {
        var (removed, left): ([Row], Int) = ([], count)
        while left > 0, let last = rows.last {
            let taken = min(left, last.count)
            removed.append(Row(count: taken, number: last.number))
            if taken == last.count { rows.removeLast() } else { rows[rows.count - 1].count -= taken }
            left -= taken
        }
        return removed.reversed()
    }

    /// A table box of these rows, each number as 32 bits.
    func box(_ type: FourCC, version: UInt8 = 0, head: [UInt8] = [], _ number: (Number) -> UInt32) -> [UInt8] {
        var content: [UInt8] = [version, 0, 0, 0] + head
        content.reserveCapacity(content.count + 4 + rows.count * 8)
        content.append(bigEndian: UInt32(clamping: rows.count))
        for row in rows {
            content.append(bigEndian: UInt32(clamping: row.count))
            content.append(bigEndian: number(row.number))
        }
        return .box(type, content)
    }
}
