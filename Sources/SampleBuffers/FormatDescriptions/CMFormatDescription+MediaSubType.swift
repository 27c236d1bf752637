extension CMFormatDescription {
    /// How samples are coded, as a four-character code.
    public struct MediaSubType: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The code, the first character in the highest byte.
        public var rawValue: FourCharCode
        /// Makes a sub-type of its code.
        public init(rawValue: FourCharCode) { self.rawValue = rawValue }
        /// The four characters in quotation marks.
        public var description: String { "'\(rawValue.characters)'" }

        /// H.264.
        public static let h264 = MediaSubType(rawValue: kCMVideoCodecType_H264)
        /// HEVC.
        public static let hevc = MediaSubType(rawValue: kCMVideoCodecType_HEVC)
        /// HEVC with alpha.
        public static let hevcWithAlpha = MediaSubType(rawValue: kCMVideoCodecType_HEVCWithAlpha)
        /// Dolby Vision in HEVC.
        public static let dolbyVisionHEVC = MediaSubType(rawValue: kCMVideoCodecType_DolbyVisionHEVC)
        /// H.263.
        public static let h263 = MediaSubType(rawValue: kCMVideoCodecType_H263)
        /// MPEG-4 part 2.
        public static let mpeg4Video = MediaSubType(rawValue: kCMVideoCodecType_MPEG4Video)
        /// MPEG-2.
        public static let mpeg2Video = MediaSubType(rawValue: kCMVideoCodecType_MPEG2Video)
        /// MPEG-1.
        public static let mpeg1Video = MediaSubType(rawValue: kCMVideoCodecType_MPEG1Video)
        /// JPEG.
        public static let jpeg = MediaSubType(rawValue: kCMVideoCodecType_JPEG)
        /// JPEG with Open-DML extensions.
        public static let jpeg_OpenDML = MediaSubType(rawValue: kCMVideoCodecType_JPEG_OpenDML)
        /// Apple's Animation.
        public static let animation = MediaSubType(rawValue: kCMVideoCodecType_Animation)
        /// Cinepak.
        public static let cinepak = MediaSubType(rawValue: kCMVideoCodecType_Cinepak)
        /// Sorenson Video.
        public static let sorensonVideo = MediaSubType(rawValue: kCMVideoCodecType_SorensonVideo)
        /// Sorenson Video 3.
        public static let sorensonVideo3 = MediaSubType(rawValue: kCMVideoCodecType_SorensonVideo3)
        /// VP9.
        public static let vp9 = MediaSubType(rawValue: kCMVideoCodecType_VP9)
        /// AV1.
        public static let av1 = MediaSubType(rawValue: kCMVideoCodecType_AV1)
        /// DV, NTSC.
        public static let dvcNTSC = MediaSubType(rawValue: kCMVideoCodecType_DVCNTSC)
        /// DV, PAL.
        public static let dvcPAL = MediaSubType(rawValue: kCMVideoCodecType_DVCPAL)
        /// DVCPRO, PAL.
        public static let dvcProPAL = MediaSubType(rawValue: kCMVideoCodecType_DVCProPAL)
        /// DVCPRO-50, NTSC.
        public static let dvcPro50NTSC = MediaSubType(rawValue: kCMVideoCodecType_DVCPro50NTSC)
        /// DVCPRO-50, PAL.
        public static let dvcPro50PAL = MediaSubType(rawValue: kCMVideoCodecType_DVCPro50PAL)
        /// DVCPRO-HD, 720p60.
        public static let dvcPROHD720p60 = MediaSubType(rawValue: kCMVideoCodecType_DVCPROHD720p60)
        /// DVCPRO-HD, 720p50.
        public static let dvcPROHD720p50 = MediaSubType(rawValue: kCMVideoCodecType_DVCPROHD720p50)
        /// DVCPRO-HD, 1080i60.
        public static let dvcPROHD1080i60 = MediaSubType(rawValue: kCMVideoCodecType_DVCPROHD1080i60)
        /// DVCPRO-HD, 1080i50.
        public static let dvcPROHD1080i50 = MediaSubType(rawValue: kCMVideoCodecType_DVCPROHD1080i50)
        /// DVCPRO-HD, 1080p30.
        public static let dvcPROHD1080p30 = MediaSubType(rawValue: kCMVideoCodecType_DVCPROHD1080p30)
        /// DVCPRO-HD, 1080p25.
        public static let dvcPROHD1080p25 = MediaSubType(rawValue: kCMVideoCodecType_DVCPROHD1080p25)
        /// ProRes 4444 XQ.
        public static let proRes4444XQ = MediaSubType(rawValue: kCMVideoCodecType_AppleProRes4444XQ)
        /// ProRes 4444.
        public static let proRes4444 = MediaSubType(rawValue: kCMVideoCodecType_AppleProRes4444)
        /// ProRes 422 HQ.
        public static let proRes422HQ = MediaSubType(rawValue: kCMVideoCodecType_AppleProRes422HQ)
        /// ProRes 422.
        public static let proRes422 = MediaSubType(rawValue: kCMVideoCodecType_AppleProRes422)
        /// ProRes 422 LT.
        public static let proRes422LT = MediaSubType(rawValue: kCMVideoCodecType_AppleProRes422LT)
        /// ProRes 422 Proxy.
        public static let proRes422Proxy = MediaSubType(rawValue: kCMVideoCodecType_AppleProRes422Proxy)
        /// ProRes RAW.
        public static let proResRAW = MediaSubType(rawValue: kCMVideoCodecType_AppleProResRAW)
        /// ProRes RAW HQ.
        public static let proResRAWHQ = MediaSubType(rawValue: kCMVideoCodecType_AppleProResRAWHQ)
        /// Samples that are not compressed.
        public static let linearPCM = MediaSubType(rawValue: kAudioFormatLinearPCM)
        /// Dolby Digital.
        public static let ac3 = MediaSubType(rawValue: kAudioFormatAC3)
        /// Dolby Digital Plus.
        public static let enhancedAC3 = MediaSubType(rawValue: kAudioFormatEnhancedAC3)
        /// Dolby Digital in IEC 60958 frames.
        public static let iec60958AC3 = MediaSubType(rawValue: kAudioFormat60958AC3)
        /// Apple's form of IMA's 4:1 ADPCM.
        public static let appleIMA4 = MediaSubType(rawValue: kAudioFormatAppleIMA4)
        /// Apple Lossless.
        public static let appleLossless = MediaSubType(rawValue: kAudioFormatAppleLossless)
        /// AAC of low complexity.
        public static let mpeg4AAC = MediaSubType(rawValue: kAudioFormatMPEG4AAC)
        /// High-efficiency AAC.
        public static let mpeg4AAC_HE = MediaSubType(rawValue: kAudioFormatMPEG4AAC_HE)
        /// High-efficiency AAC, version 2.
        public static let mpeg4AAC_HE_V2 = MediaSubType(rawValue: kAudioFormatMPEG4AAC_HE_V2)
        /// AAC of low delay.
        public static let mpeg4AAC_LD = MediaSubType(rawValue: kAudioFormatMPEG4AAC_LD)
        /// AAC of enhanced low delay.
        public static let mpeg4AAC_ELD = MediaSubType(rawValue: kAudioFormatMPEG4AAC_ELD)
        /// MPEG-4 CELP speech.
        public static let mpeg4CELP = MediaSubType(rawValue: kAudioFormatMPEG4CELP)
        /// MPEG-4 HVXC speech.
        public static let mpeg4HVXC = MediaSubType(rawValue: kAudioFormatMPEG4HVXC)
        /// MPEG-4 TwinVQ.
        public static let mpeg4TwinVQ = MediaSubType(rawValue: kAudioFormatMPEG4TwinVQ)
        /// MPEG layer 1.
        public static let mpegLayer1 = MediaSubType(rawValue: kAudioFormatMPEGLayer1)
        /// MPEG layer 2.
        public static let mpegLayer2 = MediaSubType(rawValue: kAudioFormatMPEGLayer2)
        /// MPEG layer 3.
        public static let mpegLayer3 = MediaSubType(rawValue: kAudioFormatMPEGLayer3)
        /// MACE 3:1.
        public static let mace3 = MediaSubType(rawValue: kAudioFormatMACE3)
        /// MACE 6:1.
        public static let mace6 = MediaSubType(rawValue: kAudioFormatMACE6)
        /// µ-law 2:1.
        public static let uLaw = MediaSubType(rawValue: kAudioFormatULaw)
        /// A-law 2:1.
        public static let aLaw = MediaSubType(rawValue: kAudioFormatALaw)
        /// QDesign music.
        public static let qDesign = MediaSubType(rawValue: kAudioFormatQDesign)
        /// QDesign 2 music.
        public static let qDesign2 = MediaSubType(rawValue: kAudioFormatQDesign2)
        /// Qualcomm PureVoice.
        public static let qualcomm = MediaSubType(rawValue: kAudioFormatQUALCOMM)
        /// Adaptive multi-rate speech.
        public static let amr = MediaSubType(rawValue: kAudioFormatAMR)
        /// Adaptive multi-rate wideband speech.
        public static let amr_WB = MediaSubType(rawValue: kAudioFormatAMR_WB)
        /// Internet low bit-rate speech.
        public static let iLBC = MediaSubType(rawValue: kAudioFormatiLBC)
        /// AES3 as SMPTE 302M has it.
        public static let aes3 = MediaSubType(rawValue: kAudioFormatAES3)
        /// FLAC.
        public static let flac = MediaSubType(rawValue: kAudioFormatFLAC)
        /// Opus.
        public static let opus = MediaSubType(rawValue: kAudioFormatOpus)
        /// Audible's audio books.
        public static let audible = MediaSubType(rawValue: kAudioFormatAudible)
        /// Microsoft's GSM 6.10.
        public static let microsoftGSM = MediaSubType(rawValue: kAudioFormatMicrosoftGSM)
        /// An MPEG-2 transport stream.
        public static let mpeg2Transport = MediaSubType(rawValue: 0x6D70_3274)
        /// An MPEG-2 program stream.
        public static let mpeg2Program = MediaSubType(rawValue: 0x6D70_3270)
        /// An MPEG-1 system stream.
        public static let mpeg1System = MediaSubType(rawValue: 0x6D70_3173)
        /// A DV stream.
        public static let dvStream = MediaSubType(rawValue: 0x6476_2020)
        /// QuickTime's text.
        public static let qt = MediaSubType(rawValue: 0x7465_7874)
        /// 3GPP's text.
        public static let mobile3GPP = MediaSubType(rawValue: 0x7478_3367)
        /// WebVTT.
        public static let webVTT = MediaSubType(rawValue: 0x7776_7474)
        /// CEA-608 captions.
        public static let cea608 = MediaSubType(rawValue: 0x6336_3038)
        /// CEA-708 captions.
        public static let cea708 = MediaSubType(rawValue: 0x6337_3038)
        /// ATSC captions.
        public static let atsc = MediaSubType(rawValue: 0x6174_6363)
        /// Timecode of 32 bits.
        public static let timeCode32 = MediaSubType(rawValue: 0x746D_6364)
        /// Timecode of 64 bits.
        public static let timeCode64 = MediaSubType(rawValue: 0x7463_3634)
        /// ID3 metadata.
        public static let id3 = MediaSubType(rawValue: 0x6964_3320)
        /// Icecast metadata.
        public static let icy = MediaSubType(rawValue: 0x6963_7920)
        /// Metadata in boxes.
        public static let boxed = MediaSubType(rawValue: 0x6D65_6278)
        /// Event messages.
        public static let emsg = MediaSubType(rawValue: 0x656D_7367)
    }
}

