package import MediaContainers
internal import MediaCore
package import MediaIO
package import MediaMetadata

/// The chapters of MP4 files and QuickTime movies: tracks of titles and
/// pictures, and the list that Nero's programs brought.
///
/// Source: QuickTime File Format, "Chapter Lists" and "Text Media"; ISO/IEC
/// 14496-12; 3GPP TS 26.245 for `tx3g` and `href`. `chpl` is not specified; it
/// is read and written as FFmpeg, mp4v2 and GPAC do.
package enum ISOChapters {
    /// What a movie may make us read, all of its chapter tracks together.
    struct Budget {
        /// Samples of all tracks; books have some hundred chapters.
        var samples = 1 << 16
        /// Samples as edits show them, some more than once.
        var spans = 1 << 17
        /// Bytes of text samples, whose text takes at most 65,535 bytes each.
        var textBytes = 16 << 20
        /// Bytes of pictures.
        var pictureBytes = 64 << 20
    }

    /// More tracks than this are not taken for chapters.
    private static let maximumTracks = 64

    /// The lists of chapters in a movie, on the movie's own timeline.
    ///
    /// First those of the text tracks that other tracks refer to, in the order
    /// of the references, then Nero's. Pictures come from the video tracks that
    /// are referred to: a chapter gets the first one that is shown during it.
    ///
    /// A text sample without text is a gap between chapters if it is nothing
    /// but that, and an untitled chapter if it names its encoding; that is how
    /// writers tell them apart.
    ///
    /// - Parameter movie: The `moov` box.
    /// - Returns: The lists, and what could not be read, one line each.
    package static func lists(
        in movie: Box, of file: RandomAccessFile
    ) -> (lists: [ChapterList], problems: [String]) {
        let reader = BoxReader(file: file)
        let children = reader.boxes(in: movie.content)
        var problems: [String] = []
        var budget = Budget()
        var texts: [(track: Track, spans: [Span])] = []
        var pictures: [Span] = []
        for track in referencedTracks(in: children, reader: reader, problems: &problems) {
            switch track.kind {
            case .text:
                texts.append((track, track.spans(within: &budget, reader: reader, problems: &problems)))
            case .pictures:
                pictures += track.spans(within: &budget, reader: reader, problems: &problems)
            case .other:
                problems.append("chapter track \(track.trackID) holds neither text nor pictures")
            }
        }
        pictures.sort { $0.start < $1.start }
        var gallery = Gallery(spans: pictures, file: file)
        var lists: [ChapterList] = []
        for (track, spans) in texts {
            var chapters = chapters(of: spans, in: file, track: track, budget: &budget, problems: &problems)
            gallery.illustrate(&chapters, budget: &budget, problems: &problems)
            lists.append(
                ChapterList(
                    form: .quickTimeTrack, languageTag: track.languageTag, chapters: chapters,
                    trackID: Int32(exactly: track.trackID)))
        }
        for userData in children where userData.type == "udta" {
            for box in reader.boxes(in: userData.content) where box.type == "chpl" {
                lists.append(nero(reader.bytes(of: box), problems: &problems))
            }
        }
        return (lists, problems)
    }

    /// The tracks that `chap` references name, each once, in their order.
    private static func referencedTracks(in movie: [Box], reader: BoxReader, problems: inout [String]) -> [Track] {
        let timescale = MovieHeader(in: movie, reader).flatMap { Self.timescale(of: $0.timescale) }
        let tracks = movie.filter { $0.type == "trak" }
        var wanted: [UInt32] = []
        for track in tracks {
            for trackID in chapterTrackIDs(TrackReference.all(in: reader.boxes(in: track.content), reader))
            where !wanted.contains(trackID) && wanted.count < maximumTracks {
                wanted.append(trackID)
            }
        }
        guard !wanted.isEmpty else { return [] }
        var seen: Set<UInt32> = []
        var found: [UInt32: Track] = [:]
        for box in tracks {
            guard let header = TrackHeader(in: reader.boxes(in: box.content), reader), wanted.contains(header.trackID),
                seen.insert(header.trackID).inserted
            else { continue }
            found[header.trackID] = Track(box, movieTimescale: timescale, reader: reader)
        }
        for trackID in wanted where found[trackID] == nil {
            let reason = seen.contains(trackID) ? "has no readable header" : "is referred to but not there"
            problems.append("chapter track \(trackID) \(reason)")
        }
        return wanted.compactMap { found[$0] }
    }

    /// The tracks that a track takes its chapters from.
    static func chapterTrackIDs(_ references: [TrackReference]) -> [UInt32] {
        references.filter { $0.type == "chap" }.flatMap { $0.tracks.prefix(maximumTracks) }.filter { $0 != 0 }
    }

    /// Ticks per second that a header states, `nil` if that cannot be.
    static func timescale(of stated: UInt32) -> CMTimeScale? { stated > 0 ? CMTimeScale(exactly: stated) : nil }

    /// The chapters of a text track's samples.
    private static func chapters(
        of spans: [Span], in file: RandomAccessFile, track: Track, budget: inout Budget, problems: inout [String]
    ) -> [Chapter] {
        var chapters: [Chapter] = []
        var damaged = 0
        for span in spans {
            let size = min(Int(span.size), TextSample.maximumSize)
            guard size <= budget.textBytes else {
                problems.append("chapter track \(track.trackID) has more text than is read")
                break
            }
            budget.textBytes -= size
            guard let sample = TextSample(file.read(at: span.position, count: size)) else {
                damaged += 1
                continue
            }
            if sample.isCut { damaged += 1 }
            if sample.isGap { continue }
            chapters.append(
                Chapter(
                    start: span.start, end: span.end,
                    titles: sample.text.isEmpty ? [] : [Chapter.Title(sample.text, languageTag: track.languageTag)],
                    link: sample.link))
        }
        if damaged > 0 { problems.append("chapter track \(track.trackID): \(damaged) text samples are damaged") }
        return chapters
    }
}
