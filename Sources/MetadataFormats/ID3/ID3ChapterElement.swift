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

/// Puts a tag's chapters in the order of its tables of contents.
struct ID3ChapterReader {
    /// Elements by name; one is taken out when it is listed, so that each is listed once.
    private var chapters: [String: [ID3ChapterElement]] = [:]
    private var contents: [String: [ID3ContentsElement]] = [:]
    private(set) var lists: [ChapterList] = []
    private(set) var problems: [String] = []
    /// Deeper tables are left out; readers of the specification need not go beyond it either.
    private static let maximumDepth = 8
    private static let maximumProblems = 20
    /// More names in tables are not read.
    private static let maximumNames = 1 << 16

    init(_ frames: [ID3Frame]) {
        let elements = frames.compactMap(ID3ChapterElement.init)
        var room = Self.maximumNames
        let tables = frames.compactMap { frame -> ID3ContentsElement? in
            guard room > 0, let table = ID3ContentsElement(frame) else { return nil }
            room -= 1 + table.children.count
            return table
        }
        let broken =
            frames.count { ["CHAP", "CTOC"].contains($0.identifier) && $0.obstacle == nil }
            - elements.count - tables.count
        if broken > 0 { problems.append("\(broken) chapter frames of the ID3 tag cannot be read") }
        // The last one first, so that taking one out is cheap.
        for element in elements.reversed() { chapters[element.identifier, default: []].append(element) }
        for table in tables.reversed() { contents[table.identifier, default: []].append(table) }
        for table in Self.inOrder(tables) {
            guard let table = contents[table.identifier]?.popLast() else { continue }
            let list = ChapterList(
                form: .id3, chapters: listed(by: table, depth: 0), isDefault: lists.isEmpty,
                identifier: table.identifier)
            lists.append(list)
        }
        addUnlisted(elements)
    }

    /// The tables that are no part of others, the top-level one first; then the others, should they form a circle.
    private static func inOrder(_ tables: [ID3ContentsElement]) -> [ID3ContentsElement] {
        let listed = Set(tables.flatMap(\.children))
        let roots =
            tables.filter { $0.isTopLevel } + tables.filter { !$0.isTopLevel && !listed.contains($0.identifier) }
        return roots + tables.filter { !$0.isTopLevel && listed.contains($0.identifier) }
    }

    private mutating func listed(by table: ID3ContentsElement, depth: Int) -> [Chapter] {
        var result: [Chapter] = []
        for name in table.children {
            if let element = chapters[name]?.popLast() {
                result.append(element.chapter)
            } else if depth < Self.maximumDepth, let inner = contents[name]?.popLast() {
                let children = listed(by: inner, depth: depth + 1)
                if inner.isContinuation(of: table) {
                    result += children
                } else {
                    result.append(Self.chapter(of: inner, children))
                }
            } else if problems.count < Self.maximumProblems {
                problems.append("a table of chapters of the ID3 tag lists “\(name)”, which is not there")
            }
        }
        return result
    }

    private static func chapter(of table: ID3ContentsElement, _ children: [Chapter]) -> Chapter {
        // It has no times of its own: it is as long as all that it holds, and where one of these has no end, as long as
        // the next of its level lets it be.
        let ends = children.map(\.end)
        return Chapter(
            start: children.map(\.start).min() ?? .zero,
            end: ends.allSatisfy(\.isNumeric) ? ends.max() ?? .invalid : .invalid,
            titles: table.frames.chapterTitles, artwork: table.frames.chapterArtwork, link: table.frames.chapterLink,
            identifier: table.identifier, children: children)
    }

    /// Adds chapters that no table lists: hidden ones if there is a table, else all by their times.
    private mutating func addUnlisted(_ elements: [ID3ChapterElement]) {
        var rest: [ID3ChapterElement] = []
        for element in elements {
            if let element = chapters[element.identifier]?.popLast() { rest.append(element) }
        }
        guard !rest.isEmpty else { return }
        let hasTable = lists.contains { !$0.chapters.isEmpty }
        if !hasTable {
            let order = rest.indices.sorted { (rest[$0].start, $0) < (rest[$1].start, $1) }
            rest = order.map { rest[$0] }
        }
        if lists.isEmpty { lists.append(ChapterList(form: .id3, chapters: [], isDefault: true)) }
        lists[0].chapters += rest.map { element in
            var chapter = element.chapter
            chapter.isHidden = hasTable
            return chapter
        }
    }
}
