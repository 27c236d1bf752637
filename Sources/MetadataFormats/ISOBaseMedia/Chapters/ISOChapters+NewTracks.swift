internal import MediaContainers
internal import MediaCore
internal import MediaIO
package import MediaMetadata

extension ISOChapters {
    /// A text track of a list's chapters.
    ///
    /// It needs a `chap` reference from the other tracks that are played (see
    /// ``trackReferences(changing:chapterTracks:)``), best from all tracks of
    /// sound and moving pictures. A chapter without an end lasts until the next
    /// one, the last one until the movie's end; none lasts longer than the
    /// movie. Gaps, one before the first chapter as well, are samples without
    /// text: many readers do not look at edit lists, and would show all chapters
    /// too early after an empty edit.
    ///
    /// - Parameters:
    ///   - languageTag: Which titles to take of chapters with several, and the
    ///     track's language; the list's own if it is `nil`.
    ///   - alternateGroup: The same number, not 0, for tracks that differ in language only.
    /// - Returns: `nil` if no chapter is left that could be written.
    package static func textTrack(
        of list: ChapterList, languageTag: String? = nil, trackID: UInt32, movie: Movie, alternateGroup: UInt16 = 0
    ) -> (track: NewTrack?, losses: [MetadataLoss]) {
        let languageTag = languageTag ?? list.languageTag ?? list.titleLanguages.first ?? nil
        var chapters = LinearChapters(list, languageTag: languageTag, keeping: [.links, .language, .pictures])
        chapters.putInSequence(until: movie.duration, keepsEnds: true)
        guard let timeline = ChapterTicks(&chapters, movie: movie) else { return (nil, chapters.losses) }
        var data: [UInt8] = []
        var samples: [NewTrack.Sample] = []
        var (textCuts, linkLosses) = (0, 0)
        func add(_ bytes: [UInt8], duration: Int64) {
            samples.append(
                NewTrack.Sample(
                    offset: data.count, size: bytes.count, duration: UInt32(duration), descriptionIndex: 1))
            data += bytes
        }
        var position: Int64 = 0
        for (item, ticks) in zip(chapters.items, timeline.ticks) {
            if ticks.lowerBound > position { add(TextSample.gap, duration: ticks.lowerBound - position) }
            let sample = TextSample(text: item.title, link: item.link).bytes
            textCuts += sample.isTextCut ? 1 : 0
            linkLosses += sample.isLinkLost ? 1 : 0
            add(sample.bytes, duration: ticks.upperBound - ticks.lowerBound)
            position = ticks.upperBound
        }
        chapters.change(textCuts, "titles are cut at \(TextSample.maximumTextSize) bytes")
        chapters.lose(linkLosses, "links of more than 255 bytes are left out")
        let head = TrackHead(
            trackID: trackID, media: .text, movie: movie, timescale: timeline.timescale, languageTag: languageTag,
            alternateGroup: alternateGroup)
        let edits = timeline.edits(showing: [0..<position])
        let track = NewTrack(trackID: trackID, sampleData: data, head: head, samples: samples, edits: edits)
        return (track, chapters.losses)
    }

    /// A video track of the pictures of a list's chapters, which needs the same
    /// references as the text track.
    ///
    /// Where chapters have no picture the track is empty. Equal pictures are
    /// stored once.
    ///
    /// - Returns: `nil` if there are none that could be written. What is told of
    ///   times and titles along with the text track is not told again.
    package static func pictureTrack(
        of list: ChapterList, trackID: UInt32, movie: Movie
    ) -> (track: NewTrack?, losses: [MetadataLoss]) {
        var chapters = LinearChapters(list, keeping: [.links, .language, .pictures])
        chapters.putInSequence(until: movie.duration, keepsEnds: true)
        guard let timeline = ChapterTicks(&chapters, movie: movie) else { return (nil, []) }
        var pictures = ImageSamples()
        var shown: [Range<Int64>] = []
        for index in chapters.items.indices {
            guard let artwork = chapters.items[index].artwork else { continue }
            let span = timeline.pictureSpan(of: index, in: chapters.items)
            guard pictures.add(artwork, duration: UInt32(span.count)) else { continue }
            if let last = shown.last, last.upperBound == span.lowerBound {
                shown[shown.count - 1] = last.lowerBound..<span.upperBound
            } else {
                shown.append(span)
            }
        }
        let withPicture = chapters.items.count { $0.artwork != nil }
        var losses: [MetadataLoss] = []
        if withPicture > pictures.samples.count {
            losses.append(
                MetadataLoss.chapters(
                    reason: "\(withPicture - pictures.samples.count) pictures are neither JPEG nor PNG "
                        + "and are left out"))
        }
        guard !pictures.samples.isEmpty else { return (nil, losses) }
        let head = TrackHead(
            trackID: trackID,
            media: .pictures(entries: pictures.entries, width: pictures.width, height: pictures.height), movie: movie,
            timescale: timeline.timescale, languageTag: nil, alternateGroup: 0)
        let track = NewTrack(
            trackID: trackID, sampleData: pictures.data, head: head, samples: pictures.samples,
            edits: timeline.edits(showing: shown))
        return (track, losses)
    }

