internal import Dispatch
internal import FFmpegKit
internal import Foundation
internal import MediaAsset
internal import MediaCore
internal import MediaEngine
internal import MediaImage
internal import Synchronization

/// The work of one request: independent groups of stills, each decoded by one
/// worker with a demuxer and a decoder of its own, delivered in order of time.
final class StillWork<Output: Sendable>: Sendable {
    typealias Element = Stills<Output>.Element

    private let session: StillSession<Output>
    private let cancellation: Cancellation
    private let description: AssetDescription
    private let track: TrackDescription
    private let video: VideoDescription
    private let groups: [Range<Int>]
    private let delivery: OrderedDelivery<Element>
    private let nextGroup = Mutex(0)

    /// Does all of a session's work, in part on the calling thread.
    ///
    /// - Parameters:
    ///   - ticket: Is told what the work holds.
    ///   - deliver: Hands one result to the caller; returns whether anybody still listens.
    static func run(
        _ session: StillSession<Output>, cancellation: Cancellation, ticket: WorkAdmission.Ticket? = nil,
        deliver: @escaping @Sendable (Element) -> Bool
    ) {
        do {
            if let composed = session.composition {
                return try ComposedStillWork(session, composed, cancellation: cancellation).run(deliver: deliver)
            }
            if let composition = session.source.composition {
                return try CompositionStillWork(session, of: composition, cancellation: cancellation)
                    .run(deliver: deliver)
            }
            if let remote = session.source.remote {
                return try RemoteStillWork.run(session, by: remote, cancellation: cancellation, deliver: deliver)
            }
            let description = try session.source.describe()
            guard let track = session.settings.track(of: description), let video = track.video else {
                throw AVError(.noSourceTrack, reason: "the file has no video track")
            }
            let (reader, targets) = try FrameReader.make(
                of: session.source, streamIndex: track.streamIndex, cancellation: cancellation
            ) { base in
                session.plan.entries.map { base.ticks(atOrBefore: $0.requestedTime, from: description.origin) }
            }
            let work = StillWork(
                session, cancellation, description, track, video, groups: reader.groups(of: targets), deliver: deliver)
            ticket?.hold(video.decodingByteCount * min(max(1, work.groups.count), ProcessorShare.count))
            work.run(first: reader)
        } catch {
            for entry in session.plan.entries where !deliver(.failure(failure(entry, error))) { return }
        }
    }

    private init(
        _ session: StillSession<Output>, _ cancellation: Cancellation, _ description: AssetDescription,
        _ track: TrackDescription, _ video: VideoDescription, groups: [Range<Int>],
        deliver: @escaping @Sendable (Element) -> Bool
    ) {
        self.session = session
        self.cancellation = cancellation
        self.description = description
        self.track = track
        self.video = video
        self.groups = groups
        delivery = Self.delivery(of: session.product, deliver)
    }

    /// What puts results into order, of which few large ones wait.
    static func delivery(
        of product: StillProduct<Output>, _ deliver: @escaping @Sendable (Element) -> Bool
    ) -> OrderedDelivery<Element> {
        let byteCount = product.byteCount
        return OrderedDelivery(
            budget: 6 << 20,
            cost: { result in
                if case .success(let output) = result { return byteCount(output) }
                return 0
            },
            deliver: deliver)
    }

    private func run(first reader: FrameReader) {
        let workers = min(groups.count, ProcessorShare.count)
        // Threads of their own: workers wait for a slow reader, and a shared pool
        // would be out of threads for others.
        let helpers = DispatchGroup()
        for _ in 1..<max(1, workers) {
            helpers.enter()
            WorkThread.start {
                self.runWorker(first: nil)
                helpers.leave()
            }
        }
        runWorker(first: reader)
        helpers.wait()
    }

