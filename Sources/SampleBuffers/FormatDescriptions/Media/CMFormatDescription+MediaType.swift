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
