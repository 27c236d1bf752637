internal import Dispatch
internal import FFmpegKit
internal import Foundation
package import MediaAsset
internal import MediaCore
package import MediaEngine
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
    /// - Parameter deliver: Hands one result to the caller; returns whether anybody still listens.
    static func run(
        _ session: StillSession<Output>, cancellation: Cancellation,
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
