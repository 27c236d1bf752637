public import Foundation

/// Something that a format cannot hold.
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

/// Why metadata could not be read or written.
public struct MetadataError: Error, LocalizedError, Hashable, Sendable {
    /// The kind of failure.
    public enum Kind: Sendable {
        /// The file's structure is broken.
        case damaged
        /// The file is of a format, or has a feature, that cannot be written to.
        case unsupported
        /// There is more than is allowed to be read.
        case limit
    }

    /// The kind of failure.
    public let kind: Kind
    /// The cause, in one line.
    public let reason: String

    /// Makes an error.
    public init(_ kind: Kind, _ reason: String) { (self.kind, self.reason) = (kind, reason) }

    /// The cause.
    public var errorDescription: String? { reason }
}
