internal import MediaCore
internal import MediaIO
internal import MediaMetadata

/// A `CHAP` frame: a chapter.
///
/// Source: ID3v2 Chapter Frame Addendum 1.0.
struct ID3ChapterElement {
    /// Its name within the tag.
    let identifier: String
    /// Milliseconds.
    let start: UInt32
    let end: UInt32
    let startOffset: UInt32
    let endOffset: UInt32
    /// The frames within it: its title and so on.
    let frames: [ID3Frame]

    /// What stands for a time or an offset that is not given.
    static let none = UInt32.max

    init?(_ frame: ID3Frame) {
        guard frame.identifier == "CHAP", frame.obstacle == nil else { return nil }
        var reader = ID3TextReader(.latin1, frame.content)
        guard let identifier = reader.terminated(), let start = reader.rest.bigEndian32(at: 0),
            let end = reader.rest.bigEndian32(at: 4), let startOffset = reader.rest.bigEndian32(at: 8),
            let endOffset = reader.rest.bigEndian32(at: 12)
        else { return nil }
        self.identifier = identifier
        (self.start, self.end, self.startOffset, self.endOffset) = (start, end, startOffset, endOffset)
        frames =
            Self.frames(in: reader.rest.dropFirst(16), version: frame.version)
    }

    /// The frames within an element: few, as a tag may have many elements.
    fileprivate static func frames(in bytes: ArraySlice<UInt8>, version: ID3Version) -> [ID3Frame] {
        var limits = ID3Limits(values: 16, textLength: 1 << 16)
        let reader = ID3FrameReader(version: version, isUnsynchronized: false, maximumFrames: 16)
        return reader.frames(in: bytes).frames.map { frame in
            var frame = frame
            frame.decode(&limits)
            return frame
        }
    }

    var chapter: Chapter {
        Chapter(
            start: Self.time(start), end: end == Self.none ? .invalid : Self.time(end), titles: frames.chapterTitles,
            artwork: frames.chapterArtwork, link: frames.chapterLink, identifier: identifier)
    }

    private static func time(_ milliseconds: UInt32) -> CMTime { CMTime(value: Int64(milliseconds), timescale: 1000) }
}

/// A `CTOC` frame: a table of chapters.
struct ID3ContentsElement {
    let identifier: String
    let isTopLevel: Bool
    let flags: UInt8
    /// The names of what it lists: chapters and further tables.
    let children: [String]
    let frames: [ID3Frame]

    init?(_ frame: ID3Frame) {
        guard frame.identifier == "CTOC", frame.obstacle == nil else { return nil }
        var reader = ID3TextReader(.latin1, frame.content)
        guard let identifier = reader.terminated(), let flags = reader.rest.first,
            let count = reader.rest.dropFirst().first
        else { return nil }
        reader.skip(2)
        var children: [String] = []
        for _ in 0..<count {
            guard let child = reader.terminated() else { break }
            children.append(child)
        }
        self.identifier = identifier
        self.flags = flags
        self.children = children
        isTopLevel = flags & 2 != 0
        frames = ID3ChapterElement.frames(in: reader.rest, version: frame.version)
    }

    /// The name of a table that goes on where another one, of at most 255 names, is full.
    static func continuation(of identifier: String, _ number: Int) -> String { "\(identifier)+\(number)" }

    /// Whether it goes on with another table's list.
    func isContinuation(of other: ID3ContentsElement) -> Bool {
        frames.isEmpty && identifier.hasPrefix(other.identifier + "+")
    }
}

extension [ID3Frame] {
    var chapterTitles: [Chapter.Title] {
        filter { $0.isChapterTitle }.flatMap(\.entries).compactMap { $0.text.map { Chapter.Title($0) } }
    }

    var chapterArtwork: [UInt8]? {
        guard case .data(let bytes) = first(where: \.isChapterArtwork)?.entries.first?.value else { return nil }
        return bytes
    }

    var chapterLink: String? { first { $0.isChapterLink }?.entries.first?.text }
}

extension ID3Frame {
    var isChapterTitle: Bool { identifier == "TIT2" || identifier == "TT2" }
    var isChapterArtwork: Bool { ID3FrameKind(identifier) == .picture }
    var isChapterLink: Bool { ID3FrameKind(identifier) == .userLink }
}
