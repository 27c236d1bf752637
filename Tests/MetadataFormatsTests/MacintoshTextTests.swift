import Testing

@testable import MetadataFormats

@Suite struct `Numbers of languages` {
    @Test func `Macintosh's numbers of languages are those of Apple's table`() {
        for (tag, number) in [
            ("en", 0), ("fr", 1), ("de-CH", 2), ("pt-BR", 8), ("ja", 11), ("zh-Hant", 19), ("zh-TW", 19), ("zh-CN", 33),
            ("nb", 9), ("cy", 128), ("eu", 129),
        ] as [(String, UInt16)] {
            #expect(MacintoshText.number(ofLanguage: tag) == number, "\(tag)")
        }
        #expect(MacintoshText.number(ofLanguage: "tlh") == nil)
    }
}
