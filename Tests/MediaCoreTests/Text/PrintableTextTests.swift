import Foundation
import MediaCore
import Testing

@Suite struct `Text from strangers` {
    @Test(arguments: [
        ("plain, ünïcode 世界 🎬", "plain, ünïcode 世界 🎬"), ("a\nb\r\t", "a\\u{a}b\\u{d}\\u{9}"),
        ("\u{1b}[31mred\u{7}", "\\u{1b}[31mred\\u{7}"), ("\u{202e}abc\u{2066}", "\\u{202e}abc\\u{2066}"),
        ("x\u{2028}y\u{2029}", "x\\u{2028}y\\u{2029}"), ("\u{0}\u{7f}\u{9b}", "\\u{0}\\u{7f}\\u{9b}"), ("", ""),
    ])
    func `Untrusted text cannot steer a terminal`(_ text: String, _ expected: String) {
        #expect(text.printable() == expected)
    }

    @Test(arguments: [
        ("a\nb\tc\r\n", "a\nb\tc\r\n"), ("a\rb\r", "a\\u{d}b\\u{d}"), ("\u{1b}[2J\n", "\\u{1b}[2J\n"),
        ("a\u{85}b\u{2028}c", "a\\u{85}b\\u{2028}c"), ("", ""),
    ])
    func `Printable lines keep the line breaks of a document`(_ text: String, _ expected: String) {
        #expect(text.printableLines.unicodeScalars.elementsEqual(expected.unicodeScalars))
    }

    /// The escapes are those of RFC 8259: four digits, and two of them for what lies beyond.
    @Test(arguments: [
        ("\"a\u{9b}\u{7f}\"", #""a\u009b\u007f""#), ("\"\u{202e}\u{2028}\u{feff}\"", #""\u202e\u2028\ufeff""#),
        ("\"\u{e0001}\u{1F600}é\"", "\"\\udb40\\udc01\u{1F600}é\""), ("{\n\t\"a\": 1\r\n}", "{\n\t\"a\": 1\r\n}"),
    ])
    func `Printable JSON means the same`(_ json: String, _ expected: String) throws {
        #expect(json.printableJSON.unicodeScalars.elementsEqual(expected.unicodeScalars))
        let read = { (text: String) in
            try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed) as? NSObject
        }
        #expect(try read(json) == read(json.printableJSON))
    }

    @Test func `Printable text is cut at the limit`() {
        #expect("abcdef".printable(limit: 3) == "abc…")
        #expect("abc".printable(limit: 3) == "abc")
        #expect("\n\n\n".printable(limit: 1) == "\\u{a}…")
    }

    @Test(arguments: [
        ("5 s", #""5 s""#), ("a\"b\\", #""a\u{22}b\u{5c}""#), ("a\u{a0}b", #""a\u{a0}b""#),
        ("\u{f8ff}\u{1b}é", #""\u{f8ff}\u{1b}é""#),
    ])
    func `Quoted text has its quotation marks, backslashes and unusual spaces escaped`(
        _ text: String, _ expected: String
    ) {
        #expect(text.quoted() == expected)
    }

    @Test func `Text without quotation marks around it keeps its own, and quoted text is cut at the limit`() {
        #expect("\"a\\b\"\u{a0}\u{3000}\u{f8ff}".printable() == "\"a\\b\"\u{a0}\u{3000}\u{f8ff}")
        #expect("abcdef".quoted(limit: 3) == "\"abc…\"")
    }

    @Test(arguments: [
        ("one line", "one line"), ("a\r\nb\u{2028}c", "a b c"), ("\u{202e}abc\u{2066}", "abc"),
        ("\u{1F468}\u{200D}\u{1F469}", "\u{1F468}\u{200D}\u{1F469}"), ("a \tb", "a b"),
    ])
    func `Text is reduced to one line`(_ text: String, _ expected: String) {
        let line = text.singleLine(limit: 100)
        #expect(line.text == expected && !line.isCut)
    }

    @Test func `Text of one line is cut at the limit`() {
        #expect("abcd".singleLine(limit: 3) == ("abc…", true))
        #expect("abc".singleLine(limit: 3) == ("abc", false))
    }
}

@Suite struct `Text of markup` {
    @Test func `Text in markup has no characters that markup reads`() {
        #expect("<a href='x'>&\"\t\u{1}".htmlEscaped == "&lt;a href=&#39;x&#39;&gt;&amp;&quot; \u{FFFD}")
        // What turns the direction is left out, what shapes letters stays.
        #expect("a\u{202e}\u{2066}\u{feff}b\u{200d}\u{2028}c\u{9b}".htmlEscaped == "ab\u{200d} c\u{FFFD}")
        #expect("a<b>&c".unicodeScalars.map { $0.markupEntity ?? String($0) }.joined() == "a&lt;b&gt;&amp;c")
    }
}
