internal import MediaMetadata

/// Something of the source that a new file does not have, though nobody asked for that.
public struct ExportLoss: Hashable, Sendable {
    /// What kind of thing it is.
    public enum Kind: String, Hashable, Sendable {
        /// A whole track.
        case track
        /// A part of what a track says or shows.
        case media
        /// An item of metadata.
        case metadata
        /// Chapters, or a part of what they say.
        case chapters
    }

    /// What kind of thing it is.
    public var kind: Kind
    /// Which one, in the source's words.
    public var item: String
    /// Why the new file does not have it.
    public var reason: String

    /// Makes a loss.
    public init(_ kind: Kind, _ item: String, reason: String) {
        (self.kind, self.item, self.reason) = (kind, item, reason)
    }

    init(_ loss: MetadataLoss) {
        self.init(loss.item.hasPrefix("chapter") ? .chapters : .metadata, loss.item, reason: loss.reason)
    }
}
