internal import MediaContainers
internal import MediaIO
internal import MediaMetadata

extension ISOChapters {
    /// The language of a track: its BCP 47 tag if it has one, else the code in its header.
    ///
    /// - Parameter media: The boxes in its `mdia` box.
    static func languageTag(ofMedia media: [Box], reader: BoxReader) -> String? {
        guard let header = MediaHeader(in: media, reader) else { return nil }
        if let box = media.first(where: { $0.type == "elng" }) {
            let text = reader.bytes(of: box, limit: 256).dropFirst(4).prefix { $0 != 0 }
            if !text.isEmpty, let tag = String(validating: text, as: UTF8.self) { return tag == "und" ? nil : tag }
        }
        guard let code = header.languageCode else { return nil }
        if code < 0x400 { return MacintoshText.languageTag(code) }
        let letters = [10, 5, 0].map { UInt8(code >> $0 & 31) + 0x60 }
        return LanguageCodes.tag(ofISO639: String(latin1: letters))
    }

    /// The language of a chapter track's titles.
    ///
    /// Players offer titles by their languages, and QuickTime's take the code 0 for English, which FFmpeg and others
    /// write in every chapter track; elsewhere it is what is left in place by writers that know of no language.
    static func languageTag(ofTitlesIn media: [Box], reader: BoxReader) -> String? {
        let isEnglish = MediaHeader(in: media, reader)?.languageCode == 0 && !media.contains { $0.type == "elng" }
        return isEnglish ? "en" : languageTag(ofMedia: media, reader: reader)
    }

    /// A header's code for a language, and the tag that it cannot say.
    static func languageCode(of tag: String?) -> (code: UInt16, extended: String?) {
        let letters = Array(LanguageCodes.iso639(of: tag).utf8)
        let isCode = letters.count == 3 && letters.allSatisfy { (0x61...0x7A).contains($0) }
        let packed = isCode ? letters.reduce(0) { $0 << 5 | UInt16($1 - 0x60) } : 0x55C4
        guard let tag, !tag.isEmpty else { return (packed, nil) }
        let isWhole = isCode && LanguageCodes.tag(ofISO639: String(latin1: letters)) == tag
        return (packed, isWhole ? nil : tag)
    }
}