    /// Chapters' times in the ticks of a track that is made for them.
    private struct ChapterTicks {
        let timescale: CMTimeScale
        /// The chapters' times.
        let ticks: [Range<Int64>]
        private let movieTimescale: CMTimeScale

        /// Timescales for times that no timescale of 32 bits holds exactly.
        private static let fallbacks: [CMTimeScale] = [1_000_000, 90_000, 10_000, 1000, 1]

        /// `nil` if there is no chapter.
        init?(_ chapters: inout LinearChapters, movie: Movie) {
            guard let last = chapters.items.last else { return nil }
            func fits(_ timescale: CMTimeScale) -> Bool {
                let end = last.end.convertScale(timescale, method: .default)
                return end.isNumeric && end.value <= Int64(UInt32.max)
            }
            // Milliseconds where they do, as other writers have them.
            var exact: UInt64 = 1000
            for time in chapters.items.flatMap({ [$0.start, $0.end] }) where exact <= UInt64(CMTimeScale.max) {
                exact = leastCommonTimescale(exact, time)
            }
            let timescale = CMTimeScale(exactly: exact).flatMap { fits($0) ? $0 : nil }
            if timescale == nil { chapters.change("times are rounded to what the track can count") }
            let chosen = timescale ?? Self.fallbacks.first(where: fits) ?? 1
            func ticks(_ time: CMTime, _ method: CMTimeRoundingMethod) -> Int64 {
                let time = time.convertScale(chosen, method: method)
                return time.isNumeric ? Swift.min(Swift.max(0, time.value), Int64(UInt32.max)) : 0
            }
            self.timescale = chosen
            // Rounded down, so that the last one does not end after the movie.
            self.ticks = chapters.items.map {
                let start = ticks($0.start, .roundTowardZero)
                return start..<Swift.max(start, ticks($0.end, .roundTowardZero))
            }
            movieTimescale = movie.timescale
        }

        /// When a chapter's picture is shown: up to the next chapter if that has one
        /// too, so that a track without other gaps needs no empty edits.
        func pictureSpan(of index: Int, in items: [LinearChapters.Item]) -> Range<Int64> {
            let isNextPictured = index + 1 < items.count && items[index + 1].artwork != nil
            let end = isNextPictured ? ticks[index + 1].lowerBound : ticks[index].upperBound
            return (index == 0 ? 0 : ticks[index].lowerBound)..<end
        }

        /// The edits that show ranges of this timeline whose media follow one another.
        func edits(showing ranges: [Range<Int64>]) -> [EditList.Segment] {
            var edits: [EditList.Segment] = []
            var (position, mediaTime): (Int64, Int64) = (0, 0)
            for range in ranges {
                let start = movieTicks(range.lowerBound)
                let end = Swift.max(start, movieTicks(range.upperBound))
                if start > position {
                    edits.append(EditList.Segment(duration: UInt64(start - position), mediaTime: -1))
                }
                edits.append(EditList.Segment(duration: UInt64(clamping: end - start), mediaTime: mediaTime))
                mediaTime += range.upperBound - range.lowerBound
                position = end
            }
            return edits
        }

        private func movieTicks(_ ticks: Int64) -> Int64 {
            let time = CMTime(value: ticks, timescale: timescale).convertScale(movieTimescale, method: .roundTowardZero)
            return time.isNumeric ? time.value : 0
        }
    }

    /// The smallest timescale that holds a time as well as all that another one holds.
    private static func leastCommonTimescale(_ timescale: UInt64, _ time: CMTime) -> UInt64 {
        let divisor = greatestCommonDivisor(time.value.magnitude, UInt64(time.timescale))
        let needed = UInt64(time.timescale) / divisor
        // Both are below 2³¹.
        return timescale / greatestCommonDivisor(timescale, needed) * needed
    }
}

