import MediaIO
import MetadataFormats
import Testing

@testable import MediaMetadata

@Suite struct `Metadata in words` {
    @Test func `Metadata in words has genres, pairs, flags and types as people say them`() throws {
        let entries = [
            MetadataEntry(.iTunes, .code(0x676E_7265), .data([0, 3])),
            MetadataEntry(.iTunes, .code(0x7472_6B6E), .data([0, 0, 0, 3, 0, 12, 0, 0])),
            MetadataEntry(.iTunes, .code(0x6370_696C), .integer(1)),
            MetadataEntry(.iTunes, .code(0x7374_696B), .integer(9)),
            MetadataEntry(.iTunes, .code(0xA96E_616D), .text("A")),
            MetadataEntry(.quickTimeMetadata, .text("com.apple.quicktime.title"), .text("A")),
        ]
        let items = PlainMetadata(entries).items
        #expect(items.map(\.name) == ["title", "track", "genre", "compilation", "media-type"])
        #expect(items.map(\.values) == [["A"], ["3/12"], ["Country"], ["yes"], ["movie"]])
        #expect(items.allSatisfy { $0.keySpace == nil })
    }

    @Test func `Metadata in words names both key spaces where their values differ`() throws {
        let items = PlainMetadata([
            MetadataEntry(.iTunes, .code(0xA96E_616D), .text("A")),
            MetadataEntry(.quickTimeMetadata, .text("com.apple.quicktime.title"), .text("B")),
        ]).items
        #expect(
            items.map { "\($0.name) \($0.keySpace ?? "") \($0.values)" } == [
                "title itsk [\"A\"]", "title mdta [\"B\"]",
            ])
    }

    @Test func `Metadata in words gives the value of a name and nothing else`() throws {
        let entries = [
            MetadataEntry(.iTunes, .code(0x676E_7265), .data([0, 3])),
            MetadataEntry(.iTunes, .code(0xA96E_616D), .text("A")),
        ]
        #expect(PlainMetadata.values(of: try MetadataName("genre"), in: entries) == ["Country"])
        #expect(PlainMetadata.values(of: try MetadataName("itsk/gnre"), in: entries) == ["Country"])
        #expect(PlainMetadata.values(of: try MetadataName("itsk/%A9nam"), in: entries) == ["A"])
        #expect(PlainMetadata.values(of: try MetadataName("album"), in: entries) == [])
    }

    @Test func `Metadata in words lists the names that can be set, and no other`() throws {
        let names = KnownName.all(in: FileMetadata.Container.all)
        for name in names where name.name != "header-date" && name.name != "artwork" {
            #expect(throws: Never.self) { try MetadataName(name.name) }
            #expect(!name.containers.isEmpty, "\(name.name)")
        }
        #expect(names.first?.name == "title")
        #expect(Set(FileMetadata.formats.flatMap { $0.containers }) == Set(FileMetadata.Container.all))
        #expect(names.first { $0.name == "album-artist" }?.containers.contains(.aiff) == false)
    }
}
