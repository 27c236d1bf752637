internal import Foundation
internal import MediaCore
package import MediaIO

/// Why a movie cannot be read, cut or laid out anew.
package struct MovieError: BridgedError, LocalizedError, Hashable {
    /// The kind of failure.
    package enum Kind: Sendable {
        /// The file's structure is broken.
        case damaged
        /// The file, or the target, has a feature that its boxes cannot be edited for.
        case unsupported
        /// There is more than is allowed to be read.
        case limit
        /// The range holds nothing of the movie.
        case emptyRange
    }

    /// The kind of failure.
    package let kind: Kind
    /// The cause, in one line.
    package let reason: String
    /// The track that it lies with, if it is one track's.
    package let trackID: UInt32?
    /// Which limit was hit, if it is one that can be set.
    package let limit: MediaLimits.Name?

    /// Makes an error.
    package init(_ kind: Kind, _ reason: String, trackID: UInt32? = nil, limit: MediaLimits.Name? = nil) {
        (self.kind, self.trackID, self.limit) = (kind, trackID, limit)
        self.reason = trackID.map { "track \($0): \(reason)" } ?? reason
    }

    /// The same failure, told of a track.
    func of(_ trackID: UInt32) -> MovieError {
        self.trackID == nil ? MovieError(kind, reason, trackID: trackID, limit: limit) : self
    }

    /// The cause.
    package var errorDescription: String? { reason }
}

/// Something of a movie that a new one does not have.
package struct MovieLoss: Hashable, Sendable {
    /// What is lost.
    package var item: String
    /// Why, in one line.
    package var reason: String

    /// Makes a loss.
    package init(item: String, reason: String) { (self.item, self.reason) = (item, reason) }
}
