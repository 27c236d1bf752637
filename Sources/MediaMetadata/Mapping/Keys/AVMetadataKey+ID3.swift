internal import MediaIO

/// Keys: ID3 frames.
extension AVMetadataKey {
    /// The album's title as it is sorted.
    public static let id3MetadataKeyAlbumSortOrder = AVMetadataKey(rawValue: "TSOA")
    /// The album's title.
    public static let id3MetadataKeyAlbumTitle = AVMetadataKey(rawValue: "TALB")
    /// A picture.
    public static let id3MetadataKeyAttachedPicture = AVMetadataKey(rawValue: "APIC")
    /// How audio is encrypted.
    public static let id3MetadataKeyAudioEncryption = AVMetadataKey(rawValue: "AENC")
    /// Where to seek to.
    public static let id3MetadataKeyAudioSeekPointIndex = AVMetadataKey(rawValue: "ASPI")
    /// The band; the artist of the whole album.
    public static let id3MetadataKeyBand = AVMetadataKey(rawValue: "TPE2")
    /// Beats per minute.
    public static let id3MetadataKeyBeatsPerMinute = AVMetadataKey(rawValue: "TBPM")
    /// A comment.
    public static let id3MetadataKeyComments = AVMetadataKey(rawValue: "COMM")
    /// An offer.
    public static let id3MetadataKeyCommercial = AVMetadataKey(rawValue: "COMR")
    /// The address of an offer.
    public static let id3MetadataKeyCommercialInformation = AVMetadataKey(rawValue: "WCOM")
    /// The spelling that AVFoundation began with.
    public static let id3MetadataKeyCommerical = AVMetadataKey(rawValue: "COMR")
    /// Who composed the music.
    public static let id3MetadataKeyComposer = AVMetadataKey(rawValue: "TCOM")
    /// Who conducts.
    public static let id3MetadataKeyConductor = AVMetadataKey(rawValue: "TPE3")
    /// What groups the track with others.
    public static let id3MetadataKeyContentGroupDescription = AVMetadataKey(rawValue: "TIT1")
    /// The genre.
    public static let id3MetadataKeyContentType = AVMetadataKey(rawValue: "TCON")
    /// Who holds which rights.
    public static let id3MetadataKeyCopyright = AVMetadataKey(rawValue: "TCOP")
    /// The address of what the rights are.
    public static let id3MetadataKeyCopyrightInformation = AVMetadataKey(rawValue: "WCOP")
    /// Day and month of the recording.
    public static let id3MetadataKeyDate = AVMetadataKey(rawValue: "TDAT")
    /// Who encoded the file.
    public static let id3MetadataKeyEncodedBy = AVMetadataKey(rawValue: "TENC")
    /// Which program encoded the file, and how.
    public static let id3MetadataKeyEncodedWith = AVMetadataKey(rawValue: "TSSE")
    /// When it was encoded.
    public static let id3MetadataKeyEncodingTime = AVMetadataKey(rawValue: "TDEN")
    /// A method of encryption.
    public static let id3MetadataKeyEncryption = AVMetadataKey(rawValue: "ENCR")
    /// The equaliser's settings, of version 2.3.
    public static let id3MetadataKeyEqualization = AVMetadataKey(rawValue: "EQUA")
    /// The equaliser's settings, of version 2.4.
    public static let id3MetadataKeyEqualization2 = AVMetadataKey(rawValue: "EQU2")
    /// When what happens.
    public static let id3MetadataKeyEventTimingCodes = AVMetadataKey(rawValue: "ETCO")
    /// Who owns the file.
    public static let id3MetadataKeyFileOwner = AVMetadataKey(rawValue: "TOWN")
    /// The audio's type.
    public static let id3MetadataKeyFileType = AVMetadataKey(rawValue: "TFLT")
    /// A file within the tag.
    public static let id3MetadataKeyGeneralEncapsulatedObject = AVMetadataKey(rawValue: "GEOB")
    /// A group of frames.
    public static let id3MetadataKeyGroupIdentifier = AVMetadataKey(rawValue: "GRID")
    /// The musical key that it begins in.
    public static let id3MetadataKeyInitialKey = AVMetadataKey(rawValue: "TKEY")
    /// The recording's number, ISRC.
    public static let id3MetadataKeyInternationalStandardRecordingCode = AVMetadataKey(rawValue: "TSRC")
    /// The Internet radio station.
    public static let id3MetadataKeyInternetRadioStationName = AVMetadataKey(rawValue: "TRSN")
    /// Who owns the Internet radio station.
    public static let id3MetadataKeyInternetRadioStationOwner = AVMetadataKey(rawValue: "TRSO")
    /// Who did what, of version 2.3.
    public static let id3MetadataKeyInvolvedPeopleList_v23 = AVMetadataKey(rawValue: "IPLS")
    /// Who did what, of version 2.4.
    public static let id3MetadataKeyInvolvedPeopleList_v24 = AVMetadataKey(rawValue: "TIPL")
    /// The language of lyrics or speech.
    public static let id3MetadataKeyLanguage = AVMetadataKey(rawValue: "TLAN")
    /// Who performs.
    public static let id3MetadataKeyLeadPerformer = AVMetadataKey(rawValue: "TPE1")
    /// The length in milliseconds.
    public static let id3MetadataKeyLength = AVMetadataKey(rawValue: "TLEN")
    /// A frame that lies elsewhere.
    public static let id3MetadataKeyLink = AVMetadataKey(rawValue: "LINK")
    /// Who wrote the words.
    public static let id3MetadataKeyLyricist = AVMetadataKey(rawValue: "TEXT")
    /// Where in the file which time is.
    public static let id3MetadataKeyMPEGLocationLookupTable = AVMetadataKey(rawValue: "MLLT")
    /// The medium that it was taken from.
    public static let id3MetadataKeyMediaType = AVMetadataKey(rawValue: "TMED")
    /// Who remixed or changed it.
    public static let id3MetadataKeyModifiedBy = AVMetadataKey(rawValue: "TPE4")
    /// The mood.
    public static let id3MetadataKeyMood = AVMetadataKey(rawValue: "TMOO")
    /// The compact disc's table of contents.
    public static let id3MetadataKeyMusicCDIdentifier = AVMetadataKey(rawValue: "MCDI")
    /// Who plays what.
    public static let id3MetadataKeyMusicianCreditsList = AVMetadataKey(rawValue: "TMCL")
    /// The artist's address.
    public static let id3MetadataKeyOfficialArtistWebpage = AVMetadataKey(rawValue: "WOAR")
    /// The audio file's address.
    public static let id3MetadataKeyOfficialAudioFileWebpage = AVMetadataKey(rawValue: "WOAF")
    /// The address of what it was made from.
    public static let id3MetadataKeyOfficialAudioSourceWebpage = AVMetadataKey(rawValue: "WOAS")
    /// The Internet radio station's address.
    public static let id3MetadataKeyOfficialInternetRadioStationHomepage = AVMetadataKey(rawValue: "WORS")
    /// The publisher's address.
    public static let id3MetadataKeyOfficialPublisherWebpage = AVMetadataKey(rawValue: "WPUB")
    /// The title of the first recording's album.
    public static let id3MetadataKeyOriginalAlbumTitle = AVMetadataKey(rawValue: "TOAL")
    /// Who performed it first.
    public static let id3MetadataKeyOriginalArtist = AVMetadataKey(rawValue: "TOPE")
    /// The name of the file.
    public static let id3MetadataKeyOriginalFilename = AVMetadataKey(rawValue: "TOFN")
    /// Who wrote the first words.
    public static let id3MetadataKeyOriginalLyricist = AVMetadataKey(rawValue: "TOLY")
    /// When it was first released, of version 2.4.
    public static let id3MetadataKeyOriginalReleaseTime = AVMetadataKey(rawValue: "TDOR")
    /// The year of its first release, of version 2.3.
    public static let id3MetadataKeyOriginalReleaseYear = AVMetadataKey(rawValue: "TORY")
    /// Who bought it, when and for how much.
    public static let id3MetadataKeyOwnership = AVMetadataKey(rawValue: "OWNE")
    /// The disc's number, and of how many.
    public static let id3MetadataKeyPartOfASet = AVMetadataKey(rawValue: "TPOS")
    /// The address to pay at.
    public static let id3MetadataKeyPayment = AVMetadataKey(rawValue: "WPAY")
    /// The artist's name as it is sorted.
    public static let id3MetadataKeyPerformerSortOrder = AVMetadataKey(rawValue: "TSOP")
    /// How often it was played.
    public static let id3MetadataKeyPlayCounter = AVMetadataKey(rawValue: "PCNT")
    /// How many milliseconds of silence precede it.
    public static let id3MetadataKeyPlaylistDelay = AVMetadataKey(rawValue: "TDLY")
    /// A user's rating and how often it was played.
    public static let id3MetadataKeyPopularimeter = AVMetadataKey(rawValue: "POPM")
    /// The time that a stream was entered at.
    public static let id3MetadataKeyPositionSynchronization = AVMetadataKey(rawValue: "POSS")
    /// A program's own data.
    public static let id3MetadataKeyPrivate = AVMetadataKey(rawValue: "PRIV")
    /// Who produced it, and when.
    public static let id3MetadataKeyProducedNotice = AVMetadataKey(rawValue: "TPRO")
    /// Who published it.
    public static let id3MetadataKeyPublisher = AVMetadataKey(rawValue: "TPUB")
    /// How many bytes to buffer.
    public static let id3MetadataKeyRecommendedBufferSize = AVMetadataKey(rawValue: "RBUF")
    /// When it was recorded, in words.
    public static let id3MetadataKeyRecordingDates = AVMetadataKey(rawValue: "TRDA")
    /// When it was recorded, of version 2.4.
    public static let id3MetadataKeyRecordingTime = AVMetadataKey(rawValue: "TDRC")
    /// How to change the volume, of version 2.3.
    public static let id3MetadataKeyRelativeVolumeAdjustment = AVMetadataKey(rawValue: "RVAD")
    /// How to change the volume, of version 2.4.
    public static let id3MetadataKeyRelativeVolumeAdjustment2 = AVMetadataKey(rawValue: "RVA2")
    /// When it was released.
    public static let id3MetadataKeyReleaseTime = AVMetadataKey(rawValue: "TDRL")
    /// How to add reverb.
    public static let id3MetadataKeyReverb = AVMetadataKey(rawValue: "RVRB")
    /// Where the next tag is.
    public static let id3MetadataKeySeek = AVMetadataKey(rawValue: "SEEK")
    /// The disc's title.
    public static let id3MetadataKeySetSubtitle = AVMetadataKey(rawValue: "TSST")
    /// A signature.
    public static let id3MetadataKeySignature = AVMetadataKey(rawValue: "SIGN")
    /// The file's size in bytes, without the tag.
    public static let id3MetadataKeySize = AVMetadataKey(rawValue: "TSIZ")
    /// The subtitle.
    public static let id3MetadataKeySubTitle = AVMetadataKey(rawValue: "TIT3")
    /// Lyrics with times.
    public static let id3MetadataKeySynchronizedLyric = AVMetadataKey(rawValue: "SYLT")
    /// Tempo with times.
    public static let id3MetadataKeySynchronizedTempoCodes = AVMetadataKey(rawValue: "SYTC")
    /// When the tag was made.
    public static let id3MetadataKeyTaggingTime = AVMetadataKey(rawValue: "TDTG")
    /// Terms of use.
    public static let id3MetadataKeyTermsOfUse = AVMetadataKey(rawValue: "USER")
    /// Hour and minute of the recording.
    public static let id3MetadataKeyTime = AVMetadataKey(rawValue: "TIME")
    /// The title.
    public static let id3MetadataKeyTitleDescription = AVMetadataKey(rawValue: "TIT2")
    /// The title as it is sorted.
    public static let id3MetadataKeyTitleSortOrder = AVMetadataKey(rawValue: "TSOT")
    /// The track's number, and of how many.
    public static let id3MetadataKeyTrackNumber = AVMetadataKey(rawValue: "TRCK")
    /// A name that tells the recording from all other.
    public static let id3MetadataKeyUniqueFileIdentifier = AVMetadataKey(rawValue: "UFID")
    /// The lyrics.
    public static let id3MetadataKeyUnsynchronizedLyric = AVMetadataKey(rawValue: "USLT")
    /// Text by a name of the user's own.
    public static let id3MetadataKeyUserText = AVMetadataKey(rawValue: "TXXX")
    /// An address by a name of the user's own.
    public static let id3MetadataKeyUserURL = AVMetadataKey(rawValue: "WXXX")
    /// The year of the recording, of version 2.3.
    public static let id3MetadataKeyYear = AVMetadataKey(rawValue: "TYER")
}

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
