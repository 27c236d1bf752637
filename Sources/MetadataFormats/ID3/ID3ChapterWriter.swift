internal import MediaCore
internal import MediaIO
internal import MediaMetadata

/// Makes the frames of chapters: a table of contents, and a frame for each chapter.
struct ID3ChapterWriter {
    let writer: ID3FrameWriter
    private(set) var losses: [MetadataLoss] = []
    private let oldChapters: [String: ID3ChapterElement]
    private let oldContents: [String: ID3ContentsElement]
    private var names: Set<String> = []
    private var bytes: [UInt8] = []
    /// Levels of chapters that are written; players show two.
    private static let maximumDepth = 8
    /// A table counts what it lists in one byte.
    private static let maximumChildren = 255

    /// - Parameter frames: The old frames, from which elements of the same name
    ///   keep what `Chapter` does not hold.
    init(writer: ID3FrameWriter, frames: [ID3Frame]) {
        self.writer = writer
        let frames = frames.filter { $0.version == writer.version }
        oldChapters = frames.compactMap(ID3ChapterElement.init).reduce(into: [:]) { $0[$1.identifier] = $1 }
        oldContents = frames.compactMap(ID3ContentsElement.init).reduce(into: [:]) { $0[$1.identifier] = $1 }
    }

    /// The frames of lists, the first one at the top level.
    mutating func frames(for lists: [ChapterList]) -> [UInt8] {
        if lists.contains(where: { $0.form != .id3 }) { lose("lists of other forms than ID3's are left out") }
        let lists = lists.filter { $0.form == .id3 }
        guard lists.contains(where: { !$0.chapters.isEmpty }) else { return [] }
        guard writer.version > .v22 else {
            lose("ID3v2.2 has no chapters")
            return []
        }
        tellLosses(of: lists)
        names = []
        bytes = []
        for (index, list) in lists.enumerated() {
            let name = newName(list.identifier, "toc")
            let start = bytes.count
            let children = add(list.chapters.filter { !$0.isHidden || !$0.children.isEmpty }, depth: 0)
            // The table comes before what it lists, as most programs write it.
            let elements = bytes[start...]
            bytes.removeSubrange(start...)
            let inner = oldContents[name]?.frames.flatMap(\.bytes) ?? []
            addTable(name, children, flags: index == 0 ? 3 : 1, frames: inner)
            bytes += elements
            _ = add(list.chapters.filter { $0.isHidden && $0.children.isEmpty }, depth: 0)
        }
        return bytes
    }

    private mutating func tellLosses(of lists: [ChapterList]) {
        func all(_ chapters: [Chapter], depth: Int = 0) -> [Chapter] {
            chapters + (depth < Self.maximumDepth ? chapters.flatMap { all($0.children, depth: depth + 1) } : [])
        }
        let chapters = lists.flatMap { all($0.chapters) }
        if lists.contains(where: { $0.languageTag != nil })
            || chapters.contains(where: { $0.titles.contains { $0.languageTag != nil } })
        {
            lose("ID3 keeps no languages of chapters' titles")
        }
        if lists.contains(where: \.isOrdered) { lose("ID3 has no order of play beside the order in time") }
        if lists.contains(where: \.isHidden) { lose("ID3 has no hidden lists of chapters") }
        if chapters.contains(where: { !$0.isEnabled }) { lose("ID3 has no chapters that are not to be played") }
        let inner = lists.flatMap(\.chapters).flatMap { $0.isHidden && !$0.children.isEmpty ? [$0] : $0.children }
        if inner.contains(where: \.isHidden) { lose("in ID3 only chapters of the first level can be hidden") }
    }

    // MARK: Elements

    /// Adds the frames of chapters and returns their names.
    ///
    /// - Parameter end: Where what holds the chapters ends, if that is known.
    private mutating func add(_ chapters: [Chapter], depth: Int, end: CMTime? = nil) -> [String] {
        var result: [String] = []
        for (index, chapter) in chapters.enumerated() {
            let next = index + 1 < chapters.count ? chapters[index + 1].start : end
            if chapter.children.isEmpty {
                if let name = addChapter(chapter, next: next) { result.append(name) }
            } else if depth < Self.maximumDepth {
                let name = newName(chapter.identifier, "toc")
                tellTimes(of: chapter)
                let children = add(
                    chapter.children, depth: depth + 1, end: chapter.end.isNumeric ? chapter.end : next)
                addTable(name, children, flags: 1, frames: innerFrames(of: chapter, oldContents[name]?.frames ?? []))
                result.append(name)
            } else {
                lose("chapters more than \(Self.maximumDepth) levels deep are left out")
            }
        }
        return result
    }

