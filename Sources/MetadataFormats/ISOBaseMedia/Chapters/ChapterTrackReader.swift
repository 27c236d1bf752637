internal import MediaContainers
internal import MediaCore
internal import MediaIO
internal import MediaMetadata

extension ISOChapters {
    /// A sample as the movie shows it: where its bytes lie, and when it is seen.
    struct Span {
        var position: UInt64
        var size: UInt64
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
        private let track: MovieTrack
        private let edits: ArraySlice<EditList.Segment>

        /// More edits than this are not followed.
        private static let maximumEdits = 1024

        init?(_ box: Box, movieTimescale: CMTimeScale?, reader: BoxReader) {
            guard let track = MovieTrack(box, reader, limit: 0),
                let timescale = ISOChapters.timescale(of: track.timescale)
            else { return nil }
            trackID = track.id
            self.timescale = timescale
            self.movieTimescale = movieTimescale
            self.track = track
            edits = track.edits.prefix(Self.maximumEdits)
            languageTag = ISOChapters.languageTag(ofTitlesIn: track.mediaBoxes, reader: reader)
            switch (track.handler, track.entries.first?.type) {
            case ("text", "text"), ("text", "tx3g"), ("sbtl", "tx3g"), ("sbtl", "text"): kind = .text
            case ("vide", "jpeg"), ("vide", "png "): kind = .pictures
            default: kind = .other
            }
        }

        /// The track's samples by the times when the movie shows them.
        func spans(within budget: inout Budget, reader: BoxReader, problems: inout [String]) -> [Span] {
            let tables = try? SampleTables(track, reader, maximum: budget.samples)
            let samples = tables?.samples ?? []
            budget.samples -= samples.count
            if tables?.isCut ?? true {
                problems.append("chapter track \(trackID): only \(samples.count) samples can be read")
            }
            guard !edits.isEmpty, let movieTimescale else {
                return samples.map { span($0, from: $0.times.lowerBound, to: $0.times.upperBound, shift: .zero) }
            }
            var spans: [Span] = []
            var shift = CMTime(value: 0, timescale: movieTimescale)
            for edit in edits {
                guard let ticks = Int64(exactly: edit.duration) else { break }
                let duration = CMTime(value: ticks, timescale: movieTimescale)
                if edit.mediaTime >= 0 {
                    // Zero means up to the end, as fragmented movies have it.
                    let length = edit.duration > 0 ? duration : .positiveInfinity
                    let shown = self.spans(
                        of: samples, from: edit.mediaTime, length: length, shift: shift, maximum: budget.spans)
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
            of samples: [SampleTables.Sample], from mediaTime: Int64, length: CMTime, shift: CMTime, maximum: Int
        ) -> [Span] {
            let mediaStart = CMTime(value: mediaTime, timescale: timescale)
            let mediaEnd = mediaStart + length
            // Edits are counted in the movie's ticks: what lies within one of them is rounding.
            let tolerance = CMTime(value: 1, timescale: movieTimescale ?? timescale)
            let shift = shift - mediaStart
            var spans: [Span] = []
            let first = samples.partitioningIndex {
                $0.times.upperBound > mediaTime || $0.times.lowerBound >= mediaTime
            }
            for sample in samples[first...] {
                guard spans.count < maximum, CMTime(value: sample.times.lowerBound, timescale: timescale) < mediaEnd
                else { break }
                let times = sample.times
                var span = span(
                    sample, from: Swift.max(times.lowerBound, mediaTime), to: times.upperBound, shift: shift)
                let end = CMTime(value: times.upperBound, timescale: timescale)
                if end > mediaEnd + tolerance { span.end = atOwnTimescale(mediaEnd + shift) }
                spans.append(span)
            }
            return spans
        }

        private func span(_ sample: SampleTables.Sample, from start: Int64, to end: Int64, shift: CMTime) -> Span {
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
    }
}

extension ISOChapters {
    /// Pictures as samples of a video track.
    struct ImageSamples {
        private(set) var data: [UInt8] = []
        private(set) var samples: [NewTrack.Sample] = []
        /// Sample entries, one for each kind and size of picture.
        private(set) var entries: [[UInt8]] = []
        private(set) var width: UInt16 = 0
        private(set) var height: UInt16 = 0
        private var offsets: [[UInt8]: Int] = [:]

        /// Adds a picture; `false` if it is neither JPEG nor PNG.
        mutating func add(_ picture: [UInt8], duration: UInt32) -> Bool {
            let type: FourCC
            switch MetadataDataType.ofPicture(picture) {
            case MetadataDataType.jpeg: type = "jpeg"
            case MetadataDataType.png: type = "png "
            default: return false
            }
            let size = type == "jpeg" ? Self.sizeOfJPEG(picture) : Self.sizeOfPNG(picture)
            guard let size, size.width > 0, size.height > 0 else { return false }
            let entry = Self.entry(type, size)
            if !entries.contains(entry) { entries.append(entry) }
            let index = UInt32((entries.firstIndex(of: entry) ?? 0) + 1)
            let offset = offsets[picture] ?? data.count
            if offsets[picture] == nil {
                offsets[picture] = offset
                data += picture
            }
            samples.append(
                NewTrack.Sample(offset: offset, size: picture.count, duration: duration, descriptionIndex: index))
            (width, height) = (max(width, size.width), max(height, size.height))
            return true
        }

        private static func entry(_ type: FourCC, _ size: (width: UInt16, height: UInt16)) -> [UInt8] {
            var content: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 1] + Array(repeating: 0, count: 16)
            content.append(bigEndian: size.width)
            content.append(bigEndian: size.height)
            content += [0, 72, 0, 0, 0, 72, 0, 0, 0, 0, 0, 0, 0, 1]  // dots per inch; one frame per sample
            content += Array(repeating: 0, count: 32)  // the compressor's name
            return .box(type, content + [0, 24, 0xFF, 0xFF])
        }

        private static func sizeOfPNG(_ picture: [UInt8]) -> (width: UInt16, height: UInt16)? {
            guard let width = picture.bigEndian32(at: 16).flatMap(UInt16.init(exactly:)),
                let height = picture.bigEndian32(at: 20).flatMap(UInt16.init(exactly:))
            else { return nil }
            return (width, height)
        }

        /// From the first frame header.
        private static func sizeOfJPEG(_ picture: [UInt8]) -> (width: UInt16, height: UInt16)? {
            var offset = 2
            while offset + 4 <= picture.count, picture[offset] == 0xFF {
                let marker = picture[offset + 1]
                if marker == 0xFF || marker == 0x01 || (0xD0...0xD8).contains(marker) {
                    offset += marker == 0xFF ? 1 : 2
                    continue
                }
                let isFrame = (0xC0...0xCF).contains(marker) && marker != 0xC4 && marker != 0xC8 && marker != 0xCC
                if isFrame {
                    guard let height = picture.bigEndian16(at: offset + 5),
                        let width = picture.bigEndian16(at: offset + 7)
                    else { return nil }
                    return (width, height)
                }
                guard marker != 0xD9, marker != 0xDA, let length = picture.bigEndian16(at: offset + 2), length >= 2
                else {
                    return nil
                }
                offset += 2 + Int(length)
            }
            return nil
        }
    }
}

extension ISOChapters {
    /// The pictures of a movie's chapters by the times when they are shown.
    struct Gallery {
        /// Ordered by start.
        let spans: [Span]
        let file: RandomAccessFile
        private var pictures: [UInt64: [UInt8]] = [:]
        private var hasToldLimit = false

