internal import MediaIO

/// Reads headers of boxes that follow one another, many at a time where they are close together.
///
/// A file may hold millions of empty boxes, and a call of the system for each takes longer than all else.
struct BoxHeaderWindow {
    /// Bytes of the longest header that states a size.
    static let headerSize = 16

    private let file: RandomAccessFile
    private var bytes: [UInt8] = []
    private var start: UInt64 = 0
    /// Bytes read at once where boxes are small.
    private static let stride = 1 << 14

    init(file: RandomAccessFile) { self.file = file }

    /// The bytes at a position, fewer at the end of the file: as many as the longest header has, unless told otherwise.
    mutating func read(at position: UInt64, count: Int = headerSize) -> ArraySlice<UInt8> {
        let isInside = position >= start && position - start + UInt64(count) <= bytes.count
        if !isInside {
            // Where one box was small, others follow.
            let isNear = position > start && position - start < UInt64(bytes.count + Self.stride / 8)
            (bytes, start) = (file.read(at: position, count: isNear ? Self.stride : count), position)
        }
        let offset = Int(position - start)
        return bytes[offset..<min(bytes.count, offset + count)]
    }
}
