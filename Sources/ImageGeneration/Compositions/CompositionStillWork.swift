internal import MediaAsset
internal import MediaCore
internal import MediaImage
internal import Synchronization

/// Makes stills of a composition: those of each segment as stills of its file, one segment after the other.
///
/// They are exact whatever tolerance there is: the frame nearby that would be quicker may be one that was cut out.
struct CompositionStillWork<Output: Sendable> {
    typealias Element = Stills<Output>.Element
    private typealias Segment = TrackTimeline<CompositionMedia>.Segment

    private let session: StillSession<Output>
    private let cancellation: Cancellation
    private let description: AssetDescription
    private let track: TrackDescription
    private let timeline: TrackTimeline<CompositionMedia>
    /// What pictures look like that are not of the composition's own size.
    private let shape: PixelSize
    /// Whether pictures are turned as their files say.
    private let turnsMedia: Bool

    init(_ session: StillSession<Output>, of composition: CompositionState, cancellation: Cancellation) throws {
        (self.session, self.cancellation) = (session, cancellation)
        description = try composition.describe()
        let content = composition.content
        guard let track = session.settings.track(of: description),
            let part = content.tracks.first(where: { $0.trackID == track.trackID }), part.firstMedia != nil
        else { throw AVError(.noSourceTrack, reason: "the composition shows no pictures") }
        (self.track, timeline, turnsMedia) = (track, part.timeline, part.turnsMedia)
        shape = content.size(of: track)
    }

    /// Does all of the work on this thread and those that it starts.
    ///
    /// - Parameter deliver: Hands one result to the caller; returns whether anybody still listens.
    func run(deliver: @escaping @Sendable (Element) -> Bool) {
        var entries = session.plan.entries[...]
        while let first = entries.first, !cancellation.isCancelled {
            var goesOn = true
            do {
                let segment = try segment(at: first.requestedTime)
                let group = entries.prefix { first.index == $0.index || isShown($0.requestedTime, in: segment) }
                entries = entries.dropFirst(group.count)
                goesOn = make(Array(group), of: segment, deliver)
            } catch {
                entries = entries.dropFirst()
                goesOn = deliver(.failure(StillWork<Output>.failure(first, error)))
            }
            guard goesOn else { return }
        }
    }

    // MARK: Times

    /// The segment that is shown at a time: the last one at the end and, where sound goes on, after it.
    private func segment(at time: CMTime) throws -> Segment {
        guard time.isNumeric else { throw AVError(.noImageAtTime, reason: "the time is not a number") }
        guard time >= .zero else {
            throw AVError(.noImageAtTime, reason: "\(time.secondsText()) s lies before the start")
        }
        guard time <= description.duration else {
            throw AVError(
                .noImageAtTime,
                reason: "\(time.secondsText()) s lies beyond the end: the duration is "
                    + "\(description.duration.durationText()) s")
        }
        return timeline.segments[timeline.index(at: time)]
    }

    private func isShown(_ time: CMTime, in segment: Segment) -> Bool {
        // One request of its own for each frame that may be chosen, since the segment's ends bound the choice.
        guard session.settings.representativeWindow == .zero, time.isNumeric else { return false }
        return segment.target.containsTime(time)
    }

    // MARK: Pictures

    /// - Returns: Whether anybody still listens.
    private func make(
        _ group: [StillPlan.Entry], of segment: Segment, _ deliver: @escaping @Sendable (Element) -> Bool
    ) -> Bool {
        guard let media = segment.media else { return group.allSatisfy { deliver(emptiness($0, segment)) } }
        let times = group.map { segment.shownSourceTime(at: $0.requestedTime) }
        let isListening = Atomic(true)
        let product = session.product
        let part = StillSession<Output>(
            source: media.source, times: times, settings: settings(for: media, at: times[0], in: segment),
            product: StillProduct(
                make: { still in
                    try product.make(Self.still(still, of: segment, for: group[still.index]))
                }, byteCount: product.byteCount),
            statistics: session.statistics)
        StillWork.run(part, cancellation: cancellation) { result in
            let isWanted = deliver(
                result.mapError { failure in
                    StillWork<Output>.failure(group[failure.index], failure.error)
                })
            if !isWanted { isListening.store(false, ordering: .relaxed) }
            return isWanted
        }
        return isListening.load(ordering: .relaxed)
    }

