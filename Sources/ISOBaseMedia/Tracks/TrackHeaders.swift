internal import MediaFile

/// Writes the headers that hold durations: `mvhd`, `tkhd`, `mdhd`, and edit lists.
enum TrackHeaders {
    /// A header with another duration, in version 1 if it needs that.
    ///
    /// - Parameters:
    ///   - content: The old box's content, checked to be whole.
    ///   - middle: Bytes between the times and the duration: 4 or 8.
    ///   - timescale: The new timescale, in the first bytes of the middle.
    static func box(
        _ type: FourCC, content: [UInt8], middle: Int, duration: UInt64, timescale: UInt32? = nil
    ) -> [UInt8] {
        let table = TableBytes(bytes: content)
        let wasLong = table.version == 1
        let isLong = wasLong || duration >= UInt32.max
        var bytes = Array(content.prefix(4))
        bytes[0] = isLong ? 1 : 0
        for index in 0..<2 {
            let time = wasLong ? table.u64(4 + index * 8) : UInt64(table.u32(4 + index * 4))
            if isLong {
                bytes.append(bigEndian: time)
            } else {
                bytes.append(bigEndian: UInt32(truncatingIfNeeded: time))
            }
        }
        let middleStart = wasLong ? 20 : 12
        bytes += content[middleStart..<(middleStart + middle)]
        if let timescale { bytes.set(bigEndian: timescale, at: bytes.count - middle) }
        if isLong { bytes.append(bigEndian: duration) } else { bytes.append(bigEndian: UInt32(duration)) }
        bytes += content[(middleStart + middle + (wasLong ? 8 : 4))...]
        return .box(type, bytes)
    }

    /// A row of an edit list, in the units of the file.
    struct Edit: Hashable {
        var duration: UInt64
        /// -1 for nothing.
        var mediaTime: Int64
        var rate: Int32
    }

    /// An edit list in its box.
    static func editBox(_ edits: [Edit]) -> [UInt8] {
        let isLong = edits.contains { $0.duration > UInt32.max || $0.mediaTime > Int32.max }
        var content: [UInt8] = [isLong ? 1 : 0, 0, 0, 0]
        content.append(bigEndian: UInt32(edits.count))
        for edit in edits {
            if isLong {
                content.append(bigEndian: edit.duration)
                content.append(bigEndian: UInt64(bitPattern: edit.mediaTime))
            } else {
                content.append(bigEndian: UInt32(edit.duration))
                content.append(bigEndian: UInt32(bitPattern: Int32(edit.mediaTime)))
            }
            content.append(bigEndian: UInt32(bitPattern: edit.rate))
        }
        return .box("edts", [UInt8].box("elst", content))
    }
}