extension ISOChapters {
    /// The headers of a track of chapters.
    struct TrackHead: Sendable {
        enum Media: Sendable {
            case text
            /// Sample entries, and the size of the largest picture.
            case pictures(entries: [[UInt8]], width: UInt16, height: UInt16)
        }

        let trackID: UInt32
        let media: Media
        let movie: Movie
        let timescale: CMTimeScale
        let languageTag: String?
        let alternateGroup: UInt16

        private static let identityMatrix: [UInt8] = [
            0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x40, 0, 0,
            0,
        ]

        func box(edits: [EditList.Segment], sampleTable: [UInt8], mediaDuration: UInt64) -> [UInt8] {
            let duration = edits.reduce(0) { $0 + $1.duration }
            let language = ISOChapters.languageCode(of: languageTag)
            let header = MediaHeader(
                timescale: UInt32(bitPattern: timescale), duration: mediaDuration, languageCode: language.code)
            var media = header.box
            if let tag = language.extended { media += .box("elng", [0, 0, 0, 0] + Array(tag.utf8) + [0]) }
            media += handler + mediaInformation(sampleTable)
            return .box("trak", trackHeader(duration).box + EditList(edits).box + .box("mdia", media))
        }

        /// In the movie, but not enabled: players list the chapters and do not
        /// show them as subtitles or as a picture.
        private func trackHeader(_ duration: UInt64) -> TrackHeader {
            var rest = [UInt8](repeating: 0, count: 10)  // reserved, layer
            rest.append(bigEndian: alternateGroup)
            rest += [0, 0, 0, 0]  // volume, reserved
            rest += Self.identityMatrix
            if case .pictures(_, let width, let height) = media {
                rest.append(bigEndian: UInt32(width) << 16)
                rest.append(bigEndian: UInt32(height) << 16)
            } else {
                rest += Array(repeating: 0, count: 8)
            }
            return TrackHeader(trackID: trackID, flags: 2, duration: duration, rest: rest)
        }

        /// QuickTime counts the name's bytes and says what the handler is for; MP4 ends the name with zero.
        private var handler: [UInt8] {
            let name: String
            let type: FourCC
            switch media {
            case .text: (type, name) = ("text", "Chapters")
            case .pictures: (type, name) = ("vide", "Chapter pictures")
            }
            return handlerBox(component: "mhlr", type: type, name: name)
        }

        private func handlerBox(component: FourCC, type: FourCC, name: String) -> [UInt8] {
            var content: [UInt8] = [0, 0, 0, 0]
            content += movie.isQuickTime ? component.bytes : [0, 0, 0, 0]
            content += type.bytes + Array(repeating: 0, count: 12)
            content += movie.isQuickTime ? [UInt8(name.utf8.count)] + Array(name.utf8) : Array(name.utf8) + [0]
            return .box("hdlr", content)
        }

        private func mediaInformation(_ sampleTable: [UInt8]) -> [UInt8] {
            var content: [UInt8]
            var entries: [UInt8] = [0, 0, 0, 0]
            switch media {
            case .text:
                // Graphics mode "dither copy", as all writers have it, and the text's matrix.
                let general: [UInt8] = [0, 0, 0, 0, 0, 0x40, 0x80, 0, 0x80, 0, 0x80, 0, 0, 0, 0, 0]
                content = [UInt8].box(
                    "gmhd", [UInt8].box("gmin", general) + [UInt8].box("text", Self.identityMatrix))
                entries.append(bigEndian: UInt32(1))
                entries += Self.textEntry
            case .pictures(let pictures, _, _):
                content = [UInt8].box("vmhd", [0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0])
                entries.append(bigEndian: UInt32(pictures.count))
                entries += pictures.joined()
            }
            if movie.isQuickTime { content += handlerBox(component: "dhlr", type: "url ", name: "Data") }
            let reference = [UInt8].box("url ", [0, 0, 0, 1])  // in this file
            content += .box("dinf", [UInt8].box("dref", [0, 0, 0, 0, 0, 0, 0, 1] + reference))
            return .box(
                "minf", content + [UInt8].box("stbl", [UInt8].box("stsd", entries) + sampleTable))
        }

        /// Text that is not displayed: no colours, no box, the first font.
        private static let textEntry: [UInt8] = {
            var content: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 1]
            content.append(bigEndian: UInt32(1))  // not to be displayed
            return .box("text", content + Array(repeating: 0, count: 40))
        }()
    }
}
