/// Something that a format cannot hold; beyond AVFoundation.
public struct MetadataLoss: Hashable, Sendable {
    /// What kind of thing is lost.
    public enum Kind: Hashable, Sendable {
        /// An item of metadata, or a file within the file.
        case item
        /// Chapters, or a part of what they say.
        case chapters
    }

    /// What kind of thing is lost.
    public var kind: Kind
    /// What is lost, in words: an identifier, or `chapters`.
    public var item: String
    /// Why, in one line.
    public var reason: String
    /// Whether it is there in another form: rounded, flattened.
    public var isChange: Bool

    /// Makes the loss of an item.
    public init(item: String, reason: String, isChange: Bool = false) {
        self.init(kind: .item, item: item, reason: reason, isChange: isChange)
    }

    /// A loss of chapters.
    ///
    /// - Parameter name: Which ones.
    public static func chapters(
        _ name: String = "chapters", reason: String, isChange: Bool = false
    ) -> MetadataLoss {
        MetadataLoss(kind: .chapters, item: name, reason: reason, isChange: isChange)
    }

    private init(kind: Kind, item: String, reason: String, isChange: Bool) {
        (self.kind, self.item, self.reason, self.isChange) = (kind, item, reason, isChange)
    }
}
