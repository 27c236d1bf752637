internal import Foundation
internal import MediaAsset
internal import MediaCore
internal import MediaEngine
internal import MediaImage
internal import Synchronization

/// How stills are composed of the pictures of several tracks.
struct StillComposition: Sendable {
    var asset: AVAsset
    var composing: VideoComposing
}

/// Makes stills as a video composition draws them: those that an export of the whole asset shows.
///
/// They are exact whatever tolerance there is, and SDR.
struct ComposedStillWork<Output: Sendable> {
    typealias Element = Stills<Output>.Element

    private let session: StillSession<Output>
    private let cancellation: Cancellation
    private let composition: AVVideoComposition.Configuration
    private let compositor: CustomCompositor?
    private let source: AssetSource
    private let content: CompositionContent
    private let duration: CMTime

    /// How many stills are worked on at a time: each needs a picture of every layer.
    private static var groupSize: Int { 4 }

    init(_ session: StillSession<Output>, _ composed: StillComposition, cancellation: Cancellation) throws {
        (self.session, self.cancellation, composition) = (
            session, cancellation, composed.composing.composition.configuration
        )
        compositor = try composed.composing.compositor()
        source = try composed.asset.composed().source
        guard let state = source.composition else {
            throw AVError(.unknown, reason: "the asset cannot be composed")
        }
        content = state.content
        let description = try state.describe()
        duration = description.duration
        let tracks = description.tracks.filter { $0.mediaType == .video }.map(\.trackID)
        try composition.check(trackIDs: Set(tracks), over: CMTimeRange(start: .zero, duration: duration))
    }

    /// Does all of the work on this thread and those that it starts.
    ///
    /// - Parameter deliver: Hands one result to the caller; returns whether anybody still listens.
    func run(deliver: @escaping @Sendable (Element) -> Bool) {
        var entries = session.plan.entries[...]
        while !entries.isEmpty, !cancellation.isCancelled {
            let group = Array(entries.prefix(Self.groupSize))
            entries = entries.dropFirst(group.count)
            for (entry, result) in zip(group, make(group)) {
                let output = result.flatMap { still in Result { try session.product.make(still) } }
                guard deliver(output.mapError { StillWork<Output>.failure(entry, $0) }) else { return }
            }
        }
    }

    // MARK: Times

    /// When the picture is shown that is shown at a time, and how long.
    private struct Moment {
        var time: CMTime
        var duration: CMTime
    }

    private func make(_ group: [StillPlan.Entry]) -> [Result<Still, any Error>] {
        let timing = composition.sourceTrackIDForFrameTiming
        var moments = group.map { entry in
            Result { try moment(at: session.settings.reachable(entry.requestedTime, until: duration)) }
        }
        if timing != kCMPersistentTrackID_Invalid {
            let stills = pictures(of: timing, at: moments.map { try? $0.get().time })
            for (index, still) in stills.enumerated() {
                guard let still else { continue }
                moments[index] = moments[index].flatMap { moment in
                    still.map { Moment(time: min($0.actualTime, moment.time), duration: $0.duration) }
                }
            }
        }
        return draw(group, moments)
    }

    private func moment(at time: CMTime) throws -> Moment {
        guard time.isNumeric else { throw AVError(.noImageAtTime, reason: "the time is not a number") }
        guard time >= .zero else {
            throw AVError(.noImageAtTime, reason: "\(time.secondsText()) s lies before the start")
        }
        guard time <= duration else {
            throw AVError(
                .noImageAtTime,
                reason: "\(time.secondsText()) s lies beyond the end: the duration is \(duration.durationText()) s")
        }
        let step = composition.frameDuration
        guard composition.sourceTrackIDForFrameTiming == kCMPersistentTrackID_Invalid else {
            return Moment(time: time, duration: step)
        }
        let last = duration - CMTime(value: 1, timescale: 1_000_000_000)
        let number = Int32(clamping: CMTime.wholeSteps(step, in: max(.zero, min(time, last))))
        return Moment(time: CMTimeMultiply(step, multiplier: number), duration: step)
    }

    // MARK: Pictures

