internal import MediaIO

/// Bytes that no piece has, and where they will lie.
struct JoinedData {
    /// Places from here on count from the beginning of the new bytes.
    static let base: UInt64 = 1 << 62

    private(set) var bytes: [UInt8] = []
    private var known: [[UInt8]: UInt64] = [:]

    /// The place of some bytes, which are there once.
    mutating func offset(of part: [UInt8]) -> UInt64 {
        if let offset = known[part] { return offset }
        let offset = Self.base + UInt64(bytes.count)
        known[part] = offset
        bytes += part
        return offset
    }

    /// A place among all files, of which the new bytes are the last.
    ///
    /// - Parameter end: Where the others end.
    static func place(_ offset: UInt64, after end: UInt64) -> UInt64 {
        offset >= base ? offset - base + end : offset
    }
}
