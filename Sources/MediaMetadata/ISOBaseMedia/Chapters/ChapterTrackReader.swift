internal import ISOBaseMedia
internal import MediaFile
internal import MediaTime

extension ISOChapters {
    /// A sample as the movie shows it: where its bytes lie, and when it is seen.
    struct Span {
        var position: UInt64
        var size: UInt32
        var start: CMTime
        var end: CMTime
    }

    /// A track that another one refers to for its chapters.
    struct Track {
        enum Kind { case text, pictures, other }

        let trackID: UInt32
        let kind: Kind
        let languageTag: String?
        private let timescale: CMTimeScale
        private let movieTimescale: CMTimeScale?
        private let table: Box
        private let edits: Box?

        /// More edits than this are not followed.
        private static let maximumEdits = 1024

        /// A track's number, `nil` if its header is not there.
        static func trackID(of track: Box, reader: BoxReader) -> UInt32? {
            guard let header = reader.box(["tkhd"], in: track.content) else { return nil }
            let bytes = reader.bytes(of: header, limit: 32)
            return bytes.bigEndian32(at: bytes.first == 1 ? 20 : 12)
        }

        init?(_ box: Box, trackID: UInt32, movieTimescale: CMTimeScale?, reader: BoxReader) {
            guard let media = reader.box(["mdia"], in: box.content),
                let header = reader.box(["mdhd"], in: media.content),
                let timescale = ISOChapters.timescale(ofHeader: header, reader: reader),
                let table = reader.box(["minf", "stbl"], in: media.content)
            else { return nil }
            self.trackID = trackID
            self.timescale = timescale
            self.movieTimescale = movieTimescale
            self.table = table
            edits = reader.box(["edts", "elst"], in: box.content)
            languageTag = ISOChapters.languageTag(ofMedia: media, header: header, reader: reader)
            let handler = reader.box(["hdlr"], in: media.content).map { reader.bytes(of: $0, limit: 12) } ?? []
            let entry = reader.box(["stsd"], in: table.content).map { reader.bytes(of: $0, limit: 16) } ?? []
            switch (handler.fourCC(at: 8), entry.fourCC(at: 12)) {
            case ("text", "text"), ("text", "tx3g"), ("sbtl", "tx3g"), ("sbtl", "text"): kind = .text
            case ("vide", "jpeg"), ("vide", "png "): kind = .pictures
            default: kind = .other
            }
        }

        /// The track's samples by the times when the movie shows them.
        func spans(within budget: inout Budget, reader: BoxReader, problems: inout [String]) -> [Span] {
            let table = SampleTable(table, maximum: budget.samples, reader: reader)
            let samples = table.samples
            budget.samples -= samples.count
            if table.isCut { problems.append("chapter track \(trackID): only \(samples.count) samples can be read") }
            guard let edits, let movieTimescale else {
                return samples.map { span($0, from: $0.start, to: $0.end, shift: .zero) }
            }
            var spans: [Span] = []
            var shift = CMTime(value: 0, timescale: movieTimescale)
            for edit in editList(edits, reader: reader) {
                let duration = CMTime(value: edit.duration, timescale: movieTimescale)
                if let mediaTime = edit.mediaTime {
                    // Zero means up to the end, as fragmented movies have it.
                    let length = edit.duration > 0 ? duration : .positiveInfinity
                    let shown = self.spans(
                        of: samples, from: mediaTime, length: length, shift: shift, maximum: budget.spans)
                    budget.spans -= shown.count
                    spans += shown
                }
                shift = shift + duration
            }
            if budget.spans == 0 { problems.append("chapter track \(trackID): its edits repeat too much") }
            return spans
        }

        /// The samples that one edit shows.
        private func spans(
            of samples: [SampleTable.Sample], from mediaTime: Int64, length: CMTime, shift: CMTime, maximum: Int
        ) -> [Span] {
            let mediaStart = CMTime(value: mediaTime, timescale: timescale)
            let mediaEnd = mediaStart + length
            // Edits are counted in the movie's ticks: what lies within one of them is rounding.
            let tolerance = CMTime(value: 1, timescale: movieTimescale ?? timescale)
            let shift = shift - mediaStart
            var spans: [Span] = []
            let first = samples.firstSortedIndex { $0.end > mediaTime || $0.start >= mediaTime }
            for sample in samples[first...] {
                guard spans.count < maximum, CMTime(value: sample.start, timescale: timescale) < mediaEnd else { break }
                var span = span(sample, from: Swift.max(sample.start, mediaTime), to: sample.end, shift: shift)
                let end = CMTime(value: sample.end, timescale: timescale)
                if end > mediaEnd + tolerance { span.end = atOwnTimescale(mediaEnd + shift) }
                spans.append(span)
            }
            return spans
        }

        private func span(_ sample: SampleTable.Sample, from start: Int64, to end: Int64, shift: CMTime) -> Span {
            Span(
                position: sample.position, size: sample.size,
                start: atOwnTimescale(CMTime(value: start, timescale: timescale) + shift),
                end: atOwnTimescale(CMTime(value: end, timescale: timescale) + shift))
        }

        /// The time in the track's timescale if that holds it exactly.
        private func atOwnTimescale(_ time: CMTime) -> CMTime {
            let own = time.convertScale(timescale, method: .default)
            return own.isNumeric && own == time ? own : time
        }

        /// The edits, `mediaTime` being `nil` for those that show nothing.
        private func editList(_ box: Box, reader: BoxReader) -> [(duration: Int64, mediaTime: Int64?)] {
            let bytes = reader.bytes(of: box, limit: 8 + 20 * Self.maximumEdits)
            guard let version = bytes.first, let count = bytes.bigEndian32(at: 4) else { return [] }
            let size = version == 1 ? 20 : 12
            var edits: [(duration: Int64, mediaTime: Int64?)] = []
            for index in 0..<min(Int(count), Self.maximumEdits) {
                let offset = 8 + size * index
                let duration: Int64?
                let mediaTime: Int64?
                if version == 1 {
                    duration = bytes.bigEndian64(at: offset).flatMap(Int64.init(exactly:))
                    mediaTime = bytes.bigEndian64(at: offset + 8).map(Int64.init(bitPattern:))
                } else {
                    duration = bytes.bigEndian32(at: offset).map(Int64.init)
                    mediaTime = bytes.bigEndian32(at: offset + 4).map { Int64(Int32(bitPattern: $0)) }
                }
                guard let duration, let mediaTime else { break }
                edits.append((duration, mediaTime >= 0 ? mediaTime : nil))
            }
            return edits
        }
    }
}

extension Array {
    /// The first element from which on a condition holds, in an array where it
    /// holds from some element on; the array's end if it never does.
    func firstSortedIndex(where condition: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if condition(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
