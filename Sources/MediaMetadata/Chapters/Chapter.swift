public import MediaCore

/// A named part of an asset; beyond AVFoundation.
public struct Chapter: Hashable, Sendable {
    /// A chapter's name in one language.
    public struct Title: Hashable, Sendable {
        /// The name.
        public var text: String
        /// The language as a BCP 47 tag, `nil` if the file names none.
        public var languageTag: String?

        /// Makes a title.
        public init(_ text: String, languageTag: String? = nil) {
            self.text = text
            self.languageTag = languageTag
        }
    }

    /// Where it begins: on the asset's timeline as an asset gives it, as the file counts as `MetadataFile` does.
    public var start: CMTime
    /// Where it ends, on the timeline of ``start``; invalid if the file does not say, which means at the next
    /// chapter's start or at the asset's end.
    public var end: CMTime
    /// Its names, in file order; empty if it has none.
    public var titles: [Title]
    /// A picture for it: the bytes of a JPEG or PNG file; `nil` for none.
    public var artwork: [UInt8]?
    /// An address that belongs to it; `nil` for none.
    public var link: String?
    /// The file's own name for it: an ID3 element ID, a Matroska UID; `nil` where it has none.
    public var identifier: String?
    /// Whether players should leave it out of their lists; false where the form does not say.
    public var isHidden: Bool
    /// Whether players should play it; true where the form does not say.
    public var isEnabled: Bool
    /// The chapters within it, in file order, on the same timeline.
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
