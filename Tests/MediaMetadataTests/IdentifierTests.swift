import MediaMetadata
import Testing

@Suite struct `Identifiers` {
    struct Case: Sendable, CustomTestStringConvertible {
        let keySpace: AVMetadataKeySpace
        let key: MetadataKey
        let identifier: String
        let text: String
        var testDescription: String { identifier }
    }

    static let cases: [Case] = [
        Case(keySpace: .iTunes, key: .code(0xA96E_616D), identifier: "itsk/%A9nam", text: "@nam"),
        Case(keySpace: .iTunes, key: .code(0x7869_6420), identifier: "itsk/xid%20", text: "xid "),
        Case(keySpace: .isoUserData, key: .code(1_953_068_140), identifier: "uiso/titl", text: "titl"),
        Case(keySpace: .id3, key: .text("TIT2"), identifier: "id3/TIT2", text: "TIT2"),
        Case(keySpace: .id3, key: .code(0x0054_5432), identifier: "id3/%00TT2", text: "TT2"),
        Case(
            keySpace: .vorbisComment, key: .text("ALBUM ARTIST"), identifier: "vorb/ALBUM%20ARTIST",
            text: "ALBUM ARTIST"),
        Case(
            keySpace: .quickTimeMetadata, key: .text("com.apple.quicktime.location.ISO6709"),
            identifier: "mdta/com.apple.quicktime.location.ISO6709", text: "com.apple.quicktime.location.ISO6709"),
    ]

    @Test(arguments: cases) func `Identifiers hold the key's bytes`(_ example: Case) {
        let identifier = AVMetadataIdentifier(example.key, keySpace: example.keySpace)
        #expect(identifier.rawValue == example.identifier)
        #expect(identifier.keySpace == example.keySpace)
        #expect(identifier.key == example.key)
        #expect(example.key.text == example.text)
    }

    @Test(arguments: ["", "itsk", "/x", "itsk/%A", "itsk/%zz", "itsk/abcde", "itsk/"])
    func `Malformed identifiers have no key`(_ text: String) {
        #expect(AVMetadataIdentifier(rawValue: text).key == nil)
    }

    @Test func `Language codes are converted between ISO 639 and BCP 47`() {
        #expect(LanguageCodes.tag(ofISO639: "ger") == "de")
        #expect(LanguageCodes.tag(ofISO639: "deu") == "de")
        #expect(LanguageCodes.tag(ofISO639: "und") == nil)
        #expect(LanguageCodes.tag(ofISO639: "gsw") == "gsw")
        #expect(LanguageCodes.iso639(of: "de-CH") == "deu")
        #expect(LanguageCodes.iso639(of: "de", isBibliographic: true) == "ger")
        #expect(LanguageCodes.iso639(of: nil) == "und")
    }
}
