package import MediaAsset
internal import MediaCore

/// A composition as stretches of time in which all tracks go on in one file.
struct CompositionStretches {
    /// A part of a file, or nothing, that all tracks show.
    struct Stretch {
        /// `nil` for nothing.
        var source: AssetSource?
        /// On the file's own timeline; invalid for nothing.
        var range: CMTimeRange
        /// From the beginning of the export on.
        var target: CMTimeRange
        /// Which of the file's tracks goes on in each track; `nil` for an empty one.
        var trackIDs: [CMPersistentTrackID?]
    }

    private(set) var list: [Stretch] = []

    /// - Throws: `AVError` where tracks show different files, or different moments of one, at the same time, and where
    ///   the speed changes.
    init(_ parts: [CompositionContent.Track], in range: CMTimeRange) throws {
        let lanes = parts.map { $0.timeline.slice(range) }
        let bounds = Set(lanes.joined().flatMap { [$0.target.start, $0.target.end] }).sorted()
        var places = lanes.map { _ in 0 }
        for (start, end) in zip(bounds, bounds.dropFirst()) {
            var shown: [TrackTimeline<CompositionMedia>.Segment?] = []
            for (index, lane) in lanes.enumerated() {
                while places[index] < lane.count, lane[places[index]].target.end <= start { places[index] += 1 }
                shown.append(places[index] < lane.count ? lane[places[index]] : nil)
            }
            try add(Self.stretch(shown, CMTimeRange(start: start, end: end)))
        }
    }

    private static func stretch(
        _ shown: [TrackTimeline<CompositionMedia>.Segment?], _ target: CMTimeRange
    ) throws -> Stretch {
        var stretch = Stretch(source: nil, range: .invalid, target: target, trackIDs: [])
        for segment in shown {
            guard let segment, let media = segment.media else {
                stretch.trackIDs.append(nil)
                continue
            }
            let start = segment.sourceTime(at: target.start)
            guard !segment.isScaled else {
                throw AVError(
                    .operationNotSupportedForAsset,
                    reason: "coded samples that stay as they are cannot be shown at another speed; presets that encode "
                        + "anew, such as high or hevc-high, can do that")
            }
            if let source = stretch.source, source !== media.source || stretch.range.start != start {
                throw JoinPlanner.refusal("tracks show different files, or moments, at \(target.start.secondsText()) s")
            }
            stretch.source = media.source
            stretch.range = CMTimeRange(start: start, duration: target.duration)
            stretch.trackIDs.append(media.trackID)
        }
        return stretch
    }

    /// Adds a stretch, or makes the last one longer where all goes on.
    private mutating func add(_ stretch: Stretch) throws {
        guard let last = list.last, let joined = try last.followed(by: stretch) else {
            list.append(stretch)
            return
        }
        list[list.count - 1] = joined
    }
}

extension CompositionStretches.Stretch {
    /// This stretch and the next one as one; `nil` where something begins anew or is left out.
    fileprivate func followed(by next: Self) throws -> Self? {
        guard let source, next.source == nil || next.source === source else {
            guard source == nil, next.source == nil else { return nil }
            return with(target: CMTimeRange(start: target.start, end: next.target.end), trackIDs: trackIDs)
        }
        let after = CMTimeRange(start: range.end, duration: next.target.duration)
        guard next.source == nil || next.range.start == range.end else { return nil }
        var ids: [CMPersistentTrackID?] = []
        for (own, other) in zip(trackIDs, next.trackIDs) {
            // A track that the file itself has nothing of is no edit.
            let ends = try other == nil && isAbsent(own, in: after)
            let begins = try own == nil && isAbsent(other, in: range)
            guard own == other || ends || begins else { return nil }
            ids.append(own ?? other)
        }
        return with(target: CMTimeRange(start: target.start, end: next.target.end), trackIDs: ids)
    }

    private func with(target: CMTimeRange, trackIDs: [CMPersistentTrackID?]) -> Self {
        var copy = self
        if source != nil { copy.range = CMTimeRange(start: range.start, duration: target.duration) }
        (copy.target, copy.trackIDs) = (target, trackIDs)
        return copy
    }

    /// Whether the file has nothing of a track meanwhile.
    private func isAbsent(_ trackID: CMPersistentTrackID?, in range: CMTimeRange) throws -> Bool {
        guard let trackID, let track = try source?.describe().tracks.first(where: { $0.trackID == trackID }) else {
            return false
        }
        let common = track.timeRange.intersection(range)
        return !common.isValid || common.duration <= .zero
    }
}
