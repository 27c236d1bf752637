internal import MediaMetadata

/// What a frame's identifier says about its content.
enum ID3FrameKind: Hashable {
    /// Text, or several.
    case text
    /// A description, then text or several.
    case userText
    /// An address.
    case link
    /// A description, then an address.
    case userLink
    /// A language, a description, then text.
    case comment
    /// A language, then text.
    case termsOfUse
    case picture
    /// A chapter or a table of chapters.
    case chapter
    /// Anything else.
    case data

    init(_ identifier: String) {
        switch identifier {
        case "TXXX", "TXX": self = .userText
        case "WXXX", "WXX": self = .userLink
        case "COMM", "COM", "USLT", "ULT": self = .comment
        case "USER": self = .termsOfUse
        case "APIC", "PIC": self = .picture
        case "CHAP", "CTOC": self = .chapter
        case "IPLS", "IPL": self = .text
        // Text in all but name, of iTunes.
        case "GRP1", "GP1", "MVNM", "MVN", "MVIN", "MVI": self = .text
        case _ where identifier.hasPrefix("T"): self = .text
        case _ where identifier.hasPrefix("W"): self = .link
        default: self = .data
        }
    }

    /// Whether the content is text.
    var isText: Bool { self != .picture && self != .data && self != .chapter }

    /// Whether one frame may hold several values.
    var isList: Bool { self == .text || self == .userText || self == .comment }
}