    /// The pictures of a track at some times; `nil` where it shows nothing, or there is no time.
    private func pictures(of trackID: CMPersistentTrackID, at times: [CMTime?]) -> [Result<Still, any Error>?] {
        guard let part = content.tracks.first(where: { $0.trackID == trackID }) else { return times.map { _ in nil } }
        var settings = StillSettings()
        (settings.toleranceBefore, settings.toleranceAfter) = (.zero, .zero)
        settings.allowsDamagedPictures = session.settings.allowsDamagedPictures
        (settings.trackID, settings.appliesTransform) = (trackID, part.turnsMedia)
        let wanted = times.enumerated().compactMap { index, time -> (Int, CMTime)? in
            guard let time, part.timeline.segment(at: time)?.media != nil else { return nil }
            return (index, time)
        }
        let found = Mutex<[Int: Result<Still, any Error>]>([:])
        let layer = StillSession<Still>(
            source: source, times: wanted.map(\.1), settings: settings,
            product: StillProduct(make: { $0 }, byteCount: { _ in 0 }), statistics: session.statistics)
        StillWork.run(layer, cancellation: cancellation) { result in
            switch result {
            case .success(let still): found.withLock { $0[wanted[still.index].0] = .success(still) }
            case .failure(let failure): found.withLock { $0[wanted[failure.index].0] = .failure(failure.error) }
            }
            return true
        }
        return times.indices.map { index in
            guard wanted.contains(where: { $0.0 == index }) else { return nil }
            return found.withLock { $0[index] } ?? .failure(CancellationError())
        }
    }

    private func draw(
        _ group: [StillPlan.Entry], _ moments: [Result<Moment, any Error>]
    ) -> [Result<Still, any Error>] {
        let instructions = moments.map { moment in
            (try? moment.get()).flatMap { composition.instruction(at: $0.time) }
        }
        let all = Set(content.tracks.filter { $0.mediaType == .video }.map(\.trackID))
        var layers: [CMPersistentTrackID: [Result<Still, any Error>?]] = [:]
        for trackID in all {
            let times = zip(moments, instructions).map { moment, instruction -> CMTime? in
                guard let instruction, instruction.neededTrackIDs?.contains(trackID) ?? true else { return nil }
                return try? moment.get().time
            }
            guard times.contains(where: { $0 != nil }) else { continue }
            layers[trackID] = pictures(of: trackID, at: times)
        }
        return group.indices.map { index in
            moments[index].flatMap { moment in
                Result {
                    try still(
                        group[index], moment, instructions[index], layers.compactMapValues { try $0[index]?.get() })
                }
            }
        }
    }

    private func still(
        _ entry: StillPlan.Entry, _ moment: Moment, _ instruction: (any AVVideoCompositionInstructionProtocol)?,
        _ stills: [CMPersistentTrackID: Still]
    ) throws -> Still {
        let pictures = stills.compactMapValues { PicturePixels($0.image) }
        let (width, height) = composition.pixelSize
        guard
            let image = CGImage(
                components: try components(at: moment.time, instruction, pictures), width: width, height: height)
        else { throw AVError(.unknown, reason: "the picture has no pixels") }
        return Still(
            index: entry.index, requestedTime: entry.requestedTime, actualTime: moment.time, duration: moment.duration,
            isSyncSample: false, isExact: true, damage: stills.values.lazy.compactMap(\.damage).first, choice: nil,
            images: try session.settings.images(of: image))
    }

    /// What is drawn at a time.
    private func components(
        at time: CMTime, _ instruction: (any AVVideoCompositionInstructionProtocol)?,
        _ pictures: [CMPersistentTrackID: PicturePixels]
    ) throws -> [UInt16] {
        if let compositor, let instruction {
            return try compositor.compose(at: time, instruction, pictures) { cancellation.isCancelled }
        }
        let content = (instruction as? AVVideoCompositionInstruction)?.configuration
        let layers = (content?.layerInstructions ?? []).map(\.configuration).compactMap { layer in
            pictures[layer.trackID].map { pixels in
                PictureLayer(
                    pixels, size: CGSize(width: pixels.width, height: pixels.height), layer.placement(at: time))
            }
        }
        let (width, height) = composition.pixelSize
        guard
            let compositor = PictureCompositor(
                width: width, height: height, background: CanvasColor(content?.backgroundColor),
                threads: ProcessorShare.count)
        else { throw AVError(.unknown, reason: "the picture has no pixels") }
        return compositor.compose(layers)
    }
}

extension StillSettings {
    /// A whole upright picture as it is delivered: a part of it, in each of the boxes.
    fileprivate func images(of picture: CGImage) throws -> [CGImage] {
        let part = try crop.map { try self.part($0, of: picture) } ?? picture
        return try boxes.map { box in
            let size = try fit.scaled(PixelSize(width: part.width, height: part.height), into: box)
            return try fitted(part.scaled(width: size.width, height: size.height), to: box)
        }
    }
}

extension CMTime {
    /// How many whole steps there are in a time, both numeric and the step above zero.
    fileprivate static func wholeSteps(_ step: CMTime, in time: CMTime) -> Int64 {
        let numerator = Int128(time.value) * Int128(step.timescale)
        let denominator = Int128(time.timescale) * Int128(step.value)
        return denominator > 0 ? Int64(clamping: numerator / denominator) : 0
    }
}

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
                let segment = try segment(
                    at: session.settings.reachable(first.requestedTime, until: description.duration))
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
