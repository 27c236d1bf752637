internal import Foundation
internal import ISOBaseMedia

/// Why a movie cannot be trimmed by editing its sample tables.
package struct MovieTrimError: Error, LocalizedError, Hashable, Sendable {
    /// The kind of failure.
    package enum Kind: Sendable {
        /// The file's structure is broken.
        case damaged
        /// The file, or the target, has a feature that sample tables cannot be edited for.
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

    init(_ kind: Kind, _ reason: String, trackID: UInt32? = nil) {
        (self.kind, self.trackID) = (kind, trackID)
        self.reason = trackID.map { "track \($0): \(reason)" } ?? reason
    }

    /// The same failure, told of a track.
    func of(_ trackID: UInt32) -> MovieTrimError {
        self.trackID == nil ? MovieTrimError(kind, reason, trackID: trackID) : self
    }

    /// The cause.
    package var errorDescription: String? { reason }
}

extension TableBytes {
    /// Rows of tables that take more memory in use than in the file; twenty hours of film have no more.
    private static let maximumRows = 1 << 22

    /// The entries of a table, if they are not too many.
    func limitedCount(at position: Int, entrySize size: Int) throws(MovieTrimError) -> Int {
        let count = count(at: position, entrySize: size)
        guard count <= Self.maximumRows else {
            throw MovieTrimError(.limit, "one of its tables has more than \(Self.maximumRows) rows")
        }
        return count
    }
}
