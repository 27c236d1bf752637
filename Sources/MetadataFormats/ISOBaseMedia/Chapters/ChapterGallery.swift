internal import MediaCore
internal import MediaIO
internal import MediaMetadata

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
