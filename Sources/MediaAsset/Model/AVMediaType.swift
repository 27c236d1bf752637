public import MediaCore

/// What a track holds, as a four-character code.
public struct AVMediaType: BridgedToNSString, Hashable, Sendable {
    /// The code, such as `vide`.
    public let rawValue: String
    /// Makes a type of its code.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Pictures.
    public static let video = AVMediaType(rawValue: "vide")
    /// Sound.
    public static let audio = AVMediaType(rawValue: "soun")
    /// Text.
    public static let text = AVMediaType(rawValue: "text")
    /// Closed captions.
    public static let closedCaption = AVMediaType(rawValue: "clcp")
    /// Subtitles.
    public static let subtitle = AVMediaType(rawValue: "sbtl")
    /// Timecode.
    public static let timecode = AVMediaType(rawValue: "tmcd")
    /// Timed metadata.
    public static let metadata = AVMediaType(rawValue: "meta")
    /// Pictures that belong to another track's, such as their alpha.
    public static let auxiliaryPicture = AVMediaType(rawValue: "auxv")
    /// Haptics.
    public static let haptic = AVMediaType(rawValue: "hapt")
    /// Depth.
    public static let depthData = AVMediaType(rawValue: "dpth")
    /// What a camera sees in its pictures.
    public static let metadataObject = AVMediaType(rawValue: "mobj")
    /// Sound and pictures in one.
    public static let muxed = AVMediaType(rawValue: "muxx")
}

extension AVMediaType {
    /// The type's name for people and for JSON.
    package var name: String {
        switch self {
        case .video: "video"
        case .audio: "audio"
        case .text: "text"
        case .subtitle: "subtitle"
        case .closedCaption: "closedCaption"
        case .timecode: "timecode"
        case .metadata: "metadata"
        case .auxiliaryPicture: "auxiliaryPicture"
        case AVMediaType(rawValue: "atch"): "attachment"
        default: "data"
        }
    }
}
