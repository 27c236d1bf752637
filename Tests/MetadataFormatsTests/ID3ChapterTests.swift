import MediaCore
import MediaIO
import MediaMetadata
import Testing

@testable import MetadataFormats

@Suite struct `Chapters in ID3` {
    private func time(_ milliseconds: Int64) -> CMTime { CMTime(value: milliseconds, timescale: 1000) }

    private func chap(_ name: String, _ start: UInt8, _ end: UInt8, _ frames: [[UInt8]], offset: UInt8 = 0xFF)
        -> [UInt8]
    {
        let offsets = Array(repeating: offset, count: 8)
        return ID3Bytes.frame(
            3, "CHAP", Array(name.utf8) + [0, 0, 0, 0, start, 0, 0, 0, end] + offsets + frames.flatMap { $0 })
    }

    private func ctoc(_ name: String, _ flags: UInt8, _ children: [String], _ frames: [[UInt8]] = []) -> [UInt8] {
        ID3Bytes.frame(
            3, "CTOC",
            Array(name.utf8) + [0, flags, UInt8(children.count)] + children.flatMap { Array($0.utf8) + [0] }
                + frames.flatMap { $0 })
    }

    private func read(_ frames: [[UInt8]]) throws -> FileMetadata {
        try ID3Format.read(RandomAccessFile(bytes: ID3Bytes.tag(3, frames) + ID3Bytes.audio))
    }