extension CMFormatDescription {
    /// What samples are, as a four-character code.
    public struct MediaType: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The code, the first character in the highest byte.
        public var rawValue: CMMediaType
        /// Makes a type of its code.
        public init(rawValue: CMMediaType) { self.rawValue = rawValue }
        /// The four characters in quotation marks.
        public var description: String { "'\(rawValue.characters)'" }

        /// Pictures: `vide`.
        public static let video = MediaType(rawValue: kCMMediaType_Video)
        /// Sound: `soun`.
        public static let audio = MediaType(rawValue: kCMMediaType_Audio)
        /// Sound and pictures in one: `muxx`.
        public static let muxed = MediaType(rawValue: kCMMediaType_Muxed)
        /// Text: `text`.
        public static let text = MediaType(rawValue: kCMMediaType_Text)
        /// Closed captions: `clcp`.
        public static let closedCaption = MediaType(rawValue: kCMMediaType_ClosedCaption)
        /// Subtitles: `sbtl`.
        public static let subtitle = MediaType(rawValue: kCMMediaType_Subtitle)
        /// Timecode: `tmcd`.
        public static let timeCode = MediaType(rawValue: kCMMediaType_TimeCode)
        /// Timed metadata: `meta`.
        public static let metadata = MediaType(rawValue: kCMMediaType_Metadata)
        /// Groups of tagged buffers: `tbgr`.
        public static let taggedBufferGroup = MediaType(rawValue: kCMMediaType_TaggedBufferGroup)
        /// Haptics: `hapt`.
        public static let haptic = MediaType(rawValue: kCMMediaType_Haptic)
        /// Pictures that belong to another track's: `auxv`.
        public static let auxiliaryPicture = MediaType(rawValue: kCMMediaType_AuxiliaryPicture)
    }
}
