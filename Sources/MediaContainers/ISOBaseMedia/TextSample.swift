internal import MediaIO

/// One sample of a text track: a text, and boxes that say more about it.
package struct TextSample {
    /// More of a sample than this is not read: the longest text and some boxes.
    package static let maximumSize = 1 << 17

    /// The text.
    package var text: String
    /// An address that it leads to.
    package var link: String?
    /// Whether it is nothing but a text without a character.
    package private(set) var isGap = false
    /// Whether it claims more text than there is.
    package private(set) var isCut = false

    /// Makes a sample.
    package init(text: String, link: String?) { (self.text, self.link) = (text, link) }

    /// Reads a sample; `nil` if there is not even a length.
    package init?(_ bytes: [UInt8]) {
        guard let length = bytes.bigEndian16(at: 0).map(Int.init) else { return nil }
        let text = bytes.dropFirst(2).prefix(length)
        isCut = text.count < length
        isGap = length == 0 && bytes.count == 2
        var encoding: UInt32?
        var offset = 2 + text.count
        while let size = bytes.bigEndian32(at: offset).map(Int.init), size >= 8, size <= bytes.count - offset {
            let content = bytes[(offset + 8)..<(offset + size)]
            switch bytes.fourCC(at: offset + 4) {
            case "encd": encoding = content.bigEndian32(at: 0)
            case "href": link = link ?? Self.link(content)
            default: break
            }
            offset += size
        }
        self.text = Self.decode(text, encoding: encoding)
    }

    /// Where characters begin and end, then the address after a byte that counts it.
    private static func link(_ content: ArraySlice<UInt8>) -> String? {
        guard content.count > 5 else { return nil }
        let address = content.dropFirst(5).prefix(Int(content[content.startIndex + 4]))
        return address.isEmpty ? nil : TextCoding.utf8OrLatin1(address)
    }

    /// Text by its byte order mark, by the encoding's number, or by what it can be.
    ///
    /// Mac OS's number for Unicode stands for UTF-8 in nearly all files, for UTF-16 in some.
    private static func decode(_ bytes: ArraySlice<UInt8>, encoding: UInt32?) -> String {
        let mark = bytes.bigEndian16(at: 0)
        if mark == 0xFEFF || mark == 0xFFFE { return TextCoding.utf16(bytes, isBigEndian: true) }
        if encoding.map({ $0 & 0xFFFF }) == 0x100, bytes.contains(0), bytes.count % 2 == 0 {
            return TextCoding.utf16(bytes, isBigEndian: true)
        }
        return String(validating: bytes, as: UTF8.self) ?? macRoman(bytes)
    }

    /// Text of QuickTime's own encoding.
    private static func macRoman(_ bytes: ArraySlice<UInt8>) -> String {
        String(
            String.UnicodeScalarView(
                bytes.map { $0 < 0x80 ? UnicodeScalar($0) : macRomanCharacters[Int($0) - 0x80] }))
    }

    /// The characters from 0x80 on.
    private static let macRomanCharacters = Array(
        ("\u{C4}\u{C5}\u{C7}\u{C9}\u{D1}\u{D6}\u{DC}\u{E1}\u{E0}\u{E2}\u{E4}\u{E3}\u{E5}\u{E7}\u{E9}\u{E8}"
            + "\u{EA}\u{EB}\u{ED}\u{EC}\u{EE}\u{EF}\u{F1}\u{F3}\u{F2}\u{F4}\u{F6}\u{F5}\u{FA}\u{F9}\u{FB}\u{FC}"
            + "\u{2020}\u{B0}\u{A2}\u{A3}\u{A7}\u{2022}\u{B6}\u{DF}\u{AE}\u{A9}\u{2122}\u{B4}\u{A8}\u{2260}"
            + "\u{C6}\u{D8}\u{221E}\u{B1}\u{2264}\u{2265}\u{A5}\u{B5}\u{2202}\u{2211}\u{220F}\u{3C0}\u{222B}"
            + "\u{AA}\u{BA}\u{3A9}\u{E6}\u{F8}\u{BF}\u{A1}\u{AC}\u{221A}\u{192}\u{2248}\u{2206}\u{AB}\u{BB}"
            + "\u{2026}\u{A0}\u{C0}\u{C3}\u{D5}\u{152}\u{153}\u{2013}\u{2014}\u{201C}\u{201D}\u{2018}\u{2019}"
            + "\u{F7}\u{25CA}\u{FF}\u{178}\u{2044}\u{20AC}\u{2039}\u{203A}\u{FB01}\u{FB02}\u{2021}\u{B7}"
            + "\u{201A}\u{201E}\u{2030}\u{C2}\u{CA}\u{C1}\u{CB}\u{C8}\u{CD}\u{CE}\u{CF}\u{CC}\u{D3}\u{D4}"
            + "\u{F8FF}\u{D2}\u{DA}\u{DB}\u{D9}\u{131}\u{2C6}\u{2DC}\u{AF}\u{2D8}\u{2D9}\u{2DA}\u{B8}\u{2DD}"
            + "\u{2DB}\u{2C7}").unicodeScalars)

    // MARK: Writing

    /// The sample of a gap between chapters.
    package static let gap: [UInt8] = [0, 0]
    /// The longest text that a sample can count.
    package static let maximumTextSize = 65_535

    /// The sample's bytes: text, its encoding, its address.
    ///
    /// - Returns: `isTextCut` if not all text fits; `isLinkLost` if the address is longer than a byte can count.
    package var bytes: (bytes: [UInt8], isTextCut: Bool, isLinkLost: Bool) {
        let utf8 = text.utf8Prefix(Self.maximumTextSize)
        var bytes: [UInt8] = []
        bytes.append(bigEndian: UInt16(utf8.count))
        bytes += utf8
        bytes += .box("encd", [0, 0, 1, 0])
        let address = Array((link ?? "").utf8)
        if !address.isEmpty, address.count <= 255 {
            var content: [UInt8] = [0, 0]
            content.append(bigEndian: UInt16(min(text.unicodeScalars.count, 0xFFFF)))
            bytes += .box("href", content + [UInt8(address.count)] + address + [0])
        }
        return (bytes, utf8.count < text.utf8.count, address.count > 255)
    }
}

extension TextSample {
    /// A sample of a QuickTime text track as 3GPP timed text has it.
    ///
    /// Both begin with a count and the text. QuickTime's text may be of the Roman encoding, and what follows it is of
    /// another form, but for addresses.
    ///
    /// - Returns: `nil` if the sample has not even a count; `isPlain` tells whether nothing but text was there.
    static func timedText(ofQuickTime bytes: [UInt8]) -> (bytes: [UInt8], isPlain: Bool)? {
        guard !bytes.isEmpty else { return ([], true) }
        guard let sample = TextSample(bytes) else { return nil }
        // QuickTime ends lines as the Macintosh did.
        let text = sample.text.split(separator: "\r\n", omittingEmptySubsequences: false).joined(separator: "\n")
            .split(separator: "\r", omittingEmptySubsequences: false).joined(separator: "\n")
        let utf8 = text.utf8Prefix(maximumTextSize)
        var result: [UInt8] = []
        result.append(bigEndian: UInt16(utf8.count))
        result += utf8
        let length = 2 + Int(bytes.bigEndian16(at: 0) ?? 0)
        return (result, bytes.count <= length || isEncodingAlone(bytes.dropFirst(length)))
    }

    /// Whether what follows a text tells its encoding and nothing else.
    private static func isEncodingAlone(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.count == 12 && bytes.fourCC(at: 4) == "encd"
    }
}
