import Foundation
import MediaCore
import MediaImage
import MediaTestSupport
import Testing

@Suite struct `Lines of text` {
    private func line(_ text: String, size: Double = 40, width: Int = 2000, isLeftToRight: Bool = false) throws
        -> TextImage
    {
        try TextImage(
            text,
            style: TextStyle(fontSize: size, color: .black, maximumWidth: width, isLeftToRight: isLeftToRight))
    }

    /// The line as black on white.
    private func picture(_ text: TextImage) throws -> CGImage {
        var canvas = try #require(ImageCanvas(width: text.width, height: text.height, color: .white))
        canvas.draw(text, x: 0, y: 0)
        return try #require(canvas.image())
    }

    /// The rows that hold ink in a span of columns.
    private func inkRows(_ image: CGImage, _ columns: Range<Int>) -> [Int] {
        (0..<image.height).filter { y in columns.contains { x in image.color(x: x, y: y)[1] < 128 } }
    }

    @Test(arguments: ["Hello, wörld", "漢字仮名交じり文", "한국어", "हिन्दी", "ภาษาไทย", "العربية", "עברית", "😀👩‍👩‍👧🏴󠁧󠁢󠁳󠁣󠁴󠁿", "𝄞"])
    func `Lines of text have no missing characters in scripts with installed fonts`(_ text: String) throws {
        let line = try line(text)
        #expect(line.missingCharacterCount == 0)
        #expect(line.width > 20)
        #expect(!line.isTruncated)
    }

    @Test func `Lines of text count the characters that no font has`() throws {
        #expect(try line("a\u{10FFFD}b\u{10FFFC}").missingCharacterCount == 2)
    }

    @Test func `Lines of text join Arabic letters`() throws {
        // A non-joiner between letters keeps them in their wider, isolated forms.
        #expect(try line("ببب").width < line("ب\u{200C}ب\u{200C}ب").width)
    }

    @Test func `Lines of text run from right to left where their first letter does`() throws {
        let hebrew = try line("אאא..........")
        #expect(hebrew.isRightToLeft)
        let image = try picture(hebrew)
        // The full stops, which are low, come last: on the left.
        let (left, right) = (inkRows(image, 0..<20), inkRows(image, (image.width - 20)..<image.width))
        #expect(left.count < 10)
        #expect(right.count > 15)
        #expect(try !line("abc אאא").isRightToLeft)
        let forced = try line("אאא..........", isLeftToRight: true)
        #expect(!forced.isRightToLeft)
        let turned = try picture(forced)
        #expect(inkRows(turned, 0..<20).count > 15)
        #expect(inkRows(turned, (turned.width - 20)..<turned.width).count < 10)
    }

    @Test func `Lines of text show emoji in colour`() throws {
        func isColored(_ text: String) throws -> Bool {
            let image = try picture(try line(text))
            return (0..<image.height).contains { y in
                (0..<image.width).contains { x in
                    let color = image.color(x: x, y: y)
                    return (color.max() ?? 0) - (color.min() ?? 0) > 100
                }
            }
        }
        #expect(try isColored("a 😀"))
        #expect(try !isColored("a :-)"))
    }

    @Test func `Lines of text end in an ellipsis where they are too long`() throws {
        let text = String(repeating: "wide ", count: 100)
        let cut = try line(text, width: 300)
        #expect(cut.isTruncated)
        #expect((250...300).contains(cut.width))
        #expect(try line(text, width: 30000).width > 3000)
    }

    @Test func `Lines of text cost little however long they are`() throws {
        let combining = "e" + String(repeating: "\u{301}", count: 1 << 20)
        let start = ContinuousClock.now
        for text in [String(repeating: "wide 漢字 ", count: 1 << 17), combining] {
            let line = try line(text, width: 400)
            #expect(line.isTruncated)
            #expect(line.width <= 400)
            #expect(line.height < 120)
        }
        #expect(ContinuousClock.now - start < .seconds(5))
    }

    @Test(arguments: [
        ("one\ntwo", "one two"), ("one\r\n\u{2028}two", "one two"), ("a\0b\u{1B}[31m", "a b [31m"),
        ("abc\u{202E}def\u{202C}", "abcdef"), ("a\u{2067}b\u{2069}\u{200F}c", "abc"), ("\u{FEFF}x", "x"),
    ])
    func `Lines of text leave out characters that would break or turn them`(_ text: String, _ same: String) throws {
        let (one, other) = try (picture(try line(text)), picture(try line(same)))
        #expect(one.size == other.size)
        #expect(one.pixels == other.pixels)
    }

    @Test func `Lines of text draw markup as letters`() throws {
        let parts = try ["<b>", "x", "</b>"].map { try line($0).width }.reduce(0, +)
        #expect(abs(try line("<b>x</b>").width - parts) <= 4)
        let entity = try ["&", "amp", ";"].map { try line($0).width }.reduce(0, +)
        #expect(abs(try line("&amp;").width - entity) <= 4)
        // Unbalanced markup would be an error.
        #expect(try line("</i><span size='999'>").width > 200)
    }

    @Test func `Lines of text may be empty`() throws {
        let empty = try line("")
        #expect(empty.width == 0)
        #expect(empty.height > 0)
        var canvas = try #require(ImageCanvas(width: 3, height: 3, color: .white))
        canvas.draw(empty, x: 1, y: 1)
        #expect(try #require(canvas.image()).pixels.allSatisfy { $0 == 255 })
    }

    @Test func `Lines of text with a size out of range are errors`() {
        #expect(throws: ImageEncodingError.self) { try line("a", width: 0) }
        #expect(throws: ImageEncodingError.self) { try line("a", width: 40000) }
        #expect(throws: ImageEncodingError.self) { try line("a", size: .nan) }
    }

    @Test func `Lines of text are the same from many threads at once`() async throws {
        let expected = try picture(try line("threads 漢字 😀")).pixels
        let equal = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<32 { group.addTask { try picture(try line("threads 漢字 😀")).pixels == expected } }
            return try await group.reduce(true) { $0 && $1 }
        }
        #expect(equal)
    }

    @Test func `Lines of text are drawn by functions declared as in Pango's headers`() async throws {
        let folder = Fixture.folder.deletingLastPathComponent().appendingPathComponent("Sources/CImageCodecs")
        let run = try await CommandRun.run(
            "bash",
            [
                "-c",
                """
                clang -std=c11 -fsyntax-only -Werror -include pango/pangocairo.h $(pkg-config --cflags pangocairo) \
                -I include text_draw.c
                """,
            ], in: folder)
        #expect(run.exitCode == 0, "\(run.errorOutput)")
    }
}
