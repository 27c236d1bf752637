internal import MediaFile

/// What a frame's identifier says about its content.
enum ID3FrameKind: Hashable {
    /// Text, or several.
    case text
    /// A description, then text or several.
    case userText
    /// An address.
    case link
    /// A description, then an address.
    case userLink
    /// A language, a description, then text.
    case comment
    /// A language, then text.
    case termsOfUse
    case picture
    /// A chapter or a table of chapters.
    case chapter
    /// Anything else.
    case data

    init(_ identifier: String) {
        switch identifier {
        case "TXXX", "TXX": self = .userText
        case "WXXX", "WXX": self = .userLink
        case "COMM", "COM", "USLT", "ULT": self = .comment
        case "USER": self = .termsOfUse
        case "APIC", "PIC": self = .picture
        case "CHAP", "CTOC": self = .chapter
        case "IPLS", "IPL": self = .text
        case _ where identifier.hasPrefix("T"): self = .text
        case _ where identifier.hasPrefix("W"): self = .link
        default: self = .data
        }
    }

    /// Whether the content is text.
    var isText: Bool { self != .picture && self != .data && self != .chapter }

    /// Whether one frame may hold several values.
    var isList: Bool { self == .text || self == .userText || self == .comment }
}

/// The frames' names in the versions of ID3v2.
///
/// Source: ID3v2.2 section 4, ID3v2.3 section 4, and what iTunes added.
enum ID3FrameNames {
    private static let pairs = """
        BUF RBUF CNT PCNT COM COMM CRA AENC EQU EQUA ETC ETCO GEO GEOB GP1 GRP1 IPL IPLS LNK LINK MCI MCDI MLL MLLT
        MVI MVIN MVN MVNM PCS PCST PIC APIC POP POPM REV RVRB RVA RVAD SLT SYLT STC SYTC TAL TALB TBP TBPM TCM TCOM
        TCO TCON TCP TCMP TCR TCOP TCT TCAT TDA TDAT TDR TDRL TDS TDES TDY TDLY TEN TENC TFT TFLT TID TGID TIM TIME
        TKE TKEY TKW TKWD TLA TLAN TLE TLEN TMT TMED TOA TOPE TOF TOFN TOL TOLY TOR TORY TOT TOAL TP1 TPE1 TP2 TPE2
        TP3 TPE3 TP4 TPE4 TPA TPOS TPB TPUB TRC TSRC TRD TRDA TRK TRCK TS2 TSO2 TSA TSOA TSC TSOC TSI TSIZ TSP TSOP
        TSS TSSE TST TSOT TT1 TIT1 TT2 TIT2 TT3 TIT3 TXT TEXT TXX TXXX TYE TYER UFI UFID ULT USLT WAF WOAF WAR WOAR
        WAS WOAS WCM WCOM WCP WCOP WFD WFED WPB WPUB WXX WXXX
        """.split(whereSeparator: \.isWhitespace).map(String.init)

    private static let longNames: [String: String] = names(from: 0, to: 1)
    private static let shortNames: [String: String] = names(from: 1, to: 0)

    private static func names(from: Int, to: Int) -> [String: String] {
        stride(from: 0, to: pairs.count - 1, by: 2).reduce(into: [:]) { $0[pairs[$1 + from]] = pairs[$1 + to] }
    }

    /// The key of a frame: of version 2.2 as a number.
    static func key(of identifier: String) -> MetadataKey {
        guard identifier.utf8.count == 3 else { return .text(identifier) }
        return .code(identifier.utf8.reduce(0) { $0 << 8 | UInt32($1) })
    }

    /// The name of a key's frame in a version, `nil` if it has none there.
    static func identifier(of key: MetadataKey, in version: ID3Version) -> String? {
        let name = key.text
        guard name.utf8.allSatisfy(ID3FrameReader.isIdentifierByte) else { return nil }
        switch (name.utf8.count, version) {
        // Its content names a frame, so it is another one in each version.
        case (3, .v23), (3, .v24): return name == "LNK" ? nil : longNames[name]
        case (4, .v22): return name == "LINK" ? nil : shortNames[name]
        case (3, .v22), (4, .v23), (4, .v24): return name
        default: return nil
        }
    }

    /// What version 2.4 dropped.
    private static let names23: Set = ["TYER", "TDAT", "TIME", "TORY", "TRDA", "TSIZ", "IPLS", "EQUA", "RVAD"]

    /// What version 2.4 brought, without the sort orders that programs write into 2.3 as well.
    private static let names24: Set = [
        "ASPI", "EQU2", "RVA2", "SEEK", "SIGN", "TDEN", "TDOR", "TDRC", "TDRL", "TDTG", "TIPL", "TMCL", "TMOO", "TPRO",
        "TSST",
    ]

    /// Whether only version 2.4 has a key's frame.
    static func isOfVersion24(_ key: MetadataKey) -> Bool { names24.contains(key.text) }

    /// The key as versions 2.3 and 2.4 name it, for comparing keys of any version.
    ///
    /// A frame of version 2.2 that the later ones have not keeps its three letters.
    static func longName(of key: MetadataKey) -> String { longNames[key.text] ?? key.text }

    /// The key in a version of a frame of the later versions, `nil` if it has none.
    static func key(_ name: String, in version: ID3Version) -> MetadataKey? {
        switch version {
        case .v22: shortNames[name].map(key(of:))
        case .v23: names24.contains(name) ? nil : .text(name)
        case .v24: names23.contains(name) ? nil : .text(name)
        }
    }

    /// The version that entries are of, by their keys; 2.4 if these do not tell.
    static func version(of entries: some Sequence<MetadataEntry>) -> ID3Version {
        var version: ID3Version?
        for entry in entries where entry.keySpace == .id3 {
            if case .code = entry.key { return .v22 }
            if names24.contains(entry.key.text) { return .v24 }
            if names23.contains(entry.key.text) { version = .v23 }
        }
        return version ?? .v24
    }
}