    private func runWorker(first reader: FrameReader?) {
        var maker: Result<StillMaker, any Error>?
        while let group = takeGroup() {
            let current = maker ?? Result { try makeMaker(reader) }
            maker = current
            for position in group {
                let entry = session.plan.entries[position]
                let result = Result { try current.get().still(for: entry, goesOn: position + 1 < group.upperBound) }
                    .flatMap { still in Result { try session.product.make(still) } }
                    .mapError { Self.failure(entry, $0) }
                guard delivery.submit(result, at: position) else { return finish(maker) }
            }
        }
        if maker == nil { reader?.finish() }
        finish(maker)
    }

    static func failure(_ entry: StillPlan.Entry, _ error: any Error) -> StillFailure {
        var known = (error as? FFmpegError).map { publicError(for: $0) } ?? error
        if let error = known as? AVError, error.code == .noImageAtTime || error.code == .decodeFailed {
            known = error.with([AVErrorTimeKey: NSValue(time: entry.requestedTime)])
        }
        return StillFailure(index: entry.index, requestedTime: entry.requestedTime, error: known)
    }

    private func takeGroup() -> Range<Int>? {
        let index = nextGroup.withLock { next in
            defer { next += 1 }
            return next
        }
        return index < groups.count ? groups[index] : nil
    }

    private func makeMaker(_ reader: FrameReader?) throws -> StillMaker {
        let reader = try reader ?? FrameReader(source: session.source, streamIndex: track.streamIndex)
        reader.interrupt.follow(cancellation)
        let alpha = try video.alphaStreamIndex.map { try FrameReader(source: session.source, streamIndex: $0) }
        alpha?.interrupt.follow(cancellation)
        return StillMaker(
            description: description, reader: reader, alpha: alpha,
            renderer: StillRenderer(video: video, settings: session.settings), settings: session.settings)
    }

    private func finish(_ maker: Result<StillMaker, any Error>?) {
        guard let maker = try? maker?.get() else { return }
        for reader in [maker.reader, maker.alpha].compactMap({ $0 }) {
            cancellation.forget(reader.interrupt)
            session.statistics.add(reader.counters)
            reader.finish()
        }
    }
}

/// Makes one still after the other, each from the frame reader's answer.
final class StillMaker {
    let description: AssetDescription
    let reader: FrameReader
    /// Reads the pictures that are the others' alpha, where they are a track of their own.
    let alpha: FrameReader?
    private let renderer: StillRenderer
    private let settings: StillSettings
    /// Makes the small pictures by which frames are compared.
    let measuring = PixelConverter()
    private var lastFrame: Frame?
    private var lastImages: [Held] = []

    /// Weak: the pictures are rendered again if nobody holds them any more.
    private struct Held { weak var image: CGImage? }

    init(
        description: AssetDescription, reader: FrameReader, alpha: FrameReader?, renderer: StillRenderer,
        settings: StillSettings
    ) {
        self.description = description
        self.reader = reader
        self.alpha = alpha
        self.renderer = renderer
        self.settings = settings
    }

    /// The still for one entry of the plan.
    ///
    /// - Parameter goesOn: Whether another entry of the same group follows.
    func still(for entry: StillPlan.Entry, goesOn: Bool) throws -> Still {
        let time = settings.reachable(entry.requestedTime, until: description.duration)
        try check(time)
        let target = reader.timeBase.ticks(atOrBefore: time, from: description.origin)
        if settings.representativeWindow > .zero,
            let (shown, choice) = try representative(at: time, within: settings.representativeWindow)
        {
            return try still(entry, shown, isExact: shown.covers(target), choice: choice)
        }
        if let near = try nearFrame(time, target) { return try still(entry, near, isExact: near.covers(target)) }
        var shown: ShownFrame
        switch try reader.frame(at: target, acceptsDamage: settings.allowsDamagedPictures, goesOn: goesOn) {
        case .shown(let frame): shown = frame
        case .unavailable(let reason):
            throw AVError(.decodeFailed, reason: "the picture at \(time.secondsText()) s cannot be had: \(reason)")
        }
        try checkEnd(time, shown)
        if time == description.duration { shown = try lastFrame(from: shown) }
        return try still(entry, shown, isExact: true)
    }

