/// What samples are, as a four-character code: `vide`, `soun`.
public typealias CMMediaType = FourCharCode
/// How pictures are coded, as a four-character code.
public typealias CMVideoCodecType = FourCharCode
/// How sound is coded, as a four-character code.
public typealias CMAudioCodecType = FourCharCode

/// Pictures: `vide`.
public let kCMMediaType_Video: CMMediaType = 0x7669_6465
/// Sound: `soun`.
public let kCMMediaType_Audio: CMMediaType = 0x736F_756E
/// Sound and pictures in one: `muxx`.
public let kCMMediaType_Muxed: CMMediaType = 0x6D75_7878
/// Text: `text`.
public let kCMMediaType_Text: CMMediaType = 0x7465_7874
/// Closed captions: `clcp`.
public let kCMMediaType_ClosedCaption: CMMediaType = 0x636C_6370
/// Subtitles: `sbtl`.
public let kCMMediaType_Subtitle: CMMediaType = 0x7362_746C
/// Timecode: `tmcd`.
public let kCMMediaType_TimeCode: CMMediaType = 0x746D_6364
/// Timed metadata: `meta`.
public let kCMMediaType_Metadata: CMMediaType = 0x6D65_7461
/// Groups of tagged buffers: `tbgr`.
public let kCMMediaType_TaggedBufferGroup: CMMediaType = 0x7462_6772
/// Haptics: `hapt`.
public let kCMMediaType_Haptic: CMMediaType = 0x6861_7074
/// Pictures that belong to another track's: `auxv`.
public let kCMMediaType_AuxiliaryPicture: CMMediaType = 0x6175_7876

