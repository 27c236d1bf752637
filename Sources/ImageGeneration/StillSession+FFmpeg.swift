internal import Dispatch
internal import FFmpegKit
internal import MediaAsset
internal import MediaImage
internal import MediaTime
internal import Synchronization

/// One request for stills: planned, decoded, rendered and delivered on a
/// thread of its own.
final class StillSession: Sendable {
    private let source: AssetSource
    private let plan: StillPlan
    private let settings: StillSettings
    private static let queue = DispatchQueue(label: "OpenAVFoundation.stills", attributes: .concurrent)

    init(source: AssetSource, times: [CMTime], settings: StillSettings) {
        self.source = source
        self.plan = StillPlan(times: times)
        self.settings = settings
    }

    /// A request under way; stops when nobody holds it.
    final class Running: Sendable {
        let channel = BoundedChannel<Stills.Element>(capacity: 2)
        private let interrupt = Mutex<(current: Interrupt?, isCancelled: Bool)>((nil, false))

        deinit { cancel() }

        func cancel() {
            channel.cancel()
            interrupt.withLock { state in
                state.isCancelled = true
                state.current?.cancel()
            }
        }

        func watch(_ interrupt: Interrupt?) {
            self.interrupt.withLock { state in
                state.current = interrupt
                if state.isCancelled { interrupt?.cancel() }
            }
        }
    }

    func start() -> Running {
        let running = Running()
        let work = Work(source: source, plan: plan, settings: settings)
        let channel = running.channel
        Self.queue.async { [weak running] in
            work.run(watch: { running?.watch($0) }, deliver: { channel.send($0) })
            channel.finish()
        }
        return running
    }
}

/// The steps of one request, in one thread.
private struct Work: Sendable {
    let source: AssetSource
    let plan: StillPlan
    let settings: StillSettings

    func run(watch: (Interrupt?) -> Void, deliver: (Stills.Element) -> Bool) {
        do {
            let description = try source.describe()
            guard let track = description.videoTrack, let video = track.video else {
                throw AVError(.noSourceTrack, reason: "the file has no video track")
            }
            let reader = try FrameReader(source: source, streamIndex: track.streamIndex)
            watch(reader.interrupt)
            defer {
                watch(nil)
                reader.finish()
            }
            let maker = StillMaker(
                description: description, reader: reader, renderer: StillRenderer(video: video, settings: settings),
                settings: settings)
            for entry in plan.entries {
                guard deliver(maker.still(for: entry)) else { return }
            }
        } catch {
            let known = (error as? FFmpegError).map { publicError(for: $0) } ?? error
            for entry in plan.entries {
                let failure = StillFailure(index: entry.index, requestedTime: entry.requestedTime, error: known)
                guard deliver(.failure(failure)) else { return }
            }
        }
    }
}

/// Makes one still after the other, each from the frame reader's answer.
private final class StillMaker {
    private let description: AssetDescription
    private let reader: FrameReader
    private let renderer: StillRenderer
    private let settings: StillSettings
    private var lastImage: (frame: Frame, image: CGImage)?

    init(description: AssetDescription, reader: FrameReader, renderer: StillRenderer, settings: StillSettings) {
        self.description = description
        self.reader = reader
        self.renderer = renderer
        self.settings = settings
    }

    func still(for entry: StillPlan.Entry) -> Stills.Element {
        do {
            return .success(try make(entry))
        } catch {
            let known = (error as? FFmpegError).map { publicError(for: $0) } ?? error
            return .failure(StillFailure(index: entry.index, requestedTime: entry.requestedTime, error: known))
        }
    }

    private func make(_ entry: StillPlan.Entry) throws -> Still {
        let time = entry.requestedTime
        try check(time)
        let target = reader.timeBase.ticks(atOrBefore: time + description.origin)
        let shown: ShownFrame
        switch try reader.frame(at: target, acceptsDamage: settings.allowsDamagedPictures) {
        case .shown(let frame): shown = frame
        case .unavailable(let reason):
            throw AVError(.decodeFailed, reason: "the picture at \(time.seconds) s cannot be had: \(reason)")
        }
        let actual = self.time(of: shown.ticks)
        try checkEnd(time, shown)
        let duration =
            shown.nextTicks.map { self.time(of: $0) - actual }
            ?? shown.frame.durationTicks.map { reader.timeBase.time(of: $0) }
        return Still(
            index: entry.index, requestedTime: time, actualTime: actual, duration: duration ?? .invalid,
            isSyncSample: shown.isSyncSample, isExact: true, damage: shown.damage,
            image: try image(of: shown.frame))
    }

    private func check(_ time: CMTime) throws {
        guard time.isNumeric else { throw AVError(.noImageAtTime, reason: "the time is not a number") }
        guard time >= .zero else { throw AVError(.noImageAtTime, reason: "\(time.seconds) s lies before the start") }
    }

    /// Refuses times beyond the asset's end, where headers do not cut the last
    /// frame short: it is shown until its own duration ends.
    private func checkEnd(_ time: CMTime, _ shown: ShownFrame) throws {
        let duration = description.duration
        guard duration.isNumeric, time > duration else { return }
        let length = reader.timeBase.time(of: shown.frame.durationTicks ?? 0)
        guard shown.nextTicks == nil, time > self.time(of: shown.ticks) + length else { return }
        throw AVError(
            .noImageAtTime, reason: "\(time.seconds) s lies beyond the end: the duration is \(duration.seconds) s")
    }

    /// A tick on the asset's timeline, in the track's timescale where the
    /// timeline's zero allows.
    private func time(of ticks: Int64) -> CMTime {
        let time = reader.timeBase.time(of: ticks)
        let shifted = time - description.origin
        guard shifted.timescale != time.timescale else { return shifted }
        let own = shifted.convertScale(time.timescale, method: .default)
        return own == shifted ? own : shifted
    }

    private func image(of frame: Frame) throws -> CGImage {
        if let lastImage, lastImage.frame === frame { return lastImage.image }
        let image = try renderer.render(frame)
        lastImage = (frame, image)
        return image
    }
}
