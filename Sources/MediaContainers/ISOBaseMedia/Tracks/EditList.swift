internal import MediaIO

/// What of its media a track shows when: `elst`.
///
/// Source: ISO/IEC 14496-12, "Edit List Box".
package struct EditList: Hashable, Sendable {
    /// A row of the list.
    package struct Segment: Hashable, Sendable {
        /// In the movie's timescale.
        package var duration: UInt64
        /// In the track's timescale; -1 for an empty edit.
        package var mediaTime: Int64
        /// 16.16 fixed point; 0 holds one moment.
        package var rate: Int32

        /// Shows something of the media at normal speed, or nothing.
        package init(duration: UInt64, mediaTime: Int64, rate: Int32 = 1 << 16) {
            (self.duration, self.mediaTime, self.rate) = (duration, mediaTime, rate)
        }
    }

    /// The rows in order.
    package var segments: [Segment]

    /// Rows that are read; files in use have a handful.
    package static let maximumSegments = 100_000

    /// A list of rows.
    package init(_ segments: [Segment]) { self.segments = segments }

    /// Reads the content of a box: the rows that are there whole.
    ///
    /// - Parameter maximum: More rows than this are not read.
    package init(content: [UInt8], maximum: Int = Self.maximumSegments) {
        let table = TableBytes(bytes: content)
        let isLong = table.version == 1
        let size = isLong ? 20 : 12
        segments = (0..<min(table.count(at: 4, entrySize: size), maximum)).map { index in
            let start = 8 + index * size
            return isLong
                ? Segment(
                    duration: table.u64(start), mediaTime: Int64(bitPattern: table.u64(start + 8)),
                    rate: Int32(bitPattern: table.u32(start + 16)))
                : Segment(
                    duration: UInt64(table.u32(start)), mediaTime: Int64(Int32(bitPattern: table.u32(start + 4))),
                    rate: Int32(bitPattern: table.u32(start + 8)))
        }
    }

    /// Reads the list among a track's boxes, no rows if it has none.
    package init(in track: [Box], _ reader: BoxReader) {
        guard let edits = track.first(where: { $0.type == "edts" }),
            let list = reader.box(["elst"], in: edits.content)
        else {
            self.init([])
            return
        }
        self.init(content: reader.bytes(of: list, limit: 8 + 20 * Self.maximumSegments))
    }

    /// The list in its box, with 64 bits if it needs them.
    package var box: [UInt8] {
        let isLong = segments.contains { $0.duration > UInt32.max || $0.mediaTime > Int32.max }
        var content: [UInt8] = [isLong ? 1 : 0, 0, 0, 0]
        content.append(bigEndian: UInt32(segments.count))
        for segment in segments {
            if isLong {
                content.append(bigEndian: segment.duration)
                content.append(bigEndian: segment.mediaTime)
            } else {
                content.append(bigEndian: UInt32(segment.duration))
                content.append(bigEndian: Int32(segment.mediaTime))
            }
            content.append(bigEndian: segment.rate)
        }
        return .box("edts", .box("elst", content))
    }
}
