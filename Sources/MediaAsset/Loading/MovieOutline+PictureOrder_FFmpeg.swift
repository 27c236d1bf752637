internal import FFmpegKit
internal import MediaContainers

extension MovieOutline {
    /// The streams whose samples have no composition offsets although their pictures are decoded in another order
    /// than they are shown in: what a copy from AVI leaves, where presentation times are not stored.
    ///
    /// - Parameter fragments: `nil` if there are none, or they cannot be read.
    func unorderedStreams(of streams: [StreamInfo], fragments: MovieFragments?) -> Set<Int> {
        guard !canContainFragments || fragments != nil else { return [] }
        let tracks = Dictionary(tracks.map { (Int($0.id), $0) }, uniquingKeysWith: { first, _ in first })
        return Set(
            streams.filter { stream in
                guard let video = stream.video, video.reorderDelay > 0, !stream.isAttachedPicture,
                    let track = tracks[stream.containerID]
                else { return false }
                return !track.tableBoxes.contains { $0.type == "ctts" }
                    && fragments?.reorderedTracks.contains(track.id) != true
            }.map(\.index))
    }
}
