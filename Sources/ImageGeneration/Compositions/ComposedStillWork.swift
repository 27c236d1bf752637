internal import Foundation
package import MediaAsset
internal import MediaCore
package import MediaEngine
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
        var moments = group.map { entry in Result { try moment(at: entry.requestedTime) } }
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