    @Test func `Chapters in ID3 are read in the order of the table, with what belongs to them`() throws {
        let picture = ID3Bytes.frame(3, "APIC", Array("\0image/png\0\0\0".utf8) + [1, 2, 3])
        let link = ID3Bytes.frame(3, "WXXX", Array("\0url\0http://x".utf8))
        let metadata = try read([
            ID3Bytes.text(3, "TIT2", "File"), chap("b", 20, 30, [ID3Bytes.text(3, "TIT2", "Second")]),
            chap("a", 10, 20, [ID3Bytes.text(3, "TIT2", "First"), picture, link]),
            chap("x", 5, 6, [ID3Bytes.text(3, "TIT2", "Extra")]), ctoc("toc", 3, ["a", "b", "gone"]),
        ])
        #expect(metadata.entries == [.id3("TIT2", "File")])
        let chapters = [
            Chapter(
                start: time(10), end: time(20), titles: [.init("First")], artwork: [1, 2, 3], link: "http://x",
                identifier: "a"),
            Chapter(start: time(20), end: time(30), titles: [.init("Second")], identifier: "b"),
            Chapter(start: time(5), end: time(6), titles: [.init("Extra")], identifier: "x", isHidden: true),
        ]
        #expect(
            metadata.chapterLists
                == [ChapterList(form: .id3, chapters: chapters, isDefault: true, identifier: "toc")])
        #expect(metadata.problems == ["a table of chapters of the ID3 tag lists “gone”, which is not there"])
    }

    @Test func `Chapters in ID3 are nested as the tables are`() throws {
        let lists = try read([
            ctoc("toc", 3, ["a", "part"]), ctoc("part", 1, ["b", "c"], [ID3Bytes.text(3, "TIT2", "Part")]),
            chap("a", 0, 10, []), chap("b", 10, 20, []), chap("c", 20, 30, []),
        ]).chapterLists
        let part = try #require(lists.first?.chapters.last)
        #expect(part.title == "Part")
        #expect(part.start == time(10))
        #expect(part.end == time(30))
        #expect(part.children.map(\.identifier) == ["b", "c"])
    }

    @Test func `Chapters in ID3 are sorted by time if no table lists them`() throws {
        let lists = try read([chap("b", 20, 30, []), chap("a", 10, 20, [])]).chapterLists
        #expect(lists.count == 1)
        #expect(lists[0].chapters.map(\.identifier) == ["a", "b"])
        #expect(lists[0].chapters.allSatisfy { !$0.isHidden })
    }

    @Test func `Chapters in ID3 are read where tables form circles or go too deep`() throws {
        let circle = try read([ctoc("a", 3, ["b", "a"]), ctoc("b", 1, ["a", "b"])])
        #expect(circle.chapterLists.count == 1)
        let deep = try read(
            (0..<40).map { ctoc("\($0)", $0 == 0 ? 3 : 1, ["\($0 + 1)"]) } + [chap("40", 1, 2, [])])
        #expect(!deep.chapterLists.isEmpty)
    }

    @Test(arguments: [3, 4] as [UInt8]) func `Chapters in ID3 are written and read the same`(_ version: UInt8) throws {
        let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0xFF, 0xE0]
        let chapters = [
            Chapter(
                start: time(0), end: time(1000), titles: [.init("Ä ☃")], artwork: png, link: "http://x",
                identifier: "one"),
            Chapter(
                start: time(1000), end: time(3000), titles: [.init("Part")], identifier: "p",
                children: [
                    Chapter(start: time(1000), end: time(2000), titles: [.init("x")], identifier: "two"),
                    Chapter(start: time(2000), end: time(3000), titles: [], identifier: "three"),
                ]),
            Chapter(start: time(3000), end: .invalid, titles: [.init("End")], identifier: "four"),
            Chapter(start: time(500), end: time(600), titles: [.init("Shy")], identifier: "h", isHidden: true),
        ]
        let list = ChapterList(form: .id3, chapters: chapters, isDefault: true, identifier: "toc")
        for flags: UInt8 in [0, 0x80] {
            let file = ID3Bytes.tag(version, [], flags: flags) + ID3Bytes.audio
            let new = try Rewritten.file(ID3Format.self, file) { $0.chapterLists = [list] }
            #expect(new.losses == [])
            #expect(try ID3Format.read(RandomAccessFile(bytes: new.bytes)).chapterLists == [list])
            let none = try Rewritten.file(ID3Format.self, new.bytes) { $0.chapterLists = [] }
            #expect(none.bytes == ID3Bytes.audio)
        }
    }

    @Test func `Chapters in ID3 keep their unknown frames`() throws {
        let other = ID3Bytes.frame(3, "WXXX", Array("\0url\0http://x".utf8))
        let unknown = ID3Bytes.frame(3, "XYZZ", [1, 2, 3])
        let title = ID3Bytes.text(3, "TIT2", "Contents")
        let frames = [
            ctoc("toc", 3, ["a", "b"], [title]),
            chap("a", 1, 2, [ID3Bytes.text(3, "TIT2", "A"), other, unknown], offset: 7), chap("b", 2, 3, [unknown]),
        ]
        let file = ID3Bytes.tag(3, frames, padding: 20) + ID3Bytes.audio
        let new = try Rewritten.file(ID3Format.self, file) { $0.chapterLists[0].chapters[0].titles = [.init("New")] }
        let changed = chap("a", 1, 2, [ID3Bytes.text(3, "TIT2", "New"), other, unknown], offset: 7)
        #expect(new.bytes == ID3Bytes.tag(3, [frames[0], changed, frames[2]], padding: 18) + ID3Bytes.audio)
        let entry = try Rewritten.file(ID3Format.self, file) { $0.entries = [.id3("TPE1", "x")] }
        let artist = ID3Bytes.text(3, "TPE1", "x")
        #expect(entry.bytes == ID3Bytes.tag(3, [artist] + frames, padding: 8) + ID3Bytes.audio)
    }

    @Test func `Chapters in ID3 may be more than a table can count`() throws {
        let chapters = (0..<700).map { number in
            Chapter(start: time(Int64(number)), end: time(Int64(number) + 1), titles: [.init("\(number)")])
        }
        let new = try Rewritten.file(ID3Format.self, ID3Bytes.audio) {
            $0.chapterLists = [ChapterList(form: .id3, chapters: chapters)]
        }
        let lists = try ID3Format.read(RandomAccessFile(bytes: new.bytes)).chapterLists
        #expect(lists.count == 1)
        #expect(lists[0].chapters.map(\.title) == chapters.map(\.title))
    }

    @Test func `Chapters in ID3 report what they lose`() throws {
        let list = ChapterList(
            form: .id3, languageTag: "de",
            chapters: [
                Chapter(start: CMTime(value: 50 * 86_400, timescale: 1), titles: [.init("Late")]),
                Chapter(start: CMTime(value: 1, timescale: 1), titles: [.init("Now")], isEnabled: false),
            ])
        let new = try Rewritten.file(ID3Format.self, ID3Bytes.audio) { $0.chapterLists = [list] }
        #expect(new.losses.count == 3)
        #expect(new.losses.allSatisfy { $0.item == "chapters" })
        let v22 = try Rewritten.file(ID3Format.self, ID3Bytes.tag(2, []) + ID3Bytes.audio) { $0.chapterLists = [list] }
        #expect(v22.losses == [MetadataLoss.chapters(reason: "ID3v2.2 has no chapters")])
    }

    @Test func `Chapters in ID3 withstand damage`() {
        let frames = [
            ctoc("toc", 3, ["a", "b"], [ID3Bytes.text(3, "TIT2", "C")]),
            chap("a", 1, 2, [ID3Bytes.text(3, "TIT2", "A")]), chap("b", 2, 3, []),
        ]
        Rewritten.withstandDamage(ID3Format.self, ID3Bytes.tag(3, frames, padding: 10) + ID3Bytes.audio)
    }
}
