internal import MediaContainers
internal import MediaIO

/// When the samples of a movie fragment are shown, as its boxes tell it.
///
/// Source: ISO/IEC 14496-12, 8.8.
package struct FragmentTimes {
    /// What a movie says of one of its tracks.
    package struct Track: Equatable {
        var id: UInt32
        var timescale: UInt32
        var isVideo: Bool
    }

    /// A top-level or inner box: its type and what it holds.
    private typealias Box = (type: FourCC, content: [UInt8])

    /// The tracks of a movie box.
    static func tracks(ofMovie movie: [UInt8]) -> [Track] {
        let reader = BoxReader(file: RandomAccessFile(bytes: movie))
        guard let box = reader.firstBox(in: 0..<reader.file.byteCount) else { return [] }
        let tracks = reader.boxes(in: box.content).filter { $0.type == "trak" }
        return tracks.compactMap { MovieTrack($0, reader) }.filter { $0.timescale > 0 }.map { track in
            Track(id: track.id, timescale: track.timescale, isVideo: track.handler == "vide")
        }
    }

    /// When a track's samples in a fragment begin and end to be shown, in the
    /// track's ticks; `nil` if it has none.
    static func range(ofTrack id: UInt32, inFragment fragment: [UInt8]) -> Range<Int64>? {
        for part in boxes(in: fragment[8...]) where part.type == "traf" {
            let inner = boxes(in: part.content[...])
            guard let header = inner.first(where: { $0.type == "tfhd" }).map({ TableBytes(bytes: $0.content) }),
                header.bytes.count >= 8, header.u32(4) == id
            else { continue }
            var place = time(of: inner)
            var range: Range<Int64>?
            for run in inner where run.type == "trun" {
                include(TableBytes(bytes: run.content), defaultDuration(header), &place, &range)
            }
            return range
        }
        return nil
    }

    private static func time(of boxes: [Box]) -> Int64 {
        guard let box = boxes.first(where: { $0.type == "tfdt" }) else { return 0 }
        let time = TableBytes(bytes: box.content)
        if time.version == 1 { return time.bytes.count >= 12 ? Int64(clamping: time.u64(4)) : 0 }
        return time.bytes.count >= 8 ? Int64(time.u32(4)) : 0
    }

    private static func defaultDuration(_ header: TableBytes) -> Int64 {
        guard header.flags & 8 != 0 else { return 0 }
        let place = 8 + (header.flags & 1 != 0 ? 8 : 0) + (header.flags & 2 != 0 ? 4 : 0)
        return header.bytes.count >= place + 4 ? Int64(header.u32(place)) : 0
    }

    private static func include(
        _ run: TableBytes, _ usual: Int64, _ place: inout Int64, _ range: inout Range<Int64>?
    ) {
        // What each row holds: duration, size, flags, offset of composition.
        let fields = [0x100, 0x200, 0x400, 0x800].map { run.flags & $0 != 0 }
        let size = max(1, fields.filter(\.self).count * 4)
        let start = 8 + (run.flags & 1 != 0 ? 4 : 0) + (run.flags & 4 != 0 ? 4 : 0)
        guard run.bytes.count >= start else { return }
        let count = min(Int(run.u32(4)), fields.contains(true) ? (run.bytes.count - start) / size : .max)
        for row in 0..<count {
            let base = start + row * size
            let duration = fields[0] ? Int64(run.u32(base)) : usual
            let shift = fields[3] ? Int64(Int32(bitPattern: run.u32(base + size - 4))) : 0
            let shown = place &+ shift
            let end = shown &+ duration
            if end >= shown {
                range = range.map { min($0.lowerBound, shown)..<max($0.upperBound, end) } ?? shown..<end
            }
            place = place &+ duration
        }
    }

    private static func boxes(in bytes: ArraySlice<UInt8>) -> [Box] {
        var result: [Box] = []
        var place = bytes.startIndex
        while bytes.endIndex - place >= 8 {
            let size = bytes[place..<(place + 4)].reduce(0) { $0 << 8 | Int($1) }
            guard size >= 8, size <= bytes.endIndex - place else { break }
            guard let type = bytes.fourCC(at: place - bytes.startIndex + 4) else { break }
            result.append((type, Array(bytes[(place + 8)..<(place + size)])))
            place += size
        }
        return result
    }
}
