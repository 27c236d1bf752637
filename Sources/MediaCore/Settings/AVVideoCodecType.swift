/// How pictures are coded, in settings: a four-character code as text.
public struct AVVideoCodecType: BridgedToNSString, Hashable, Sendable {
    /// The code, such as `avc1`.
    public let rawValue: String
    /// Makes a type of its code.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// H.264: `avc1`.
    public static let h264 = AVVideoCodecType(rawValue: "avc1")
    /// HEVC: `hvc1`.
    public static let hevc = AVVideoCodecType(rawValue: "hvc1")
    /// HEVC with alpha: `muxa`.
    public static let hevcWithAlpha = AVVideoCodecType(rawValue: "muxa")
    /// JPEG: `jpeg`.
    public static let jpeg = AVVideoCodecType(rawValue: "jpeg")
    /// JPEG XL: `jxlc`.
    public static let JPEGXL = AVVideoCodecType(rawValue: "jxlc")
    /// ProRes 4444: `ap4h`.
    public static let proRes4444 = AVVideoCodecType(rawValue: "ap4h")
    /// ProRes 4444 XQ: `ap4x`.
    public static let proRes4444XQ = AVVideoCodecType(rawValue: "ap4x")
    /// ProRes 422: `apcn`.
    public static let proRes422 = AVVideoCodecType(rawValue: "apcn")
    /// ProRes 422 HQ: `apch`.
    public static let proRes422HQ = AVVideoCodecType(rawValue: "apch")
    /// ProRes 422 LT: `apcs`.
    public static let proRes422LT = AVVideoCodecType(rawValue: "apcs")
    /// ProRes 422 Proxy: `apco`.
    public static let proRes422Proxy = AVVideoCodecType(rawValue: "apco")
    /// ProRes RAW: `aprn`.
    public static let proResRAW = AVVideoCodecType(rawValue: "aprn")
    /// ProRes RAW HQ: `aprh`.
    public static let proResRAWHQ = AVVideoCodecType(rawValue: "aprh")
}
