import CFFmpeg
import MediaCore
import Testing

/// The expected codes are those of Core Audio's `kAudioFormat…` and Core Media's `kCMVideoCodecType_…` constants.
@Suite struct `Codes of codecs` {
    private static func code(_ text: String) -> UInt32 { text.utf8.reduce(0) { $0 << 8 | UInt32($1) } }

    private static let sound: [(String, String)] = [
        ("aac", "aac "), ("mp1", ".mp1"), ("mp2", ".mp2"), ("mp3", ".mp3"), ("alac", "alac"), ("ac3", "ac-3"),
        ("eac3", "ec-3"), ("flac", "flac"), ("opus", "opus"), ("vorbis", "vorb"), ("amr_nb", "samr"),
        ("amr_wb", "sawb"), ("ilbc", "ilbc"), ("qcelp", "Qclp"), ("qdmc", "QDMC"), ("qdm2", "QDM2"),
        ("mace3", "MAC3"), ("mace6", "MAC6"), ("pcm_mulaw", "ulaw"), ("pcm_alaw", "alaw"), ("adpcm_ima_qt", "ima4"),
        ("s302m", "aes3"), ("pcm_s16le", "lpcm"), ("pcm_s16be", "lpcm"), ("pcm_u8", "lpcm"), ("pcm_f64be", "lpcm"),
        ("pcm_s24le", "lpcm"), ("pcm_dvd", "lpcm"),
    ]
    private static let pictures: [(String, String)] = [
        ("h264", "avc1"), ("hevc", "hvc1"), ("av1", "av01"), ("vp9", "vp09"), ("mpeg1video", "mp1v"),
        ("mpeg2video", "mp2v"), ("mpeg4", "mp4v"), ("h263", "h263"), ("mjpeg", "jpeg"), ("cinepak", "cvid"),
        ("svq1", "SVQ1"), ("svq3", "SVQ3"), ("qtrle", "rle "), ("mov_text", "tx3g"), ("webvtt", "wvtt"),
        ("eia_608", "c608"),
    ]

    @Test func `Four-character codes of codecs are Apple's`() {
        for (name, expected) in Self.sound + Self.pictures {
            #expect(Codec(rawValue: name).fourCharacterCode() == Self.code(expected), "\(name)")
        }
        // kAudioFormatDVIIntelIMA and kAudioFormatMicrosoftGSM
        #expect(Codec(rawValue: "adpcm_ima_wav").fourCharacterCode() == 0x6D73_0011)
        #expect(Codec(rawValue: "gsm_ms").fourCharacterCode() == 0x6D73_0031)
        #expect(Codec(rawValue: "wmav2").fourCharacterCode() == 0x6D73_0161)
    }

    @Test func `Four-character codes of profiles are their own`() {
        let aac = [("LC", "aac "), ("HE-AAC", "aach"), ("HE-AACv2", "aacp"), ("LD", "aacl"), ("ELD", "aace")]
        for (profile, expected) in aac {
            #expect(Codec.aac.fourCharacterCode(profile: profile) == Self.code(expected), "\(profile)")
        }
        let proRes = [
            ("Proxy", "apco"), ("LT", "apcs"), ("Standard", "apcn"), ("HQ", "apch"), ("4444", "ap4h"), ("XQ", "ap4x"),
        ]
        for (profile, expected) in proRes {
            #expect(Codec.proRes.fourCharacterCode(profile: profile) == Self.code(expected), "\(profile)")
        }
    }

    @Test func `Four-character codes exist for all codecs that FFmpeg knows`() {
        var descriptor = avcodec_descriptor_next(nil)
        var count = 0
        while let known = descriptor {
            let codec = Codec(rawValue: String(cString: known.pointee.name))
            let code = codec.fourCharacterCode() ?? codec.makeshiftFourCharacterCode
            let bytes = withUnsafeBytes(of: code.bigEndian) { Array($0) }
            let isOfWindows = bytes.starts(with: Array("ms".utf8)) && code & 0xFFFF != 0
            #expect(isOfWindows || bytes.allSatisfy { (0x20..<0x7F).contains($0) }, "\(codec) \(bytes)")
            #expect(!codec.isPCM || [UInt32]([0x6C70_636D, 0x756C_6177, 0x616C_6177]).contains(code), "\(codec)")
            count += 1
            descriptor = avcodec_descriptor_next(known)
        }
        #expect(count > 400)
        #expect(Codec(rawValue: "").makeshiftFourCharacterCode == Self.code("none"))
        #expect(Codec(rawValue: "ape").makeshiftFourCharacterCode == Self.code("ape "))
    }
}
