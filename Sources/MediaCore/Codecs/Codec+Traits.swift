/// What the library has to know of codecs.
extension Codec {
    /// What is true of some codecs.
    package struct Traits: OptionSet, Sendable {
        package let rawValue: UInt32

        package init(rawValue: UInt32) { self.rawValue = rawValue }

        /// Pictures are predicted from later ones, which containers may tell nothing of.
        package static let reordersPictures = Traits(rawValue: 1 << 0)
        /// The order of pictures follows from which of them others are predicted from.
        package static let isOrderedByAnchors = Traits(rawValue: 1 << 1)
        /// Samples are NAL units, whose order counts tell when pictures are shown.
        package static let hasNALUnits = Traits(rawValue: 1 << 2)
        /// Each packet that is no field gives one picture.
        package static let hasPictureInEachPacket = Traits(rawValue: 1 << 3)
        /// Some pictures are never shown.
        package static let hasHiddenPictures = Traits(rawValue: 1 << 4)
        /// Alpha lies beside the samples.
        package static let hasAlphaBeside = Traits(rawValue: 1 << 5)
        /// Frames say by themselves whether they are interlaced.
        package static let saysFields = Traits(rawValue: 1 << 6)
        /// Each of two fields is a picture of its own.
        package static let codesFieldsApart = Traits(rawValue: 1 << 7)
        /// Covers may be coded so.
        package static let isForCovers = Traits(rawValue: 1 << 8)
        /// Encoders can be asked for a number of bits a second.
        package static let hasBitRate = Traits(rawValue: 1 << 9)
        /// Samples of sound are kept as they are.
        package static let isLossless = Traits(rawValue: 1 << 10)
        /// Subtitles are text, which converts into that of other kinds.
        package static let isText = Traits(rawValue: 1 << 11)
        /// Subtitles are pictures, or pages of codes: no words in them can be looked through.
        package static let isUnreadable = Traits(rawValue: 1 << 12)
        /// Sound depends on all that came before it: what is decoded from a later packet on never becomes the same, by the
        /// decoder's noise and filters, or begins later than its time.
        package static let isDecodedFromStart = Traits(rawValue: 1 << 13)
    }

    /// The table of traits.
    private static let table: [Codec: Traits] = [
        .h264: [.reordersPictures, .hasNALUnits, .hasPictureInEachPacket, .saysFields],
        .hevc: [.reordersPictures, .hasNALUnits, .hasPictureInEachPacket, .codesFieldsApart],
        .av1: [.hasHiddenPictures],
        .vp8: [.hasHiddenPictures, .hasAlphaBeside],
        .vp9: [.hasHiddenPictures, .hasAlphaBeside],
        .mpeg1Video: [.reordersPictures, .isOrderedByAnchors, .hasPictureInEachPacket],
        .mpeg2Video: [.reordersPictures, .isOrderedByAnchors, .hasPictureInEachPacket, .saysFields],
        .mpeg4: [.isOrderedByAnchors, .hasPictureInEachPacket, .saysFields],
        .vc1: [.saysFields], .wmv3: [.saysFields], .dv: [.saysFields], .proRes: [.saysFields],
        .motionJPEG: [.isForCovers], .png: [.isForCovers], .bmp: [.isForCovers], .gif: [.isForCovers],
        .aac: [.hasBitRate], .mp3: [.hasBitRate], .opus: [.hasBitRate], .vorbis: [.hasBitRate], .ac3: [.hasBitRate],
        .eac3: [.hasBitRate],
        .flac: [.isLossless], .alac: [.isLossless],
        .timedText: [.isText], .subRip: [.isText], .webVTT: [.isText], .ass: [.isText], .plainText: [.isText],
        Codec(rawValue: "srt"): [.isText], Codec(rawValue: "ssa"): [.isText],
        .dvdSubtitle: [.isUnreadable], .dvbSubtitle: [.isUnreadable], .pgs: [.isUnreadable], .xsub: [.isUnreadable],
        .teletext: [.isUnreadable],
        .speex: [.isDecodedFromStart], Codec(rawValue: "amr_nb"): [.isDecodedFromStart],
        Codec(rawValue: "amr_wb"): [.isDecodedFromStart], Codec(rawValue: "wmav1"): [.isDecodedFromStart],
        Codec(rawValue: "wmav2"): [.isDecodedFromStart], Codec(rawValue: "wmapro"): [.isDecodedFromStart],
        Codec(rawValue: "qdm2"): [.isDecodedFromStart], Codec(rawValue: "gsm"): [.isDecodedFromStart],
        Codec(rawValue: "gsm_ms"): [.isDecodedFromStart], Codec(rawValue: "qcelp"): [.isDecodedFromStart],
        Codec(rawValue: "mace3"): [.isDecodedFromStart], Codec(rawValue: "mace6"): [.isDecodedFromStart],
        Codec(rawValue: "cook"): [.isDecodedFromStart], Codec(rawValue: "nellymoser"): [.isDecodedFromStart],
        Codec(rawValue: "adpcm_ima_qt"): [.isDecodedFromStart],
    ]

    /// The codec's traits, none for one that the table does not have.
    package var traits: Traits { Self.table[self] ?? [] }

    /// Whether it has all of some traits.
    package func has(_ traits: Traits) -> Bool { self.traits.isSuperset(of: traits) }

    /// Whether sound is plain samples.
    package var isPCM: Bool { rawValue.hasPrefix("pcm_") }

    /// MPEG-1 and MPEG-2, whose pictures have the same headers.
    package var isMPEGVideo: Bool { self == .mpeg1Video || self == .mpeg2Video }
}
