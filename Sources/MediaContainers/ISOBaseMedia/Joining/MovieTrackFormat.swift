package import MediaIO

/// What two tracks must have in common for one to go on where the other ends.
///
/// The timescale is none of it.
package struct MovieTrackFormat: Hashable, Sendable {
    /// A sample entry without what has no bearing on decoding: rates of bits, names of encoders.
    struct Coding: Hashable, Sendable {
        let type: FourCC
        /// The fields before the boxes.
        let fields: [UInt8]
        /// The boxes in order.
        let boxes: [SampleEntry]
    }

    /// `vide`, `soun`, `text` and so on.
    package let handler: FourCC
    /// How the samples are coded.
    let codings: [Coding]
    /// How pictures are turned and moved: nine numbers as the header has them.
    let matrix: [UInt8]
    /// The size that pictures are scaled to, as the header has it.
    let scaledSize: [UInt8]

    /// The format of a track.
    package init(_ track: MovieTrack) {
        handler = track.handler
        codings = track.entries.map { Coding($0, handler: track.handler) }
        let fields = track.header.fields
        let rest = fields.bytes.dropFirst(fields.end + 16)
        (matrix, scaledSize) = (Array(rest.prefix(36)), Array(rest.dropFirst(36).prefix(8)))
    }

    /// The format of a track of a movie; `nil` if it has no such track.
    package init?(of trackID: UInt32, in file: RandomAccessFile) {
        guard let track = MovieOutline(file)?.tracks.first(where: { $0.id == trackID }) else { return nil }
        self.init(track)
    }
}

extension MovieTrackFormat.Coding {
    /// Boxes that say how many bits there are, not what they mean.
    private static let statistics: Set<FourCC> = ["btrt"]

    init(_ entry: SampleEntry, handler: FourCC) {
        type = entry.type
        guard let count = Self.fieldCount(entry, handler: handler), entry.content.count >= count else {
            (fields, boxes) = (entry.content, [])
            return
        }
        var fields = Array(entry.content.prefix(count))
        // Which data reference it is says where the samples lie, here always in the file itself; then version, vendor.
        let neutral = handler == "vide" ? [6..<8, 12..<24, 42..<74] : [6..<8, 10..<16]
        for range in neutral { for index in range where index < count { fields[index] = 0 } }
        self.fields = fields
        let reader = BoxReader(file: RandomAccessFile(bytes: Array(entry.content.dropFirst(count))))
        boxes = reader.boxes(in: 0..<reader.file.byteCount).compactMap { box in
            guard !Self.statistics.contains(box.type) else { return nil }
            let content = reader.bytes(of: box)
            return SampleEntry(type: box.type, content: Self.withoutRates(box.type, content))
        }
    }

    /// Where an entry's boxes begin; `nil` for entries that are compared as they are.
    private static func fieldCount(_ entry: SampleEntry, handler: FourCC) -> Int? {
        switch (handler, entry.content.bigEndian16(at: 8)) {
        case ("vide", _): 78
        case ("soun", 0): 28
        case ("soun", 1): 44
        case ("soun", 2): 64
        default: nil
        }
    }

    /// An elementary stream descriptor without its number and rates, or a box `wave` with such a one.
    private static func withoutRates(_ type: FourCC, _ content: [UInt8]) -> [UInt8] {
        guard type == "esds" || type == "wave" else { return content }
        var content = content
        var position = 4
        if type == "wave" {
            guard let found = content.indices.first(where: { content.fourCC(at: $0) == "esds" }) else { return content }
            position = found + 8
        }
        // A tag and a length of up to four bytes.
        func skipHeader(_ tag: UInt8) -> Bool {
            guard position < content.count, content[position] == tag else { return false }
            position += 1
            for _ in 0..<4 where position < content.count {
                position += 1
                if content[position - 1] & 0x80 == 0 { break }
            }
            return true
        }
        guard skipHeader(3), position + 3 <= content.count else { return content }
        let flags = content[position + 2]
        for index in position..<(position + 2) { content[index] = 0 }
        position += 3 + (flags & 0x80 != 0 ? 2 : 0) + (flags & 0x20 != 0 ? 2 : 0)
        guard flags & 0x40 == 0, skipHeader(4), position + 13 <= content.count else { return content }
        // After the kind of stream: the buffer's size, the highest rate, the usual one.
        for index in (position + 2)..<(position + 13) { content[index] = 0 }
        return content
    }
}
