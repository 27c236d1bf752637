package import MediaAsset

/// Which track of the finished file was made of which one of the source.
struct TrackPairs {
    struct Pair {
        var source: MediaInventory.Track
        var output: MediaInventory.Track
        var planned: ExportPlan.Track
    }

    private(set) var pairs: [Pair] = []
    /// Tracks that the plan keeps and the file does not have.
    private(set) var missing: [MediaInventory.Track] = []

    /// Tracks of a kind come in the plan's order, whatever numbers the container gives them.
    init(plan: ExportPlan, source: MediaInventory, output: MediaInventory) {
        var rest = output.tracks
        for planned in plan.tracks {
            guard let old = source.track(planned.trackID) else { continue }
            let family = old.description.mediaType.family
            let candidates = rest.indices.filter { rest[$0].description.mediaType.family == family }
            let best = candidates.first { rest[$0].description.codec == planned.codec } ?? candidates.first
            guard let best else {
                missing.append(old)
                continue
            }
            pairs.append(Pair(source: old, output: rest.remove(at: best), planned: planned))
        }
    }
}

extension AVMediaType {
    /// The kinds that containers tell apart unlike each other.
    fileprivate var family: String {
        switch self {
        case .subtitle, .text, .closedCaption: "text"
        case .video, .audio, .timecode: rawValue
        default: "other"
        }
    }
}