/// Component 8-bit 4:2:2, uncompressed: `2vuy`.
public let kCMVideoCodecType_422YpCbCr8: CMVideoCodecType = 0x3276_7579
/// Apple's Animation: `rle `.
public let kCMVideoCodecType_Animation: CMVideoCodecType = 0x726C_6520
/// Cinepak: `cvid`.
public let kCMVideoCodecType_Cinepak: CMVideoCodecType = 0x6376_6964
/// JPEG: `jpeg`.
public let kCMVideoCodecType_JPEG: CMVideoCodecType = 0x6A70_6567
/// JPEG with Open-DML extensions: `dmb1`.
public let kCMVideoCodecType_JPEG_OpenDML: CMVideoCodecType = 0x646D_6231
/// JPEG XL: `jxlc`.
public let kCMVideoCodecType_JPEG_XL: CMVideoCodecType = 0x6A78_6C63
/// Sorenson Video: `SVQ1`.
public let kCMVideoCodecType_SorensonVideo: CMVideoCodecType = 0x5356_5131
/// Sorenson Video 3: `SVQ3`.
public let kCMVideoCodecType_SorensonVideo3: CMVideoCodecType = 0x5356_5133
/// H.263: `h263`.
public let kCMVideoCodecType_H263: CMVideoCodecType = 0x6832_3633
/// H.264: `avc1`.
public let kCMVideoCodecType_H264: CMVideoCodecType = 0x6176_6331
/// HEVC: `hvc1`.
public let kCMVideoCodecType_HEVC: CMVideoCodecType = 0x6876_6331
/// HEVC with alpha: `muxa`.
public let kCMVideoCodecType_HEVCWithAlpha: CMVideoCodecType = 0x6D75_7861
/// Dolby Vision in HEVC: `dvh1`.
public let kCMVideoCodecType_DolbyVisionHEVC: CMVideoCodecType = 0x6476_6831
/// MPEG-4 part 2: `mp4v`.
public let kCMVideoCodecType_MPEG4Video: CMVideoCodecType = 0x6D70_3476
/// MPEG-2: `mp2v`.
public let kCMVideoCodecType_MPEG2Video: CMVideoCodecType = 0x6D70_3276
/// MPEG-1: `mp1v`.
public let kCMVideoCodecType_MPEG1Video: CMVideoCodecType = 0x6D70_3176
/// VP9: `vp09`.
public let kCMVideoCodecType_VP9: CMVideoCodecType = 0x7670_3039
/// DV, NTSC: `dvc `.
public let kCMVideoCodecType_DVCNTSC: CMVideoCodecType = 0x6476_6320
/// DV, PAL: `dvcp`.
public let kCMVideoCodecType_DVCPAL: CMVideoCodecType = 0x6476_6370
/// DVCPRO, PAL: `dvpp`.
public let kCMVideoCodecType_DVCProPAL: CMVideoCodecType = 0x6476_7070
/// DVCPRO-50, NTSC: `dv5n`.
public let kCMVideoCodecType_DVCPro50NTSC: CMVideoCodecType = 0x6476_356E
/// DVCPRO-50, PAL: `dv5p`.
public let kCMVideoCodecType_DVCPro50PAL: CMVideoCodecType = 0x6476_3570
/// DVCPRO-HD, 720p60: `dvhp`.
public let kCMVideoCodecType_DVCPROHD720p60: CMVideoCodecType = 0x6476_6870
/// DVCPRO-HD, 720p50: `dvhq`.
public let kCMVideoCodecType_DVCPROHD720p50: CMVideoCodecType = 0x6476_6871
/// DVCPRO-HD, 1080i60: `dvh6`.
public let kCMVideoCodecType_DVCPROHD1080i60: CMVideoCodecType = 0x6476_6836
/// DVCPRO-HD, 1080i50: `dvh5`.
public let kCMVideoCodecType_DVCPROHD1080i50: CMVideoCodecType = 0x6476_6835
/// DVCPRO-HD, 1080p30: `dvh3`.
public let kCMVideoCodecType_DVCPROHD1080p30: CMVideoCodecType = 0x6476_6833
/// DVCPRO-HD, 1080p25: `dvh2`.
public let kCMVideoCodecType_DVCPROHD1080p25: CMVideoCodecType = 0x6476_6832
/// ProRes 4444 XQ: `ap4x`.
public let kCMVideoCodecType_AppleProRes4444XQ: CMVideoCodecType = 0x6170_3478
/// ProRes 4444: `ap4h`.
public let kCMVideoCodecType_AppleProRes4444: CMVideoCodecType = 0x6170_3468
/// ProRes 422 HQ: `apch`.
public let kCMVideoCodecType_AppleProRes422HQ: CMVideoCodecType = 0x6170_6368
/// ProRes 422: `apcn`.
public let kCMVideoCodecType_AppleProRes422: CMVideoCodecType = 0x6170_636E
/// ProRes 422 LT: `apcs`.
public let kCMVideoCodecType_AppleProRes422LT: CMVideoCodecType = 0x6170_6373
/// ProRes 422 Proxy: `apco`.
public let kCMVideoCodecType_AppleProRes422Proxy: CMVideoCodecType = 0x6170_636F
/// ProRes RAW: `aprn`.
public let kCMVideoCodecType_AppleProResRAW: CMVideoCodecType = 0x6170_726E
/// ProRes RAW HQ: `aprh`.
public let kCMVideoCodecType_AppleProResRAWHQ: CMVideoCodecType = 0x6170_7268
/// Disparity in HEVC: `dish`.
public let kCMVideoCodecType_DisparityHEVC: CMVideoCodecType = 0x6469_7368
/// Depth in HEVC: `deph`.
public let kCMVideoCodecType_DepthHEVC: CMVideoCodecType = 0x6465_7068
/// AV1: `av01`.
public let kCMVideoCodecType_AV1: CMVideoCodecType = 0x6176_3031

/// Width and height of coded pictures, in pixels.
public struct CMVideoDimensions: Sendable, Hashable {
    /// Pixels in each row.
    public var width: Int32
    /// Rows of pixels.
    public var height: Int32

    /// Makes dimensions.
    public init(width: Int32, height: Int32) { (self.width, self.height) = (width, height) }
}

/// A four-character code as a number.
public typealias FourCharCode = UInt32

extension FourCharCode {
    /// The characters of the code, a question mark for bytes that are none of ASCII's.
    package var characters: String {
        String(
            decoding: stride(from: 24, through: 0, by: -8).map { shift in
                let byte = UInt8(truncatingIfNeeded: self >> UInt32(shift))
                return (0x20..<0x7F).contains(byte) ? byte : UInt8(ascii: "?")
            }, as: UTF8.self)
    }
}
