import MediaCore
import Testing

@Suite struct `Codecs` {
    private static let traits: [(Codec.Traits, Set<Codec>)] = [
        (.reordersPictures, [.h264, .hevc, .mpeg1Video, .mpeg2Video]),
        (.isOrderedByAnchors, [.mpeg1Video, .mpeg2Video, .mpeg4]),
        (.hasNALUnits, [.h264, .hevc]),
        (.hasPictureInEachPacket, [.h264, .hevc, .mpeg1Video, .mpeg2Video, .mpeg4]),
        (.hasHiddenPictures, [.vp8, .vp9, .av1]),
        (.hasAlphaBeside, [.vp8, .vp9]),
        (.saysFields, [.h264, .mpeg2Video, .mpeg4, .vc1, .wmv3, .dv, .proRes]),
        (.codesFieldsApart, [.hevc]),
        (.isForCovers, [.motionJPEG, .png, .bmp, .gif]),
        (.hasBitRate, [.aac, .mp3, .opus, .vorbis, .ac3, .eac3]),
        (.isLossless, [.flac, .alac]),
        (.isText, [.timedText, .subRip, .webVTT, .ass, .plainText]),
        (.isUnreadable, [.dvdSubtitle, .dvbSubtitle, .pgs, .xsub, .teletext]),
        (.hasHeadersInBand, [.vorbis, .theora]),
        (.isTrimmedByContainer, [.opus, .vorbis]),
        (.fillsFrames, [.aac, .mp3, .ac3, .eac3, Codec(rawValue: "mp2")]),
    ]

    @Test func `Codecs have the traits of the table and no others`() {
        let codecs = Self.traits.reduce(into: Set<Codec>()) { $0.formUnion($1.1) }
        for codec in codecs {
            let expected = Self.traits.filter { $0.1.contains(codec) }.reduce(into: Codec.Traits()) { $0.insert($1.0) }
            #expect(codec.traits == expected, "\(codec)")
        }
        #expect(Codec.unknown.traits == [] && Codec(rawValue: "magicyuv").traits == [])
    }

    @Test func `Codecs are made of any name, and give it back`() {
        for name in ["h264", "magicyuv", "mp4v", "", "none"] { #expect("\(Codec(rawValue: name))" == name) }
        #expect(Codec(rawValue: "h264") == .h264)
    }

    @Test func `Codecs have names for people`() {
        #expect(Codec.h264.name == "H.264" && Codec.proRes.name == "ProRes" && Codec.timedText.name == "timed text")
        #expect(Codec(rawValue: "pcm_s16le").name == "PCM" && Codec(rawValue: "magicyuv").name == "MAGICYUV")
    }

    @Test func `Codecs are PCM by their name`() {
        for codec in [Codec.pcm16, .pcm24, .pcm32, .pcmFloat, .pcm16BigEndian, .pcm24BigEndian, .pcmOfDiscs] {
            #expect(codec.isPCM, "\(codec)")
        }
        #expect(!Codec.flac.isPCM && !Codec.aac.isPCM)
    }
}
