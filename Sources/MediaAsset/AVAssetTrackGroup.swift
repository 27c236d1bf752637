public import Foundation

/// Tracks of which one is to be played, such as the same sound in several languages.
open class AVAssetTrackGroup: NSObject, @unchecked Sendable {
    // @unchecked Sendable: the one stored property is immutable and Sendable.

    private let numbers: [CMPersistentTrackID]

    package init(trackIDs: [CMPersistentTrackID]) {
        numbers = trackIDs
        super.init()
    }

    /// The tracks' numbers, in container order: `CMPersistentTrackID`s.
    public var trackIDs: [NSNumber] { numbers.map { NSNumber(value: $0) } }

    /// Whether the other object is a group of the same numbers.
    open override func isEqual(_ object: Any?) -> Bool { (object as? AVAssetTrackGroup)?.numbers == numbers }

    /// Equal for equal groups.
    open override var hash: Int { numbers.hashValue }

    /// The numbers, for debugging.
    open override var description: String { "AVAssetTrackGroup(\(numbers))" }
}

extension AssetDescription {
    /// The groups of at least two tracks that a movie names as alternatives, in the order of their first tracks.
    var trackGroups: [AVAssetTrackGroup] {
        let alternatives = tracks.filter { $0.alternateGroup != 0 }
        let members = Dictionary(grouping: alternatives, by: \.alternateGroup).values.map { $0.map(\.trackID) }
        let first = Dictionary(
            tracks.enumerated().map { ($1.trackID, $0) }, uniquingKeysWith: { first, _ in first })
        return members.filter { $0.count > 1 }.sorted { (first[$0[0]] ?? 0) < (first[$1[0]] ?? 0) }
            .map(AVAssetTrackGroup.init)
    }
}
