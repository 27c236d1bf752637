/// Between the language codes of files, three letters each, and BCP 47 tags.
///
/// Source: ISO 639-1 and 639-2; BCP 47, which wants the shortest code.
package enum LanguageCodes {
    /// Two letters, three letters, and the older three (bibliographic) where they differ.
    private static let table = """
        aa aar, ab abk, ae ave, af afr, ak aka, am amh, an arg, ar ara, as asm, av ava, ay aym, az aze, ba bak,
        be bel, bg bul, bh bih, bi bis, bm bam, bn ben, bo bod tib, br bre, bs bos, ca cat, ce che, ch cha,
        co cos, cr cre, cs ces cze, cu chu, cv chv, cy cym wel, da dan, de deu ger, dv div, dz dzo, ee ewe,
        el ell gre, en eng, eo epo, es spa, et est, eu eus baq, fa fas per, ff ful, fi fin, fj fij, fo fao,
        fr fra fre, fy fry, ga gle, gd gla, gl glg, gn grn, gu guj, gv glv, ha hau, he heb, hi hin, ho hmo,
        hr hrv, ht hat, hu hun, hy hye arm, hz her, ia ina, id ind, ie ile, ig ibo, ii iii, ik ipk, io ido,
        is isl ice, it ita, iu iku, ja jpn, jv jav, ka kat geo, kg kon, ki kik, kj kua, kk kaz, kl kal, km khm,
        kn kan, ko kor, kr kau, ks kas, ku kur, kv kom, kw cor, ky kir, la lat, lb ltz, lg lug, li lim, ln lin,
        lo lao, lt lit, lu lub, lv lav, mg mlg, mh mah, mi mri mao, mk mkd mac, ml mal, mn mon, mr mar,
        ms msa may, mt mlt, my mya bur, na nau, nb nob, nd nde, ne nep, ng ndo, nl nld dut, nn nno, no nor,
        nr nbl, nv nav, ny nya, oc oci, oj oji, om orm, or ori, os oss, pa pan, pi pli, pl pol, ps pus, pt por,
        qu que, rm roh, rn run, ro ron rum, ru rus, rw kin, sa san, sc srd, sd snd, se sme, sg sag, si sin,
        sk slk slo, sl slv, sm smo, sn sna, so som, sq sqi alb, sr srp, ss ssw, st sot, su sun, sv swe, sw swa,
        ta tam, te tel, tg tgk, th tha, ti tir, tk tuk, tl tgl, tn tsn, to ton, tr tur, ts tso, tt tat, tw twi,
        ty tah, ug uig, uk ukr, ur urd, uz uzb, ve ven, vi vie, vo vol, wa wln, wo wol, xh xho, yi yid, yo yor,
        za zha, zh zho chi, zu zul
        """

    private struct Maps {
        var tags: [String: String] = [:]
        var terminology: [String: String] = [:]
        var bibliographic: [String: String] = [:]
    }

    private static let maps: Maps = {
        var maps = Maps()
        for row in table.split(whereSeparator: { $0 == "," || $0.isNewline }) {
            let codes = row.split(separator: " ").map(String.init)
            guard codes.count >= 2 else { continue }
            for code in codes.dropFirst() { maps.tags[code] = codes[0] }
            maps.terminology[codes[0]] = codes[1]
            maps.bibliographic[codes[0]] = codes.last
        }
        return maps
    }()

    /// The BCP 47 tag of a code of three letters.
    ///
    /// - Returns: `nil` for no language (`und`, `XXX`, zero bytes); codes that
    ///   are not known stand for themselves.
    package static func tag(ofISO639 code: String) -> String? {
        let code = code.lowercased()
        let isCode =
            code.utf8.count == 3 && code.utf8.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
        guard isCode, code != "und", code != "xxx" else { return nil }
        return maps.tags[code] ?? code
    }

    /// The language alone of a tag or a code, by its shortest code.
    package static func primary(_ tag: String) -> String {
        let first = tag.split(whereSeparator: { $0 == "-" || $0 == "_" }).first?.lowercased() ?? tag
        return self.tag(ofISO639: first) ?? first
    }

    /// The three letters for a BCP 47 tag, `und` for no language and for tags
    /// that have none.
    ///
    /// - Parameter isBibliographic: Whether the older code is wanted where there
    ///   are two: `ger` instead of `deu`.
    package static func iso639(of tag: String?, isBibliographic: Bool = false) -> String {
        guard let language = tag?.split(whereSeparator: { $0 == "-" || $0 == "_" }).first?.lowercased() else {
            return "und"
        }
        if language.utf8.count == 3 { return language }
        return (isBibliographic ? maps.bibliographic : maps.terminology)[language] ?? "und"
    }
}

/// Names for values that iTunes writes as numbers.
struct CodedNames: Sendable {
    private let names: [(number: Int, name: String)]

    /// What kind of thing a file is, iTunes' `stik`.
    static let mediaTypes = CodedNames(names: [
        (0, "home-video"), (1, "music"), (2, "audiobook"), (5, "bookmark"), (6, "music-video"), (9, "movie"),
        (10, "tv-show"), (11, "booklet"), (14, "ringtone"), (21, "podcast"), (23, "itunes-u"),
    ])
    /// Whether content is explicit, iTunes' `rtng`.
    static let advisories = CodedNames(names: [(0, "none"), (1, "explicit"), (2, "clean")])

    /// The names in the order of their numbers.
    var all: [String] { names.map(\.name) }

    /// The name of a number; numbers without one stand for themselves.
    func name(of number: Int) -> String { names.first { $0.number == number }?.name ?? String(number) }

    /// The number of a name or of a number's digits, `nil` if it is none.
    ///
    /// Case, spaces, hyphens and underscores do not count: `TV Show` is `tv-show`.
    func number(of text: String) -> Int? {
        let wanted = MetadataFieldTable.canonical(text)
        return names.first { MetadataFieldTable.canonical($0.name) == wanted }?.number
            ?? Int(text).flatMap { (0...255).contains($0) ? $0 : nil }
    }
}