        init(spans: [Span], file: RandomAccessFile) { (self.spans, self.file) = (spans, file) }

        /// A shorter overlap than this is rounding between two tracks' timescales.
        private static let shortestOverlap = CMTime(value: 1, timescale: 10)

        /// Gives each chapter the first picture that is shown during it.
        mutating func illustrate(_ chapters: inout [Chapter], budget: inout Budget, problems: inout [String]) {
            guard !spans.isEmpty else { return }
            for index in chapters.indices {
                guard let span = span(during: chapters[index]) else { continue }
                chapters[index].artwork = picture(of: span, budget: &budget, problems: &problems)
            }
        }

        private func span(during chapter: Chapter) -> Span? {
            let half = CMTimeMultiplyByRatio(chapter.end - chapter.start, multiplier: 1, divisor: 2)
            let shortest = CMTimeMinimum(half, Self.shortestOverlap)
            // A picture does not end before the one that comes before it.
            let first = spans.partitioningIndex { $0.end > chapter.start }
            for span in spans[first...].prefix(2) {
                let overlap = CMTimeMinimum(span.end, chapter.end) - CMTimeMaximum(span.start, chapter.start)
                if overlap >= shortest { return span }
            }
            return nil
        }

        private mutating func picture(
            of span: Span, budget: inout Budget, problems: inout [String]
        ) -> [UInt8]? {
            if let picture = pictures[span.position] { return picture.isEmpty ? nil : picture }
            guard Int(span.size) <= budget.pictureBytes else {
                if !hasToldLimit { problems.append("chapters have more bytes of pictures than are read") }
                hasToldLimit = true
                return nil
            }
            let bytes = file.read(at: span.position, count: Int(span.size))
            budget.pictureBytes -= bytes.count
            let type = MetadataDataType.ofPicture(bytes)
            let isPicture = type == MetadataDataType.jpeg || type == MetadataDataType.png
            pictures[span.position] = isPicture ? bytes : []
            return isPicture ? bytes : nil
        }
    }
}
