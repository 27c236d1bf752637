internal import MediaIO
internal import MediaMetadata

/// Chooses how changes get into a file.
enum MatroskaPlan {
    /// The new version: in place if there is a layout that allows it, else with as little moved as possible.
    static func rewrite(
        _ segment: MatroskaSegment, changes: [MatroskaChange]
    ) throws(MetadataError) -> FileRewrite {
        guard !changes.isEmpty else { return FileRewrite(segments: [.source(0..<segment.file.byteCount)]) }
        guard segment.isFrontWhole else {
            throw MetadataError(.damaged, "the beginning of the Segment cannot be read")
        }
        // An index that need not change keeps a change to one part of the file.
        let main = changes.filter { $0.id != MatroskaID.seekHead }
        let still = MatroskaPlacer(segment: segment, changes: main, preference: .oldPlace, keepsPlaces: true)
        if let layout = still.layout(), let steps = layout.steps(main) {
            return FileRewrite(segments: layout.segments, steps: steps)
        }
        var first: MatroskaLayout?
        for preference: MatroskaPlacer.Preference in [
            .oldPlace, .firstSpace, .end, .packedFront(holdsAll: true), .packedFront(holdsAll: false),
        ] {
            for cutsEnd in [true, false] {
                let placer = MatroskaPlacer(
                    segment: segment, changes: changes, preference: preference, cutsEnd: cutsEnd)
                guard let layout = placer.layout() else { break }
                if let steps = layout.steps(changes) { return FileRewrite(segments: layout.segments, steps: steps) }
                first = first ?? layout
            }
        }
        if main.count == 1, let layout = MatroskaLayout.wrapped(main[0], in: segment), let steps = layout.steps(main) {
            return FileRewrite(segments: layout.segments, steps: steps)
        }
        if let first { return FileRewrite(segments: first.segments) }
        return FileRewrite(segments: try MatroskaMover(segment: segment.walkedWhole(), changes: changes).segments())
    }
}
