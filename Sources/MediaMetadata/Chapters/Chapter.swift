public import MediaTime

/// A named part of an asset.
public struct Chapter: Hashable, Sendable {
    /// A chapter's name in one language.
    public struct Title: Hashable, Sendable {
        /// The name.
        public var text: String
        /// BCP 47, `nil` if the file names no language.
        public var languageTag: String?

        /// Makes a title.
        public init(_ text: String, languageTag: String? = nil) {
            self.text = text
            self.languageTag = languageTag
        }
    }

    /// Where it begins on the asset's timeline.
    public var start: CMTime
    /// Where it ends; invalid if the file does not say, which means at the next
    /// chapter's start or at the asset's end.
    public var end: CMTime
    /// Its names, in file order; empty if it has none.
    public var titles: [Title]
    /// A picture for it: the bytes of a JPEG or PNG file.
    public var artwork: [UInt8]?
    /// An address that belongs to it.
    public var link: String?
    /// The file's own name for it, where it has one: an ID3 element ID, a Matroska UID.
    public var identifier: String?
    /// Whether players should leave it out of their lists.
    public var isHidden: Bool
    /// Whether players should play it.
    public var isEnabled: Bool
    /// The chapters within it.
    public var children: [Chapter]

    /// Makes a chapter.
    public init(
        start: CMTime, end: CMTime = .invalid, titles: [Title] = [], artwork: [UInt8]? = nil, link: String? = nil,
        identifier: String? = nil, isHidden: Bool = false, isEnabled: Bool = true, children: [Chapter] = []
    ) {
        self.start = start
        self.end = end
        self.titles = titles
        self.artwork = artwork
        self.link = link
        self.identifier = identifier
        self.isHidden = isHidden
        self.isEnabled = isEnabled
        self.children = children
    }

    /// Its first name, empty if it has none.
    public var title: String { titles.first?.text ?? "" }
}
