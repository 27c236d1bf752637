import MediaCore
import Testing

@testable import MediaMetadata

@Suite struct `Items that somebody sets` {
    struct Case: Sendable, CustomTestStringConvertible {
        let source: [MetadataEntry]
        let added: [MetadataEntry]
        let lines: [String]
        let losses: [String]
        var testDescription: String { "\(source.map(\.line)) + \(added.map(\.line))" }

        init(
            _ source: [MetadataEntry], _ added: [MetadataEntry], _ lines: [String], losses: [String] = []
        ) {
            (self.source, self.added, self.lines, self.losses) = (source, added, lines, losses)
        }
    }

    static func common(_ key: AVMetadataKey, _ text: String, _ languageTag: String? = nil) -> MetadataEntry {
        MetadataEntry(.common, .text(key.rawValue), .text(text), languageTag: languageTag)
    }

    static func bare(_ key: String, _ text: String) -> MetadataEntry {
        MetadataEntry(.quickTimeMetadata, .text(key), .text(text))
    }

    static let cases: [Case] = [
        Case(
            [bare("title", "old"), bare("creation_time", "2004")],
            [common(.commonKeyTitle, "new"), common(.commonKeyCreationDate, "2023-11-14")],
            ["common/title=new", "common/creationDate=2023-11-14"], losses: ["mdta/title", "mdta/creation_time"]),
        Case(
            [bare("title", "old"), bare("artist", "a")], [.quickTime("title", "new")],
            ["mdta/com.apple.quicktime.title=new", "mdta/artist=a"], losses: ["mdta/title"]),
        // Of one key too: players show the first.
        Case([.iTunes("@nam", "old")], [.iTunes("@nam", "new")], ["itsk/%A9nam=new"], losses: ["itsk/%A9nam"]),
        Case(
            [.iTunes("@nam", "old"), .userData("@nam", "older")], [.id3("TIT2", "new")], ["id3/TIT2=new"],
            losses: ["itsk/%A9nam", "udta/%A9nam"]),
        // What says the same stays, in whatever key.
        Case(
            [bare("title", "same")], [common(.commonKeyTitle, "same")], ["common/title=same", "mdta/title=same"]),
        // Formats with names of many values hold them all, the new one first.
        Case(
            [.vorbis("ARTIST", "a"), .vorbis("DATE", "2004")], [.vorbis("ARTIST", "b")],
            ["vorb/ARTIST=b", "vorb/ARTIST=a", "vorb/DATE=2004"]),
        Case(
            [Pictures.cover(Pictures.jpeg)], [Pictures.cover(Pictures.png)],
            [Pictures.cover(Pictures.png).line, Pictures.cover(Pictures.jpeg).line]),
        // Languages.
        Case(
            [.userData("@nam", "Titel", "de")], [common(.commonKeyTitle, "Titre", "fr")],
            ["common/title=Titre", "udta/%A9nam=Titel"]),
        Case(
            [.userData("@nam", "Titel", "de")], [common(.commonKeyTitle, "Neu", "de-AT")], ["common/title=Neu"],
            losses: ["udta/%A9nam"]),
        Case(
            [.userData("@nam", "Titel", "de")], [common(.commonKeyTitle, "Neu", "und")], ["common/title=Neu"],
            losses: ["udta/%A9nam"]),
        // A pair is one thing, in however many entries.
        Case(
            [.vorbis("TRACKNUMBER", "3"), .vorbis("TRACKTOTAL", "12")], [.id3("TRCK", "4/5")], ["id3/TRCK=4/5"],
            losses: ["vorb/TRACKNUMBER"]),
        Case([.iTunes("@nam", "old")], [.iTunes("@alb", "x")], ["itsk/%A9alb=x", "itsk/%A9nam=old"]),
        Case([.iTunes("@nam", "old")], [], ["itsk/%A9nam=old"]),
    ]

    @Test(arguments: cases) func `Items that a client sets replace the source's`(_ example: Case) {
        for entries in [example.source + example.added, example.added + example.source] {
            let edit = MetadataPrecedence.settled(entries, over: example.source)
            #expect(edit.entries.map(\.line).sorted() == example.lines.sorted())
            #expect(edit.losses.map(\.item) == example.losses)
            #expect(edit.losses.allSatisfy { $0.reason.contains("is kept") })
        }
        let edit = MetadataPrecedence.settled(example.source + example.added, over: example.source)
        #expect(edit.entries.map(\.line) == example.lines)
    }

    @Test func `Items with a common key replace others, whatever the source was`() {
        // A composition says nothing by itself; its client hands on the items of a file.
        let edit = MetadataPrecedence.settled(
            [Self.bare("title", "old"), Self.common(.commonKeyTitle, "new")], over: [])
        #expect(edit.entries.map(\.line) == ["common/title=new"])
        #expect(edit.losses.map(\.item) == ["mdta/title"])
        // Of one's own items of several keys none is older.
        let own = [MetadataEntry.iTunes("@nam", "a"), .quickTime("title", "b")]
        #expect(MetadataPrecedence.settled(own, over: []) == MetadataEdit(entries: own))
    }

    @Test func `Items of a moment are not replaced`() {
        var entry = MetadataEntry.id3("TIT2", "old")
        entry.time = .zero
        let entries = [entry, Self.common(.commonKeyTitle, "new")]
        #expect(MetadataPrecedence.settled(entries, over: [entry]) == MetadataEdit(entries: entries.reversed()))
    }

    @Test(.timeLimit(.minutes(1))) func `Precedence is settled for forty thousand entries`() {
        let source = (0..<20_000).map { MetadataEntry.matroska("NAME \($0)", "x") }
        let added = (0..<20_000).map { MetadataEntry.vorbis("NAME \($0)", "y") }
        #expect(MetadataPrecedence.settled(source + added, over: source).entries.count == 20_000)
    }
}
