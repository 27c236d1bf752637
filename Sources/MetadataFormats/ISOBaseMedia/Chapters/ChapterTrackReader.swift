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
