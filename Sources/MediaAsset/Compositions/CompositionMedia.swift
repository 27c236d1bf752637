package import Foundation
internal import MediaCore

/// What segments of a composition's track are pieces of: a track of a file.
package struct CompositionMedia: Hashable, Sendable {
    /// The file.
    package let source: AssetSource
    /// The track's number in the file.
    package let trackID: CMPersistentTrackID
    /// Where the file is.
    package let url: URL

    package static func == (left: Self, right: Self) -> Bool {
        left.source === right.source && left.trackID == right.trackID
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(source))
        hasher.combine(trackID)
    }

    /// The track.
    ///
    /// - Throws: `AVError.noSourceTrack` if the file has none of that number; else what opening the file fails with.
    package func track() throws -> TrackDescription {
        guard let track = try source.describe().tracks.first(where: { $0.trackID == trackID }) else {
            throw AVError(.noSourceTrack, reason: "\(url.lastPathComponent) has no track \(trackID)")
        }
        return track
    }
}
