import Foundation
import MediaIO
import TestSupport
import Testing

@Suite struct `Pieces of one result` {
    private struct Text: MessageValue {
        let text: String
        init(_ text: String) { self.text = text }
        func write(to message: inout MessageWriter) { message.put(text) }
        init(from message: inout MessageReader) throws(MessageError) { text = try message.text() }
    }

    private let head = PieceHead(.stills, maker: "m", settings: "s", film: "f", index: 1, count: 3)

    private func write(_ texts: [String], to path: String) throws {
        let place = try RunFiles().output(path, replaces: true)
        let writer = try PieceWriter(head, at: place, limits: MediaLimits())
        for text in texts { try writer.add(Text(text)) }
        try writer.complete()
    }

    private func texts(_ path: String, _ head: PieceHead) throws -> [String] {
        var reader = try PieceReader(path, expecting: head, limits: MediaLimits())
        var texts: [String] = []
        while let next: Text = try reader.next() { texts.append(next.text) }
        #expect(try reader.next() == nil)
        return texts
    }

    @Test(arguments: [[], [""], ["a", String(repeating: "b", count: 3_000_000), "c"]])
    func `Shards of a result hold their records`(_ written: [String]) throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a")
        try write(written, to: path)
        #expect(try texts(path, head) == written)
    }

    @Test func `Shards of a result are refused wherever they are cut short`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a")
        try write(["first", "second"], to: path)
        let whole = try Data(contentsOf: URL(fileURLWithPath: path))
        for count in 0..<whole.count {
            try whole.prefix(count).write(to: URL(fileURLWithPath: path))
            #expect(throws: PieceError.self, "\(count)") { try texts(path, head) }
        }
    }

    @Test func `Shards of a result are refused with any byte changed`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a")
        try write(["first", "second"], to: path)
        let whole = try Data(contentsOf: URL(fileURLWithPath: path))
        for index in 0..<whole.count {
            var changed = whole
            changed[index] ^= 0xff
            try changed.write(to: URL(fileURLWithPath: path))
            #expect(throws: PieceError.self, "\(index)") { try texts(path, head) }
            #expect(throws: PieceError.self, "\(index)") { try PieceReader.check(path) }
        }
        try (whole + [0]).write(to: URL(fileURLWithPath: path))
        #expect(throws: PieceError.self) { try PieceReader.check(path) }
    }

    @Test(arguments: [
        ("maker", PieceHead(.stills, maker: "x", settings: "s", film: "f", index: 1, count: 3)),
        ("settings", PieceHead(.stills, maker: "m", settings: "x", film: "f", index: 1, count: 3)),
        ("settings", PieceHead(.packets, maker: "m", settings: "s", film: "f", index: 1, count: 3)),
        ("film", PieceHead(.stills, maker: "m", settings: "s", film: "x", index: 1, count: 3)),
        ("2 of 3", PieceHead(.stills, maker: "m", settings: "s", film: "f", index: 2, count: 3)),
        ("1 of 4", PieceHead(.stills, maker: "m", settings: "s", film: "f", index: 1, count: 4)),
    ])
    func `Shards of another run, media file or place are refused`(_ word: String, _ other: PieceHead) throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a")
        try write(["first"], to: path)
        let error = #expect(throws: PieceError.self) { try texts(path, other) }
        let told = word == "maker" ? "made by m" : word
        #expect(error?.reason.contains(told) == true)
    }

    @Test func `Shards of a result that are missing are an error`() {
        #expect(throws: PieceError.self) {
            try PieceReader("/nowhere/a", expecting: head, limits: MediaLimits())
        }
    }
}
