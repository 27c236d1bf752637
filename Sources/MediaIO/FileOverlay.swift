/// Bytes that take the place of others in a file, which keeps its length.
package struct FileOverlay: Sendable {
    private enum Content: Sendable {
        case bytes([UInt8])
        case zeros
    }

    private var changes: [(range: Range<UInt64>, content: Content)] = []

    /// An overlay that changes nothing.
    package init() {}

    /// Whether nothing is changed.
    package var isEmpty: Bool { changes.isEmpty }

    /// Puts bytes at a position.
    package mutating func replace(at position: UInt64, with bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        changes.append((position..<(position + UInt64(bytes.count)), .bytes(bytes)))
    }

    /// Puts zeros in place of a range.
    package mutating func clear(_ range: Range<UInt64>) {
        if !range.isEmpty { changes.append((range, .zeros)) }
    }

    /// Adds all changes of another overlay.
    package mutating func merge(_ other: FileOverlay) { changes += other.changes }

    /// Zeros that all segments share.
    private static let zeros = [UInt8](repeating: 0, count: 1 << 20)

    /// The changed file.
    ///
    /// Where changes overlap, the one that begins first has its way.
    package func rewrite(of file: RandomAccessFile) -> FileRewrite {
        var segments: [FileRewrite.Segment] = []
        var position: UInt64 = 0
        let sorted = changes.sorted {
            ($0.range.lowerBound, $1.range.upperBound) < ($1.range.lowerBound, $0.range.upperBound)
        }
        for change in sorted {
            let range = change.range.clamped(to: position..<max(position, file.byteCount))
            guard !range.isEmpty else { continue }
            if range.lowerBound > position { segments.append(.source(position..<range.lowerBound)) }
            switch change.content {
            case .bytes(let bytes):
                let start = Int(range.lowerBound - change.range.lowerBound)
                segments.append(.bytes(Array(bytes[start..<(start + Int(range.length))])))
            case .zeros:
                var left = range.length
                while left >= UInt64(Self.zeros.count) {
                    segments.append(.bytes(Self.zeros))
                    left -= UInt64(Self.zeros.count)
                }
                if left > 0 { segments.append(.bytes([UInt8](repeating: 0, count: Int(left)))) }
            }
            position = range.upperBound
        }
        if position < file.byteCount { segments.append(.source(position..<file.byteCount)) }
        return FileRewrite(segments: segments)
    }
}
