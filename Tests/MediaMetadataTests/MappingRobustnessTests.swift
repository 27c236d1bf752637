import MetadataFormats
import Testing

@testable import MediaMetadata

@Suite struct `Odd metadata` {
    static let containers: [FileMetadata.Container] = [
        .isoBaseMedia, .id3, .matroska,
    ]
    static let keySpaces: [AVMetadataKeySpace] = [
        .iTunes, .iTunesFreeForm, .quickTimeMetadata, .quickTimeUserData, .isoUserData, .id3, .vorbisComment, .matroska,
        .audioFile, .common, .icy,
    ]
    static let values: [MetadataValue] =
        [0, 1, 2, 3, 4, 6, 9].map { .data(Array(repeating: 0xFF, count: $0)) }
        + [2, 8].map { .data(Array(repeating: 0, count: $0)) }
        + [
            .integer(.max), .integer(.min), .integer(0), .real(.nan), .real(.infinity), .real(-1e300), .text(""),
            .text("\0"), .text("("), .text("(("), .text("(17"), .text("/"), .text("-1/-1"),
            .text("9223372036854775808"),
            .text("9999-99-99"), .text("+/"), .text("1e400"), .text("nan"), .text("\u{1F600}"),
        ]

    /// Each key of each key space, once.
    static let keys: [(AVMetadataKeySpace, MetadataKey)] = keySpaces.flatMap { keySpace in
        let names = Set(
            MetadataFieldTable.rows.flatMap { row in
                let own = row.keys(in: keySpace) + row.totalKeys(in: keySpace)
                return (own.isEmpty ? Array(row.names.prefix(1)) : own).map(MetadataFieldTable.name)
            })
        return names.sorted().compactMap { name in
            let key: MetadataKey? = keySpace.hasCodes ? MetadataKey(fourCharacters: name) : .text(name)
            return key.map { (keySpace, $0) }
        }
    }

    @Test(arguments: values) func `Odd metadata of any key and value does no harm`(_ value: MetadataValue) {
        let entries = Self.keys.map { MetadataEntry($0, $1, value) }
        for keySpace in Self.keySpaces { _ = MediaItem(entries: entries.filter { $0.keySpace == keySpace }) }
        for container in Self.containers {
            let edit = MetadataConversion.convert(entries, to: container)
            #expect(edit.entries.allSatisfy { container.keySpaces.contains($0.keySpace) })
            var item = MediaItem(entries: edit.entries)
            item.name = "n"
            (item.year, item.trackNumber, item.bpm, item.genre) = (2004, 3, nil, "Rock")
            let applied = item.applied(to: edit.entries, in: container)
            #expect(MediaItem(entries: applied.entries).name == "n")
        }
    }

    @Test func `Attributes of an entry stay with a changed value`() {
        let mark = AVMetadataExtraAttributeKey(rawValue: "tag")
        var entry = MetadataEntry.id3("TIT2", "old")
        entry.extras[mark] = .text("ID3v1")
        var item = MediaItem(entries: [entry])
        item.name = "new"
        let edit = item.applied(to: [entry], in: .id3)
        #expect(edit.entries.map(\.line) == ["id3/TIT2=new"])
        #expect(edit.entries[0].extras[mark] == .text("ID3v1"))
    }

    @Test func `Matroska's images and titles outside of tags are found`() {
        let element = AVMetadataExtraAttributeKey(rawValue: "element")
        let title = MetadataEntry(.matroska, .text("TITLE"), .text("t"), extras: [element: .text("Info/Title")])
        let cover = MetadataEntry(
            .matroska, .text("COVER"), .data(Pictures.png),
            extras: [
                element: .text("AttachedFile"), .info: .text("cover.png"),
                AVMetadataExtraAttributeKey(rawValue: "fileDescription"): .text("Cover (back)"),
            ])
        let entries = [title, .matroska("TITLE", "t"), cover]
        var item = MediaItem(entries: entries)
        #expect(item.name == "t" && item.artwork?.data == Pictures.png)
        item.name = "new"
        let edit = item.applied(to: entries, in: .matroska)
        #expect(edit.entries.map(\.text) == ["new", "new", nil])
        #expect(edit.entries.map { $0.extras[element] != nil } == [true, false, true])
        let flac = MetadataConversion.convert([cover], to: .flac)
        #expect(flac.entries.first?.extras[.pictureType] == .text("Cover (back)"))
    }
}
