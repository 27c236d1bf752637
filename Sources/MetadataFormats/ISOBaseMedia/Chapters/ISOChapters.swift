package import MediaContainers
package import MediaCore
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

extension ISOChapters {
    /// Ticks of 100 nanoseconds.
    private static let neroTimescale: CMTimeScale = 10_000_000
    /// The most that one byte can count: chapters as well as the bytes of a title.
    private static let neroMaximum = 255

    /// Reads the content of a `chpl` box.
    ///
    /// After the version, version 1 has a reserved byte and a count of 32 bits,
    /// which for some readers are four reserved bytes and a count of one; up to
    /// 255 chapters that is the same. Version 0 counts with one byte.
    static func nero(_ bytes: [UInt8], problems: inout [String]) -> ChapterList {
        var list = ChapterList(form: .nero, chapters: [])
        guard let version = bytes.first, bytes.count >= 5 else {
            problems.append("chpl: the box is too short")
            return list
        }
        var offset = version == 0 ? 5 : 9
        let count = version == 0 ? UInt32(bytes[4]) : bytes.bigEndian32(at: 5) ?? 0
        while list.chapters.count < count {
            guard let start = bytes.bigEndian64(at: offset).flatMap(Int64.init(exactly:)), offset + 8 < bytes.count,
                case let size = Int(bytes[offset + 8]), bytes.count - offset - 9 >= size
            else {
                problems.append("chpl: \(list.chapters.count) of \(count) chapters can be read")
                break
            }
            let title = TextCoding.utf8OrLatin1(bytes[(offset + 9)..<(offset + 9 + size)])
            list.chapters.append(
                Chapter(
                    start: CMTime(value: start, timescale: neroTimescale),
                    titles: title.isEmpty ? [] : [Chapter.Title(title)]))
            offset += 9 + size
        }
        return list
    }

    /// A `chpl` box.
    ///
    /// Times are rounded to the box's 100 nanoseconds, which is no loss that is
    /// told. Ends are not stored. Not more than 255 chapters are, and not more
    /// than 255 bytes of a title.
    ///
    /// - Parameters:
    ///   - movieDuration: Chapters from there on are left out; not numeric if it is not known.
    ///   - languageTag: Which titles to take of chapters with several.
    package static func neroBox(
        of list: ChapterList, languageTag: String? = nil, movieDuration: CMTime
    ) -> (box: [UInt8], losses: [MetadataLoss]) {
        var chapters = LinearChapters(list, languageTag: languageTag ?? list.languageTag, keeping: [])
        chapters.putInSequence(until: movieDuration, keepsEnds: false)
        if chapters.items.count > neroMaximum {
            chapters.lose("a chpl list holds only \(neroMaximum) of \(chapters.items.count) chapters")
        }
        let items = chapters.items.prefix(neroMaximum)
        var content: [UInt8] = [1, 0, 0, 0, 0]
        content.append(bigEndian: UInt32(items.count))
        var cut = 0
        for item in items {
            let title = item.title.utf8Prefix(neroMaximum)
            if title.count < item.title.utf8.count { cut += 1 }
            let start = item.start.convertScale(neroTimescale, method: .default)
            content.append(bigEndian: UInt64(max(0, start.isNumeric ? start.value : 0)))
            content.append(UInt8(title.count))
            content += title
        }
        if cut > 0 { chapters.change("titles are cut at \(neroMaximum) bytes in a chpl list: \(cut)") }
        return (.box("chpl", content), chapters.losses)
    }
}

extension ISOChapters {
    /// The language of a track: its BCP 47 tag if it has one, else the code in its header.
    ///
    /// - Parameter media: The boxes in its `mdia` box.
    static func languageTag(ofMedia media: [Box], reader: BoxReader) -> String? {
        guard let header = MediaHeader(in: media, reader) else { return nil }
        if let box = media.first(where: { $0.type == "elng" }) {
            let text = reader.bytes(of: box, limit: 256).dropFirst(4).prefix { $0 != 0 }
            if !text.isEmpty, let tag = String(validating: text, as: UTF8.self) { return tag == "und" ? nil : tag }
        }
        guard let code = header.languageCode else { return nil }
        if code < 0x400 { return MacintoshText.languageTag(code) }
        let letters = [10, 5, 0].map { UInt8(code >> $0 & 31) + 0x60 }
        return LanguageCodes.tag(ofISO639: String(latin1: letters))
    }

    /// The language of a chapter track's titles.
    ///
    /// Players offer titles by their languages, and QuickTime's take the code 0 for English, which FFmpeg and others
    /// write in every chapter track; elsewhere it is what is left in place by writers that know of no language.
    static func languageTag(ofTitlesIn media: [Box], reader: BoxReader) -> String? {
        let isEnglish = MediaHeader(in: media, reader)?.languageCode == 0 && !media.contains { $0.type == "elng" }
        return isEnglish ? "en" : languageTag(ofMedia: media, reader: reader)
    }

    /// A header's code for a language, and the tag that it cannot say.
    static func languageCode(of tag: String?) -> (code: UInt16, extended: String?) {
        let letters = Array(LanguageCodes.iso639(of: tag).utf8)
        let isCode = letters.count == 3 && letters.allSatisfy { (0x61...0x7A).contains($0) }
        let packed = isCode ? letters.reduce(0) { $0 << 5 | UInt16($1 - 0x60) } : 0x55C4
        guard let tag, !tag.isEmpty else { return (packed, nil) }
        let isWhole = isCode && LanguageCodes.tag(ofISO639: String(latin1: letters)) == tag
        return (packed, isWhole ? nil : tag)
    }
}
