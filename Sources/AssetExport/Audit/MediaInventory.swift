package import MediaAsset
package import MediaCore
package import MediaEngine
package import MediaMetadata

/// What a file holds of all that an export promises to keep, read from the file itself.
package struct MediaInventory: Sendable {
    /// One track that plays, or a file within the file.
    package struct Track: Sendable {
        package var description: TrackDescription
        /// What the track is for, by its header or as FFmpeg tells it.
        package var roles: TrackLabel.Roles
        /// Whether the pictures are one half of a stereo pair, or on a sphere.
        package var hasProjection: Bool
        /// Whether the track says how bright its HDR pictures are.
        package var hasLightLevels: Bool
        /// How many pictures are shown, `nil` where only reading the whole file would tell.
        package var shownCount: Int?
        /// When pictures are shown, on the asset's timeline, ascending; `nil` unless the whole file was read.
        package var shownTimes: [CMTime]?
    }

    package var asset: AssetDescription
    package var tracks: [Track]
    package var metadata: FileMetadata
    /// On the asset's timeline.
    package var chapterLists: [ChapterList]

    /// The track of a number.
    func track(_ id: CMPersistentTrackID) -> Track? { tracks.first { $0.description.trackID == id } }

    /// The entries of a track of a number.
    func entries(ofTrack id: CMPersistentTrackID) -> [MetadataEntry] {
        metadata.tracks.first { $0.trackID == Int64(id) }?.entries ?? []
    }
}

extension MediaInventory {
    /// What a composition is where its pieces have come to lie.
    mutating func move(by places: [JoinedPlace]) {
        chapterLists = chapterLists.map { $0.moved(by: places) }
        let longer = places.reduce(CMTime.zero) { $0 + $1.lead }
        guard longer > .zero else { return }
        for index in tracks.indices {
            let range = tracks[index].description.timeRange
            tracks[index].description.timeRange.duration = range.duration + longer
        }
        asset.duration = asset.duration + longer
    }
}
