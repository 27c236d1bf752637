public import MediaCore

/// The chapters of an asset as one part of the file lists them.
///
/// A file may list its chapters several times: in several languages, in several
/// editions, in the forms that different players read. Beyond AVFoundation.
public struct ChapterList: Hashable, Sendable {
    /// How a file stores chapters.
    public enum Form: String, Hashable, Sendable {
        /// A text track that other tracks refer to.
        case quickTimeTrack
        /// The `chpl` box that Nero's programs brought.
        case nero
        /// ID3 `CHAP` frames.
        case id3
        /// A Matroska edition.
        case matroska
        /// Vorbis comments `CHAPTER001` and so on.
        case vorbisComment
        /// The block `CUESHEET` of a FLAC file: the tracks of a CD.
        case cueSheet
        /// Markers of a WAV file, the chunk `cue `, with their labels.
        case cuePoints
        /// Any other form, as FFmpeg tells it.
        case other
    }

    /// How the file stores it.
    public var form: Form
    /// The language of all titles, BCP 47; `nil` if they say for themselves or not at all.
    public var languageTag: String?
    /// The chapters in file order.
    public var chapters: [Chapter]
    /// Whether players should use this list unless told otherwise.
    public var isDefault: Bool
    /// Whether players should not show it.
    public var isHidden: Bool
    /// Whether chapters are to be played in this order, whatever their times.
    public var isOrdered: Bool
    /// The number of the track that holds it, for a QuickTime track; else `nil`.
    public var trackID: Int32?
    /// The file's own name for it: a Matroska edition's UID; `nil` where it has none.
    public var identifier: String?

    /// Makes a list.
    public init(
        form: Form, languageTag: String? = nil, chapters: [Chapter], isDefault: Bool = false, isHidden: Bool = false,
        isOrdered: Bool = false, trackID: Int32? = nil, identifier: String? = nil
    ) {
        self.form = form
        self.languageTag = languageTag
        self.chapters = chapters
        self.isDefault = isDefault
        self.isHidden = isHidden
        self.isOrdered = isOrdered
        self.trackID = trackID
        self.identifier = identifier
    }
}

/// A named part of an asset; beyond AVFoundation.
public struct Chapter: Hashable, Sendable {
    /// A chapter's name in one language.
    public struct Title: Hashable, Sendable {
        /// The name.
        public var text: String
        /// The language as a BCP 47 tag, `nil` if the file names none.
        public var languageTag: String?

        /// Makes a title.
        public init(_ text: String, languageTag: String? = nil) {
            self.text = text
            self.languageTag = languageTag
        }
    }

    /// Where it begins: on the asset's timeline as an asset gives it, as the file counts as `MetadataFile` does.
    public var start: CMTime
    /// Where it ends, on the timeline of ``start``; invalid if the file does not say, which means at the next
    /// chapter's start or at the asset's end.
    public var end: CMTime
    /// Its names, in file order; empty if it has none.
    public var titles: [Title]
    /// A picture for it: the bytes of a JPEG or PNG file; `nil` for none.
    public var artwork: [UInt8]?
    /// An address that belongs to it; `nil` for none.
    public var link: String?
    /// The file's own name for it: an ID3 element ID, a Matroska UID; `nil` where it has none.
    public var identifier: String?
    /// Whether players should leave it out of their lists; false where the form does not say.
    public var isHidden: Bool
    /// Whether players should play it; true where the form does not say.
    public var isEnabled: Bool
    /// The chapters within it, in file order, on the same timeline.
    public var children: [Chapter]

    /// Makes a chapter.
    public init(
        start: CMTime, end: CMTime = .invalid, titles: [Title] = [], artwork: [UInt8]? = nil, link: String? = nil,
        identifier: String? = nil, isHidden: Bool = false, isEnabled: Bool = true, children: [Chapter] = []
    ) {
        self.start = start
        self.end = end
        self.titles = titles
        self.artwork = artwork
        self.link = link
        self.identifier = identifier
        self.isHidden = isHidden
        self.isEnabled = isEnabled
        self.children = children
    }

    /// Its first name, empty if it has none.
    public var title: String { titles.first?.text ?? "" }
}

extension ChapterList {
    /// The chapters within a range, clipped at its ends and counted from its start.
    ///
    /// - Parameter range: On the timeline of the chapters.
    /// - Returns: `nil` if no chapter lies within it.
    package func clipped(to range: CMTimeRange) -> ChapterList? {
        var list = self
        list.chapters = chapters.compactMap { $0.clipped(to: range) }
        return list.chapters.isEmpty ? nil : list
    }

    /// The chapters at other times.
    package func mapped(_ time: (CMTime) -> CMTime) -> ChapterList {
        var list = self
        list.chapters = chapters.map { $0.mapped(time) }
        return list
    }

    /// The chapters that begin at a time or later, those within others too.
    package func chapters(from end: CMTime) -> [Chapter] {
        chapters.flatMap { $0.withChildren }.filter { $0.start >= end }
    }
}

extension Chapter {
    /// The chapter and those within it.
    package var withChildren: [Chapter] { [self] + children.flatMap(\.withChildren) }

    fileprivate func mapped(_ time: (CMTime) -> CMTime) -> Chapter {
        var chapter = self
        chapter.start = time(start)
        if end.isNumeric { chapter.end = time(end) }
        chapter.children = children.map { $0.mapped(time) }
        return chapter
    }

    fileprivate func clipped(to range: CMTimeRange) -> Chapter? {
        guard start < range.end else { return nil }
        var chapter = self
        if end.isNumeric {
            // One without a length is a mark, which stays if it lies within.
            guard end > range.start || (end == start && start == range.start) else { return nil }
            chapter.end = CMTimeMinimum(end, range.end) - range.start
        } else if start < range.start {
            return nil
        }
        chapter.start = CMTimeMaximum(start, range.start) - range.start
        chapter.children = children.compactMap { $0.clipped(to: range) }
        return chapter
    }
}