    private func settings(for media: CompositionMedia, at time: CMTime, in segment: Segment) -> StillSettings {
        var settings = session.settings
        (settings.toleranceBefore, settings.toleranceAfter) = (.zero, .zero)
        settings.trackID = media.trackID
        let turned = turnsMedia ? (try? media.track())?.video : track.video
        settings.orientation = turned?.preferredTransform.orientation
        if settings.representativeWindow > .zero {
            settings.representativeWindow = max(
                .zero, min(settings.representativeWindow, min(time - segment.source.start, segment.source.end - time)))
        }
        guard settings.sizes.isEmpty, settings.maximumWidth == 0, settings.maximumHeight == 0, settings.crop == nil,
            settings.aperture != .encodedPixels, settings.aperture != .productionAperture,
            let video = try? media.track().video
        else { return settings }
        let own = VideoDescription.displaySize(
            of: PixelSize(width: video.cleanAperture.width, height: video.cleanAperture.height),
            sampleAspectRatio: video.sampleAspectRatio, transform: .identity)
        let isTurned = settings.appliesTransform && settings.orientation?.swapsAxes == true
        let whole = isTurned && !turnsMedia ? shape.turned : shape
        guard (isTurned ? own.turned : own) != whole else { return settings }
        settings.sizes = [whole]
        settings.fit = .pad
        return settings
    }

    /// A picture of nothing, in the composition's shape.
    private func emptiness(_ entry: StillPlan.Entry, _ segment: Segment) -> Element {
        let settings = session.settings
        let isTurned = settings.appliesTransform && track.video?.preferredTransform.swapsAxes == true
        let whole = isTurned ? shape.turned : shape
        do {
            let images = try settings.boxes.map { box in
                let size = try settings.fit.scaled(whole, into: box)
                guard
                    let image = CGImage(
                        width: size.width, height: size.height, hasAlpha: false,
                        pixels: [UInt8](repeating: 0, count: size.width * size.height * 3))
                else { throw AVError(.unknown, reason: "the picture has no pixels") }
                return try settings.fitted(image, to: box)
            }
            let still = Still(
                index: entry.index, requestedTime: entry.requestedTime, actualTime: segment.target.start,
                duration: segment.target.duration, isSyncSample: true, isExact: true, damage: nil, choice: nil,
                images: images)
            return .success(try session.product.make(still))
        } catch {
            return .failure(StillWork<Output>.failure(entry, error))
        }
    }

    /// A still of a segment's file as one of the composition: from when on it is shown there, and how long.
    private static func still(_ still: Still, of segment: Segment, for entry: StillPlan.Entry) -> Still {
        let begins = max(still.actualTime, segment.source.start)
        let start = segment.targetTime(ofSource: begins)
        var duration = CMTime.invalid
        if still.duration.isNumeric {
            let end = min(still.actualTime + still.duration, segment.source.end)
            duration = segment.targetTime(ofSource: end) - start
        }
        return Still(
            index: entry.index, requestedTime: entry.requestedTime, actualTime: start, duration: duration,
            isSyncSample: still.isSyncSample, isExact: still.isExact, damage: still.damage, choice: still.choice,
            images: still.images)
    }
}

extension TrackTimeline.Segment {
    /// The time of the media that stands for a time at which the segment is shown, or stays beyond its ends.
    fileprivate func shownSourceTime(at time: CMTime) -> CMTime {
        // At its end begins what was cut out.
        let last = source.end - CMTime(value: 1, timescale: 1_000_000)
        return max(source.start, min(sourceTime(at: time), last))
    }
}
