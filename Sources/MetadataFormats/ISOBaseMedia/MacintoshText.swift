internal import MediaIO
internal import MediaMetadata

/// Text and languages as QuickTime stored them before Unicode.
///
/// Source: QuickTime File Format, "Language Code Values"; Inside Macintosh: Text.
enum MacintoshText {
    /// Languages in the order of their numbers.
    private static let languages = """
        en fr de it nl sv es da pt no he ja ar fi el is mt tr hr zh-Hant ur hi th ko lt pl hu et lv se fo fa ru zh-Hans \
        nl-BE ga sq ro cs sk sl yi sr mk bg uk be uz kk az az-Arab hy ka ro-MD ky tg tk mn mn-Cyrl ps ku ks sd bo ne sa \
        mr bn as gu pa or ml kn ta te si my km lo vi id tl ms ms-Arab am ti om so sw rw rn ny mg eo
        """.split(separator: " ").map(String.init)
    /// Languages from number 128 on.
    private static let moreLanguages = "cy eu ca la qu gn ay tt ug dz jv".split(separator: " ").map(String.init)

    /// The BCP 47 tag of a language's number.
    ///
    /// 0 is English, but also what writers leave in place that know of no
    /// language, so it names none.
    static func languageTag(_ number: UInt16) -> String? {
        let number = Int(number)
        if (1..<languages.count).contains(number) { return languages[number] }
        return moreLanguages.indices.contains(number - 128) ? moreLanguages[number - 128] : nil
    }

    /// The number of a language, `nil` if it has none.
    ///
    /// Regions have no numbers; of Chinese the script matters, which the region tells where the tag does not.
    static func number(ofLanguage tag: String) -> UInt16? {
        let parts = tag.lowercased().split(whereSeparator: { $0 == "-" || $0 == "_" }).map(String.init)
        guard let language = parts.first else { return nil }
        var wanted = [tag.lowercased(), language]
        switch language {
        case "zh":
            let isTraditional = parts.contains { ["hant", "tw", "hk", "mo"].contains($0) }
            wanted = [isTraditional ? "zh-hant" : "zh-hans"]
        case "nb", "nn": wanted = ["no"]
        default: break
        }
        for name in wanted {
            if let index = languages.firstIndex(where: { $0.lowercased() == name }) { return UInt16(index) }
            if let index = moreLanguages.firstIndex(of: name) { return UInt16(128 + index) }
        }
        return nil
    }

    /// The characters of the bytes from 128 on.
    private static let upperHalf = Array(
        ("ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø¿¡¬√ƒ≈∆«»…\u{A0}ÀÃÕŒœ–—“”‘’÷◊ÿŸ⁄€‹›ﬁﬂ"
            + "‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔ\u{F8FF}ÒÚÛÙıˆ˜¯˘˙˚¸˝˛ˇ").unicodeScalars)

    /// Text in the Roman encoding.
    ///
    /// Many writers put UTF-8 where this belongs; what is that is hardly ever Roman by chance.
    static func romanOrUTF8(_ bytes: some RandomAccessCollection<UInt8>) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        var scalars = String.UnicodeScalarView()
        for byte in bytes { scalars.append(byte < 128 ? UnicodeScalar(byte) : upperHalf[Int(byte) - 128]) }
        return String(scalars)
    }
}