    /// Tells if a chapter with others in it begins before them or ends after them: a table has no times.
    private mutating func tellTimes(of chapter: Chapter) {
        let (starts, ends) = (chapter.children.map(\.start), chapter.children.map(\.end))
        let isLate = starts.allSatisfy { $0 > chapter.start }
        let isShort = chapter.end.isNumeric && ends.allSatisfy { $0.isNumeric && $0 < chapter.end }
        guard isLate || isShort else { return }
        lose("in ID3 a chapter with others in it begins and ends with them")
    }

    private mutating func addTable(_ name: String, _ children: [String], flags: UInt8, frames: [UInt8]) {
        var children = children
        if children.count > Self.maximumChildren {
            // Tables of the first table: enough of them for 65,025 chapters.
            let parts = stride(from: 0, to: children.count, by: Self.maximumChildren).map {
                Array(children[$0..<min($0 + Self.maximumChildren, children.count)])
            }
            children = []
            for (index, part) in parts.prefix(Self.maximumChildren).enumerated() {
                let partName = newName(ID3ContentsElement.continuation(of: name, index + 1), name)
                addTable(partName, part, flags: 1, frames: [])
                children.append(partName)
            }
        }
        let content =
            (name.latin1 ?? []) + [0, flags, UInt8(children.count)] + children.flatMap { ($0.latin1 ?? []) + [0] }
        add("CTOC", content + frames)
    }

    private mutating func addChapter(_ chapter: Chapter, next: CMTime?) -> String? {
        guard let start = Self.milliseconds(chapter.start) else {
            lose("“\(chapter.title)” begins before 0 or after 49 days, which ID3 cannot count")
            return nil
        }
        let end = chapter.end.isNumeric ? Self.milliseconds(chapter.end) : next.flatMap(Self.milliseconds)
        if chapter.end.isNumeric, end == nil { lose("“\(chapter.title)” ends after 49 days, which ID3 cannot count") }
        let name = newName(chapter.identifier, "chp")
        let old = oldChapters[name]
        var content = (name.latin1 ?? []) + [0]
        content.append(bigEndian: start)
        content.append(bigEndian: end ?? ID3ChapterElement.none)
        let isUnmoved = old?.start == start && old?.end == end
        content.append(bigEndian: isUnmoved ? old?.startOffset ?? ID3ChapterElement.none : ID3ChapterElement.none)
        content.append(bigEndian: isUnmoved ? old?.endOffset ?? ID3ChapterElement.none : ID3ChapterElement.none)
        add("CHAP", content + innerFrames(of: chapter, old?.frames ?? []))
        return name
    }

    private mutating func add(_ identifier: String, _ content: [UInt8]) {
        do {
            bytes += try writer.frame(identifier, content)
        } catch {
            lose(error.reason)
        }
    }

    // MARK: Frames within elements

    /// The frames of title, picture and address; unchanged ones and those of other kinds as they were.
    private mutating func innerFrames(of chapter: Chapter, _ old: [ID3Frame]) -> [UInt8] {
        var kept = old
        var result: [UInt8] = []
        if old.chapterTitles != chapter.titles {
            kept.removeAll(where: \.isChapterTitle)
            result += inner(chapter.titles.map { MetadataEntry(.id3, .text("TIT2"), .text($0.text)) })
        }
        if old.chapterLink != chapter.link {
            if let index = kept.firstIndex(where: \.isChapterLink) { kept.remove(at: index) }
            result += inner((chapter.link.map { [MetadataEntry(.id3, .text("WXXX"), .text($0))] }) ?? [])
        }
        if old.chapterArtwork != chapter.artwork {
            if let index = kept.firstIndex(where: \.isChapterArtwork) { kept.remove(at: index) }
            result += inner((chapter.artwork.map { [MetadataEntry(.id3, .text("APIC"), .data($0))] }) ?? [])
        }
        return result + kept.flatMap(\.bytes)
    }

    private mutating func inner(_ entries: [MetadataEntry]) -> [UInt8] {
        do {
            // The element that holds the frame is unsynchronised as a whole.
            return try ID3FrameWriter(version: writer.version, isUnsynchronized: false).frame(of: entries)
        } catch {
            lose(error.reason)
            return []
        }
    }

    // MARK: Names and times

    /// A name that no element has yet: the wanted one if it can be had.
    private mutating func newName(_ wanted: String?, _ stem: String) -> String {
        if let wanted, let name = wanted.latin1, !name.isEmpty, !name.contains(0), names.insert(wanted).inserted {
            return wanted
        }
        var number = names.count
        while !names.insert("\(stem)\(number)").inserted { number += 1 }
        return "\(stem)\(number)"
    }

    private static func milliseconds(_ time: CMTime) -> UInt32? {
        let time = time.convertScale(1000, method: .roundHalfAwayFromZero)
        guard time.isNumeric, time.timescale == 1000, let value = UInt32(exactly: time.value),
            value != ID3ChapterElement.none
        else { return nil }
        return value
    }

    private mutating func lose(_ reason: String) {
        let loss = MetadataLoss.chapters(reason: reason)
        if !losses.contains(loss) { losses.append(loss) }
    }
}
