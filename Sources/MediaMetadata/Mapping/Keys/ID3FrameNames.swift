internal import MediaIO

/// A version of ID3v2, which decides how frames are named, headed and measured.
package enum ID3Version: UInt8, Comparable, Sendable {
    case v22 = 2
    case v23
    case v24

    package static func < (left: ID3Version, right: ID3Version) -> Bool { left.rawValue < right.rawValue }
}

/// The frames' names in the versions of ID3v2.
///
/// Source: ID3v2.2 section 4, ID3v2.3 section 4, and what iTunes added.
package enum ID3FrameNames {
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
    package static func key(of identifier: String) -> MetadataKey {
        guard identifier.utf8.count == 3 else { return .text(identifier) }
        return .code(identifier.utf8.reduce(0) { $0 << 8 | UInt32($1) })
    }

    /// The name of a key's frame in a version, `nil` if it has none there.
    package static func identifier(of key: MetadataKey, in version: ID3Version) -> String? {
        let name = key.text
        guard name.utf8.allSatisfy(isIdentifierByte) else { return nil }
        switch (name.utf8.count, version) {
        // Its content names a frame, so it is another one in each version.
        case (3, .v23), (3, .v24): return name == "LNK" ? nil : longNames[name]
        case (4, .v22): return name == "LINK" ? nil : shortNames[name]
        case (3, .v22), (4, .v23), (4, .v24): return name
        default: return nil
        }
    }

    /// Whether a byte may stand in a frame's name.
    package static func isIdentifierByte(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    /// What version 2.4 dropped.
    private static let names23: Set = ["TYER", "TDAT", "TIME", "TORY", "TRDA", "TSIZ", "IPLS", "EQUA", "RVAD"]

    /// What version 2.4 brought, without the sort orders that programs write into 2.3 as well.
    private static let names24: Set = [
        "ASPI", "EQU2", "RVA2", "SEEK", "SIGN", "TDEN", "TDOR", "TDRC", "TDRL", "TDTG", "TIPL", "TMCL", "TMOO", "TPRO",
        "TSST",
    ]

    /// Whether only version 2.4 has a key's frame.
    package static func isOfVersion24(_ key: MetadataKey) -> Bool { names24.contains(key.text) }

    /// The key as versions 2.3 and 2.4 name it, for comparing keys of any version.
    ///
    /// A frame of version 2.2 that the later ones have not keeps its three letters.
    package static func longName(of key: MetadataKey) -> String { longNames[key.text] ?? key.text }

    /// The key in a version of a frame of the later versions, `nil` if it has none.
    package static func key(_ name: String, in version: ID3Version) -> MetadataKey? {
        switch version {
        case .v22: shortNames[name].map(key(of:))
        case .v23: names24.contains(name) ? nil : .text(name)
        case .v24: names23.contains(name) ? nil : .text(name)
        }
    }

    /// The version that entries are of, by their keys; 2.4 if these do not tell.
    package static func version(of entries: some Sequence<MetadataEntry>) -> ID3Version {
        var version: ID3Version?
        for entry in entries where entry.keySpace == .id3 {
            if case .code = entry.key { return .v22 }
            if names24.contains(entry.key.text) { return .v24 }
            if names23.contains(entry.key.text) { version = .v23 }
        }
        return version ?? .v24
    }
}
