package import MediaCore

/// A plain reader of movies, sample by sample, to compare with.
package struct MovieReading {
    package struct Sample: Hashable {
        package var decodeTime: Int
        package var presentationTime: Int
        package var duration: Int
        package var isSync: Bool
        package var description: Int
        package var bytes: [UInt8]
    }

    package struct Edit: Hashable {
        package var duration: Int
        package var mediaTime: Int
        package var rate: Int

        package init(duration: Int, mediaTime: Int, rate: Int) {
            (self.duration, self.mediaTime, self.rate) = (duration, mediaTime, rate)
        }
    }

    package struct Track {
        package var id: Int
        package var handler: String
        package var timescale: Int
        package var duration: Int
        package var mediaDuration: Int
        package var edits: [Edit]
        package var samples: [Sample]
        /// The content of each box of the sample table.
        package var tables: [String: [UInt8]]
        /// The types of the track's boxes.
        package var boxes: [String]
        package var references: [String: [Int]]
    }

    /// A picture, a packet or a text on the movie's timeline.
    package struct Shown: Equatable {
        package var start: CMTime
        package var end: CMTime
        package var bytes: [UInt8]
    }

    package var timescale = 0
    package var duration = 0
    package var nextTrackID = 0
    package var tracks: [Track] = []
    /// The file's boxes in order, with their content.
    package var boxes: [(type: String, content: [UInt8])] = []
    /// The movie's.
    package var movieBoxes: [(type: String, content: [UInt8])] = []

    package init(_ file: [UInt8]) {
        boxes = Self.children(file)
        let movie = boxes.first { $0.type == "moov" }?.content ?? []
        movieBoxes = Self.children(movie)
        for (type, content) in movieBoxes {
            if type == "mvhd" {
                timescale = Self.u32(content, content[0] == 1 ? 20 : 12)
                duration = content[0] == 1 ? Self.u64(content, 24) : Self.u32(content, 16)
                nextTrackID = Self.u32(content, content.count - 4)
            }
            if type == "trak" { tracks.append(Self.track(content, file)) }
        }
    }

    package static func u16(_ bytes: [UInt8], _ at: Int) -> Int { Int(bytes[at]) << 8 | Int(bytes[at + 1]) }
    package static func u32(_ bytes: [UInt8], _ at: Int) -> Int { u16(bytes, at) << 16 | u16(bytes, at + 2) }
    package static func u64(_ bytes: [UInt8], _ at: Int) -> Int { u32(bytes, at) << 32 | u32(bytes, at + 4) }
    package static func i32(_ bytes: [UInt8], _ at: Int) -> Int { Int(Int32(truncatingIfNeeded: u32(bytes, at))) }

    package static func children(_ bytes: [UInt8], from start: Int = 0) -> [(type: String, content: [UInt8])] {
        var result: [(String, [UInt8])] = []
        var position = start
        while position + 8 <= bytes.count {
            var size = u32(bytes, position)
            var header = 8
            if size == 1 { (size, header) = (u64(bytes, position + 8), 16) }
            guard size >= header, position + size <= bytes.count else { break }
            let type = String(
                String.UnicodeScalarView(bytes[(position + 4)..<(position + 8)].map { UnicodeScalar($0) }))
            result.append((type, Array(bytes[(position + header)..<(position + size)])))
            position += size
        }
        return result
    }

    private static func track(_ content: [UInt8], _ file: [UInt8]) -> Track {
        let boxes = children(content)
        func find(_ type: String, in boxes: [(type: String, content: [UInt8])]) -> [UInt8] {
            boxes.first { $0.type == type }?.content ?? []
        }
        let header = find("tkhd", in: boxes)
        let isLong = header[0] == 1
        let media = children(find("mdia", in: boxes))
        let mediaHeader = find("mdhd", in: media)
        let handler = find("hdlr", in: media)
        let tables = children(find("stbl", in: children(find("minf", in: media))))
        let edits = find("elst", in: children(find("edts", in: boxes)))
        return Track(
            id: u32(header, isLong ? 20 : 12),
            handler: String(decoding: handler[8..<12], as: UTF8.self),
            timescale: u32(mediaHeader, mediaHeader[0] == 1 ? 20 : 12),
            duration: isLong ? u64(header, 28) : u32(header, 20),
            mediaDuration: mediaHeader[0] == 1 ? u64(mediaHeader, 24) : u32(mediaHeader, 16),
            edits: edits.isEmpty ? [] : Self.edits(edits), samples: samples(tables, file),
            tables: Dictionary(tables.map { ($0.type, $0.content) }) { first, _ in first }, boxes: boxes.map(\.type),
            references: Dictionary(
                uniqueKeysWithValues: children(find("tref", in: boxes)).map { reference in
                    let ids = (0..<(reference.content.count / 4)).map { u32(reference.content, $0 * 4) }
                    return (reference.type, ids)
                }))
    }

    private static func edits(_ table: [UInt8]) -> [Edit] {
        (0..<u32(table, 4)).map { row in
            table[0] == 1
                ? Edit(
                    duration: u64(table, 8 + row * 20), mediaTime: u64(table, 16 + row * 20),
                    rate: i32(table, 24 + row * 20))
                : Edit(
                    duration: u32(table, 8 + row * 12), mediaTime: i32(table, 12 + row * 12),
                    rate: i32(table, 16 + row * 12))
        }
    }

    private static func samples(_ boxes: [(type: String, content: [UInt8])], _ file: [UInt8]) -> [Sample] {
        func table(_ type: String) -> [UInt8]? { boxes.first { $0.type == type }?.content }
        func runs(_ type: String) -> [Int] {
            guard let table = table(type) else { return [] }
            return (0..<u32(table, 4)).flatMap { row in
                Array(repeating: i32(table, 12 + row * 8), count: u32(table, 8 + row * 8))
            }
        }
        guard let sizeTable = table("stsz"), let chunkTable = table("stsc") else { return [] }
        let sizes = (0..<u32(sizeTable, 8)).map { sample in
            u32(sizeTable, 4) > 0 ? u32(sizeTable, 4) : u32(sizeTable, 12 + sample * 4)
        }
        let offsets: [Int] =
            table("co64").map { table in (0..<u32(table, 4)).map { u64(table, 8 + $0 * 8) } }
            ?? table("stco").map { table in (0..<u32(table, 4)).map { u32(table, 8 + $0 * 4) } } ?? []
        let syncs = table("stss").map { table in Set((0..<u32(table, 4)).map { u32(table, 8 + $0 * 4) - 1 }) }
        let (durations, shifts) = (runs("stts"), runs("ctts"))
        let rows = (0..<u32(chunkTable, 4)).map { row in (0..<3).map { u32(chunkTable, 8 + row * 12 + $0 * 4) } }
        var result: [Sample] = []
        var time = 0
        for (chunk, offset) in offsets.enumerated() {
            guard let row = rows.last(where: { $0[0] <= chunk + 1 }) else { break }
            var position = offset
            for _ in 0..<row[1] {
                let number = result.count
                guard number < sizes.count else { return result }
                let bytes = position + sizes[number] <= file.count ? file[position..<(position + sizes[number])] : []
                result.append(
                    Sample(
                        decodeTime: time, presentationTime: time + (number < shifts.count ? shifts[number] : 0),
                        duration: durations[number], isSync: syncs?.contains(number) ?? true, description: row[2],
                        bytes: Array(bytes)))
                time += durations[number]
                position += sizes[number]
            }
        }
        return result
    }

    // MARK: What is shown

    /// What a reader that honours edit lists shows of a track, in order.
    package func shown(_ track: Track) -> [Shown] {
        let samples = track.samples.sorted { $0.presentationTime < $1.presentationTime }
        var result: [Shown] = []
        func time(_ value: Int, _ timescale: Int) -> CMTime {
            CMTime(value: Int64(value), timescale: Int32(timescale))
        }
        guard !track.edits.isEmpty else {
            return samples.enumerated().map { index, sample in
                let end =
                    index + 1 < samples.count
                    ? samples[index + 1].presentationTime : sample.presentationTime + sample.duration
                return Shown(
                    start: time(sample.presentationTime, track.timescale), end: time(end, track.timescale),
                    bytes: sample.bytes)
            }
        }
        var position = 0
        for edit in track.edits {
            let start = time(position, timescale)
            position += edit.duration
            let end = time(position, timescale)
            guard edit.mediaTime >= 0 else { continue }
            // A moment of the media on the movie's timeline; in these tests rates are 0, 1 and 2.
            func moved(_ mediaTime: Int) -> CMTime {
                guard edit.rate != 0 else { return mediaTime <= edit.mediaTime ? start : end }
                return start + time((mediaTime - edit.mediaTime) * 65536 / edit.rate, track.timescale)
            }
            for (index, sample) in samples.enumerated() {
                let next =
                    index + 1 < samples.count
                    ? samples[index + 1].presentationTime : sample.presentationTime + max(1, sample.duration)
                let span = (max(start, moved(sample.presentationTime)), min(end, moved(next)))
                if span.0 < span.1 { result.append(Shown(start: span.0, end: span.1, bytes: sample.bytes)) }
            }
        }
        return result
    }
}

extension [MovieReading.Shown] {
    /// The part inside a range, counted from its start.
    package func cut(to range: CMTimeRange) -> [MovieReading.Shown] {
        compactMap { shown in
            let (start, end) = (Swift.max(shown.start, range.start), Swift.min(shown.end, range.end))
            guard start < end else { return nil }
            return MovieReading.Shown(start: start - range.start, end: end - range.start, bytes: shown.bytes)
        }
    }
}
