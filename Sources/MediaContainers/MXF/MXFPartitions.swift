package import MediaIO

/// The partitions of an MXF file, as far as they tell whether it has an index.
///
/// Source: SMPTE ST 377-1, 7.1.
package enum MXFPartitions {
    /// A key that all partition packs begin with; the two bytes behind it say which kind and how complete.
    private static let key: [UInt8] = [0x06, 0x0E, 0x2B, 0x34, 0x02, 0x05, 0x01, 0x01, 0x0D, 0x01, 0x02, 0x01, 0x01]
    private static let keyBytes = 16
    /// What may come before the first partition.
    private static let greatestRunIn = 1 << 16
    /// More than writers make of a day's recording.
    private static let mostPartitions = 100_000

    /// Whether a partition has an index, by which readers find the samples of a time; without one they guess by the
    /// bit rate.
    ///
    /// - Complexity: One read for each partition.
    package static func haveIndex(in file: RandomAccessFile) -> Bool {
        let head = file.read(at: 0, count: greatestRunIn + keyBytes)
        guard let start = head.firstRange(of: key)?.lowerBound, let header = Pack(file, at: UInt64(start)) else {
            return false
        }
        if header.hasIndex { return true }
        // Who did not know the footer when the header was written lists all partitions at the end.
        if header.footer == 0 {
            return partitions(listedIn: file).contains { Pack(file, at: UInt64(start) + $0)?.hasIndex == true }
        }
        // Places are told from the end of the run-in on.
        var next = header.footer > 0 ? UInt64(start).addingReportingOverflow(header.footer).partialValue : nil
        for _ in 0..<mostPartitions {
            guard let place = next, let pack = Pack(file, at: place) else { return false }
            if pack.hasIndex { return true }
            let before = UInt64(start).addingReportingOverflow(pack.previous).partialValue
            next = before < place ? before : nil
        }
        return false
    }

    /// The places of the partitions by the file's last pack.
    ///
    /// Source: SMPTE ST 377-1, 12.
    private static func partitions(listedIn file: RandomAccessFile) -> [UInt64] {
        guard file.byteCount > 4 else { return [] }
        let length = file.read(at: file.byteCount - 4, count: 4).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard length > UInt64(keyBytes) + 9, length < UInt64(mostPartitions * 12), length <= file.byteCount else {
            return []
        }
        let pack = file.read(at: file.byteCount - length, count: Int(length))
        guard pack.count == Int(length), pack.starts(with: key), pack[13] == 0x11 else { return [] }
        let fields = keyBytes + 1 + (pack[keyBytes] & 0x80 == 0 ? 0 : Int(pack[keyBytes] & 0x7F))
        return stride(from: fields, to: pack.count - 15, by: 12).map { entry in
            pack[(entry + 4)..<(entry + 12)].reduce(0) { $0 << 8 | UInt64($1) } & 0xFFFF_FFFF_FFFF
        }
    }

    private struct Pack {
        let previous: UInt64
        let footer: UInt64
        let hasIndex: Bool

        init?(_ file: RandomAccessFile, at place: UInt64) {
            let bytes = file.read(at: place, count: 96)
            guard bytes.starts(with: key), bytes.count > keyBytes + 9 else { return nil }
            let length = bytes[keyBytes]
            let fields = keyBytes + 1 + (length & 0x80 == 0 ? 0 : Int(length & 0x7F))
            func number(_ offset: Int) -> UInt64? {
                guard fields + offset + 8 <= bytes.count else { return nil }
                return bytes[(fields + offset)..<(fields + offset + 8)].reduce(0) { $0 << 8 | UInt64($1) }
            }
            guard let previous = number(16), let footer = number(24), let index = number(40) else { return nil }
            (self.previous, self.footer, hasIndex) = (previous, footer, index > 0)
        }
    }
}
