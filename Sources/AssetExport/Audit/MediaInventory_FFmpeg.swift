internal import FFmpegKit
package import MediaAsset
internal import MediaCore
internal import MediaMetadata

extension MediaInventory {
    /// Takes stock of a file.
    ///
    /// - Parameter readsWhole: Whether all samples are read; else what the headers and, of a movie, the sample tables
    ///   say has to do.
    /// - Complexity: One opening of the file; with `readsWhole` one pass for each track of pictures.
    package init(_ source: AssetSource, readsWhole: Bool) throws {
        let asset = try source.describe()
        guard source.composition == nil else {
            // Its files are not of its shape: what it says itself is what there is to keep.
            self.init(
                asset: asset, tracks: asset.tracks.map { Track($0, StreamTraits()) }, metadata: try source.metadata(),
                chapterLists: try source.chapterMetadata().lists)
            return
        }
        let demuxer = try source.checkOut()
        defer { source.checkIn(demuxer) }
        // Only a movie's tables list all samples as soon as the file is open.
        let hasTables = asset.containerType.isMovie && !asset.canContainFragments
        self.init(
            asset: asset, tracks: [], metadata: try source.metadata(),
            chapterLists: try source.chapterMetadata().lists)
        for description in asset.tracks {
            guard demuxer.streams.indices.contains(description.streamIndex) else { continue }
            var track = Track(description, demuxer.traits(ofStream: description.streamIndex))
            let labels = metadata.labels.filter { $0.trackID == Int64(description.trackID) }
            for label in labels {
                track.roles.formUnion(label.roles)
                // FFmpeg takes a tag TITLE of a Matroska track for its name, which players do not.
                if let name = label.name { track.description.title = name }
            }
            if description.mediaType == .video, hasTables {
                track.shownCount = demuxer.indexEntries(ofStream: description.streamIndex).count { !$0.isHidden }
            }
            if description.mediaType == .video, readsWhole {
                let scan = try source.scan(stream: description.streamIndex)
                track.shownTimes = scan.ticks.map { scan.timeBase.time(of: $0) - asset.origin }
                track.shownCount = scan.ticks.count
            }
            tracks.append(track)
        }
    }
}

extension MediaInventory.Track {
    fileprivate init(_ description: TrackDescription, _ traits: StreamTraits) {
        let kinds = Set(traits.sideData.map(\.kind))
        self.init(
            description: description, roles: TrackLabel.Roles(traits.disposition),
            hasProjection: traits.hasProjection,
            hasLightLevels: kinds.contains(.masteringDisplay) || kinds.contains(.contentLight))
    }
}
