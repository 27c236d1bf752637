/// Something that a file says of people, places, devices or moments, and that is left out of what is shared.
///
/// Beyond AVFoundation.
public struct PrivateDetail: Hashable, Sendable {
    /// What kind of thing it is.
    public enum Kind: String, Hashable, Sendable {
        /// An item of metadata.
        case metadata
        /// A whole track that cannot be looked through, or that says where it was made.
        case track
        /// A file within the file.
        case attachment
        /// What a picture file holds beside its picture.
        case artwork
        /// A box, an element or a chunk that is not known to be harmless.
        case structure
        /// A message among coded pictures.
        case message
        /// A name of a track, a device or a program.
        case name
        /// A date of a header.
        case date
        /// What tells one recording from all others.
        case identifier
        /// Bytes that no reader looks at.
        case space
    }

    /// What kind of thing it is.
    public var kind: Kind
    /// Where it lies in the file, in the words of its format.
    public var place: String
    /// What it is, for people.
    public var reason: String
    /// How many there are, from 1 on.
    public var count: Int

    /// Makes a detail.
    public init(_ kind: Kind, _ place: String, _ reason: String, count: Int = 1) {
        (self.kind, self.place, self.reason, self.count) = (kind, place, reason, count)
    }
}

extension [PrivateDetail] {
    /// Adds a detail, or counts it if it is there already.
    package mutating func note(_ detail: PrivateDetail) {
        let same = lastIndex {
            $0.kind == detail.kind && $0.place == detail.place && $0.reason == detail.reason
        }
        if let same { self[same].count += detail.count } else { append(detail) }
    }
}