    private func still(
        _ entry: StillPlan.Entry, _ shown: ShownFrame, isExact: Bool, choice: RepresentativeChoice? = nil
    ) throws -> Still {
        let actual = self.time(of: shown.ticks)
        let duration =
            shown.nextTicks.map { self.time(of: $0) - actual }
            ?? shown.frame.durationTicks.map { reader.timeBase.time(of: $0) }
        return Still(
            index: entry.index, requestedTime: entry.requestedTime, actualTime: actual, duration: duration ?? .invalid,
            isSyncSample: shown.isSyncSample, isExact: isExact, damage: shown.damage,
            choice: choice, images: try images(of: shown))
    }

    private func check(_ time: CMTime) throws {
        guard time.isNumeric else { throw AVError(.noImageAtTime, reason: "the time is not a number") }
        guard time >= .zero else {
            throw AVError(.noImageAtTime, reason: "\(time.secondsText()) s lies before the start")
        }
    }

    /// A sync sample within the tolerances, `nil` where there is none or none is allowed.
    private func nearFrame(_ time: CMTime, _ target: Int64) throws -> ShownFrame? {
        let (before, after) = (settings.toleranceBefore, settings.toleranceAfter)
        guard before > .zero || after > .zero, time < description.duration || !description.duration.isNumeric else {
            return nil
        }
        let earliest = time - before + description.origin
        let latest = time + after + description.origin
        let lower = earliest.isNumeric ? reader.timeBase.ticks(atOrAfter: earliest) : Int64.min
        let upper = latest.isNumeric ? reader.timeBase.ticks(atOrBefore: latest) : Int64.max
        return try reader.syncFrame(near: target, within: min(lower, target)...max(upper, target))
    }

    /// The last frame of the track, where a header's duration ends before it.
    private func lastFrame(from shown: ShownFrame) throws -> ShownFrame {
        var shown = shown
        while let next = shown.nextTicks, next > shown.ticks {
            guard case .shown(let later) = try reader.frame(at: next, acceptsDamage: settings.allowsDamagedPictures)
            else { return shown }
            guard later.ticks > shown.ticks else { return shown }
            shown = later
        }
        return shown
    }

    /// Refuses times beyond the asset's end, where headers do not cut the last
    /// frame short: it is shown until its own duration ends.
    private func checkEnd(_ time: CMTime, _ shown: ShownFrame) throws {
        let duration = description.duration
        guard duration.isNumeric, time > duration else { return }
        let length = reader.timeBase.time(of: shown.frame.durationTicks ?? 0)
        guard shown.nextTicks == nil, time > self.time(of: shown.ticks) + length else { return }
        throw AVError(
            .noImageAtTime,
            reason: "\(time.secondsText()) s lies beyond the end: the duration is \(duration.durationText()) s")
    }

    /// A tick on the asset's timeline, in the track's timescale where the
    /// timeline's zero allows; never before the tick, where no time holds it.
    func time(of ticks: Int64) -> CMTime {
        reader.timeBase.time(of: ticks).distance(from: description.origin, .later)
    }

    private func images(of shown: ShownFrame) throws -> [CGImage] {
        let known = lastImages.compactMap(\.image)
        if lastFrame === shown.frame, !known.isEmpty, known.count == lastImages.count { return known }
        let images = try renderer.render(shown.frame, alpha: alphaFrame(at: shown.ticks))
        lastFrame = shown.frame
        lastImages = images.map { Held(image: $0) }
        return images
    }

    /// The picture that is the alpha of one at a time.
    private func alphaFrame(at ticks: Int64) throws -> Frame? {
        guard let alpha else { return nil }
        let time = reader.timeBase.time(of: ticks)
        let target = alpha.timeBase.ticks(atOrBefore: time)
        switch try alpha.frame(at: target, acceptsDamage: settings.allowsDamagedPictures) {
        case .shown(let shown): return shown.frame
        case .unavailable(let reason):
            throw AVError(
                .decodeFailed,
                reason: "the alpha at \((time - description.origin).seconds) s cannot be had: \(reason)")
        }
    }
}
