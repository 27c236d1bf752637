extension Codec {
    /// Apple's code of the codec, four bytes with the first one highest; `nil` where it has none that does not depend
    /// on the container.
    ///
    /// Those of sound are Core Audio's format identifiers, those of pictures Core Media's codec types. Codings that
    /// only Windows' files have are `ms` and the number of the wave format, as Core Audio has it for IMA and GSM.
    ///
    /// - Parameter profile: FFmpeg's name of the profile; some profiles have codes of their own.
    package func fourCharacterCode(profile: String? = nil) -> UInt32? {
        let ofProfile = profile.flatMap { Self.codesOfProfiles[self]?[$0] }
        if let code = ofProfile ?? Self.codes[self] { return Self.number(code) }
        return isPCM ? Self.number("lpcm") : nil
    }

    /// A code for a codec that has none: the first four letters of its name, filled up with spaces.
    package var makeshiftFourCharacterCode: UInt32 {
        let letters = rawValue.utf8.filter { (0x20..<0x7F).contains($0) }
        return Self.number(letters.isEmpty ? Self.unknown.rawValue : String(decoding: letters, as: UTF8.self))
    }

    private static func number(_ code: String) -> UInt32 {
        let bytes = Array(code.utf8.prefix(4))
        return (0..<4).reduce(0) { $0 << 8 | UInt32($1 < bytes.count ? bytes[$1] : UInt8(ascii: " ")) }
    }

    private static let codesOfProfiles: [Codec: [String: String]] = [
        .aac: aacProfiles, .aacLATM: aacProfiles,
        .proRes: [
            "Proxy": "apco", "LT": "apcs", "Standard": "apcn", "HQ": "apch", "4444": "ap4h", "XQ": "ap4x",
        ],
    ]
    private static let aacProfiles = ["HE-AAC": "aach", "HE-AACv2": "aacp", "LD": "aacl", "ELD": "aace"]

    private static let codes = sound.merging(others) { own, _ in own }

    private static let sound: [Codec: String] = [
        .aac: "aac ", .aacLATM: "aac ", .mp2: ".mp2", .mp3: ".mp3", .ac3: "ac-3", .eac3: "ec-3", .dts: "dtsc",
        .trueHD: "mlpa", .opus: "opus", .vorbis: "vorb", .speex: "spxn", .flac: "flac", .alac: "alac",
        .wavPack: "wvpk", .tta: "TTA1", Codec(rawValue: "mp1"): ".mp1", Codec(rawValue: "mp3adu"): ".mp3",
        Codec(rawValue: "mp3on4"): ".mp3", Codec(rawValue: "mlp"): "mlpa", Codec(rawValue: "ac4"): "ac-4",
        Codec(rawValue: "amr_nb"): "samr", Codec(rawValue: "amr_wb"): "sawb", Codec(rawValue: "ilbc"): "ilbc",
        Codec(rawValue: "qcelp"): "Qclp", Codec(rawValue: "qdmc"): "QDMC", Codec(rawValue: "qdm2"): "QDM2",
        Codec(rawValue: "mace3"): "MAC3", Codec(rawValue: "mace6"): "MAC6", Codec(rawValue: "gsm"): "agsm",
        Codec(rawValue: "pcm_mulaw"): "ulaw", Codec(rawValue: "pcm_alaw"): "alaw", Codec(rawValue: "s302m"): "aes3",
        Codec(rawValue: "adpcm_ima_qt"): "ima4", Codec(rawValue: "nellymoser"): "nmos",
        Codec(rawValue: "adpcm_ms"): "ms\u{0}\u{2}", Codec(rawValue: "adpcm_ima_wav"): "ms\u{0}\u{11}",
        Codec(rawValue: "gsm_ms"): "ms\u{0}\u{31}", Codec(rawValue: "wmav1"): "ms\u{1}\u{60}",
        Codec(rawValue: "wmav2"): "ms\u{1}\u{61}", Codec(rawValue: "wmapro"): "ms\u{1}\u{62}",
        Codec(rawValue: "wmalossless"): "ms\u{1}\u{63}",
    ]

    private static let others: [Codec: String] = [
        .h264: "avc1", .hevc: "hvc1", .av1: "av01", .vp8: "vp08", .vp9: "vp09", .mpeg1Video: "mp1v",
        .mpeg2Video: "mp2v", .mpeg4: "mp4v", .vc1: "vc-1", .dirac: "drac", .dnxhd: "AVdn", .ffv1: "FFV1",
        .motionJPEG: "jpeg", .png: "png ", .gif: "gif ", Codec(rawValue: "vvc"): "vvc1",
        Codec(rawValue: "h263"): "h263", Codec(rawValue: "tiff"): "tiff", Codec(rawValue: "cinepak"): "cvid",
        Codec(rawValue: "svq1"): "SVQ1", Codec(rawValue: "svq3"): "SVQ3", Codec(rawValue: "qtrle"): "rle ",
        Codec(rawValue: "cfhd"): "CFHD", Codec(rawValue: "jpeg2000"): "mjp2",
        .timedText: "tx3g", .webVTT: "wvtt", Codec(rawValue: "eia_608"): "c608", Codec(rawValue: "ttml"): "stpp",
    ]
}
