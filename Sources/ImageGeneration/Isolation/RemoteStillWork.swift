internal import Dispatch
internal import Foundation
internal import MediaAsset
internal import MediaCore
internal import MediaEngine
internal import MediaIO
internal import MediaImage
internal import Synchronization

/// The work of one request whose pictures a worker makes: what comes is checked, and processed on several threads.
final class RemoteStillWork<Output: Sendable>: Sendable {
    typealias Element = Stills<Output>.Element

    /// What has come of the request.
    private struct Reception {
        var position = 0
        /// Why nothing more comes; all times that are left fail with it.
        var loss: (any Error)?
        var isOver = false
    }

    /// One time's answer, with its place in the plan.
    private struct Received {
        let position: Int
        let outcome: Result<(StillFacts, [ImageHeader], SealedMemory), any Error>
    }

    private let session: StillSession<Output>
    private let request: WorkerRequest
    private let bounds: PictureBounds
    private let delivery: OrderedDelivery<Element>
    private let reception = Mutex(Reception())
    private let threads: Int

    /// Does all of a session's work, in part on the calling thread.
    ///
    /// - Parameter deliver: Hands one result to the caller; returns whether anybody still listens.
    static func run(
        _ session: StillSession<Output>, by remote: RemoteAsset, cancellation: Cancellation,
        deliver: @escaping @Sendable (Element) -> Bool
    ) throws {
        let entries = session.plan.entries
        guard !entries.isEmpty else { return }
        let threads = min(entries.count, ProcessorShare.count)
        let times = entries.sorted { $0.index < $1.index }.map(\.requestedTime)
        let question = StillRequest(times: times, settings: session.settings, credit: threads + 1)
        let request = try remote.begin(.stills(question.bytes))
        cancellation.onCancel(of: request) { request.cancel() }
        defer { cancellation.forget(request) }
        RemoteStillWork(session, request, threads: threads, deliver: deliver).run()
    }

    private init(
        _ session: StillSession<Output>, _ request: WorkerRequest, threads: Int,
        deliver: @escaping @Sendable (Element) -> Bool
    ) {
        (self.session, self.request, self.threads) = (session, request, threads)
        bounds = PictureBounds(session.settings, session.source.limits)
        delivery = StillWork.delivery(of: session.product, deliver)
    }

    private func run() {
        let helpers = DispatchGroup()
        for _ in 1..<max(1, threads) {
            helpers.enter()
            WorkThread.start {
                self.work()
                helpers.leave()
            }
        }
        work()
        helpers.wait()
    }

    private func work() {
        while let received = reception.withLock({ receive(&$0) }) {
            let entry = session.plan.entries[received.position]
            let result = received.outcome.flatMap { still in Result { try output(of: still, for: entry) } }
                .mapError { StillWork<Output>.failure(entry, $0) }
            guard delivery.submit(result, at: received.position) else { return request.cancel() }
            request.say(StillCredit())
        }
    }

    private func output(of still: (StillFacts, [ImageHeader], SealedMemory), for entry: StillPlan.Entry) throws
        -> Output
    {
        let (facts, headers, memory) = still
        let images: [CGImage]
        do {
            images = try memory.images(headers)
        } catch {
            throw publicError(for: request.reject())
        }
        return try session.product.make(facts.still(for: entry, images: images))
    }

    /// Waits for the next answer; `nil` if no more is to come.
    private func receive(_ reception: inout Reception) -> Received? {
        guard !reception.isOver else { return nil }
        let entries = session.plan.entries
        guard reception.position < entries.count else {
            reception.isOver = true
            if reception.loss == nil { addStatistics() }
            return nil
        }
        let position = reception.position
        reception.position += 1
        if let loss = reception.loss { return Received(position: position, outcome: .failure(loss)) }
        do {
            guard let outcome = try answer(for: entries[position]) else {
                reception.isOver = true
                return nil
            }
            return Received(position: position, outcome: outcome)
        } catch {
            let loss = publicError(for: error as? WorkerLoss ?? request.reject())
            reception.loss = loss
            return Received(position: position, outcome: .failure(loss))
        }
    }

    /// What came for a time; `nil` if nobody wants it any more.
    ///
    /// - Throws: For what makes no sense, and if the worker is gone.
    private func answer(
        for entry: StillPlan.Entry
    ) throws -> Result<(StillFacts, [ImageHeader], SealedMemory), any Error>? {
        guard let answer = try request.next(maximum: bounds.byteCount) else { return nil }
        guard case .value(let bytes, let memory) = answer else { throw MessageError() }
        let still = try MessageReader.value(StillAnswer.self, of: bytes)
        guard still.index == entry.index else { throw MessageError() }
        switch still.outcome {
        case .failure(let error): return .failure(error.error)
        case .still(let facts, let images):
            guard let memory, bounds.allow(images) else { throw MessageError() }
            return .success((facts, images, memory))
        }
    }

    private func addStatistics() {
        guard case .end(let bytes)? = try? request.next(maximum: 0),
            let statistics = try? MessageReader.value(StillStatistics.self, of: bytes)
        else { return }
        session.statistics.add(statistics)
    }
}

extension AVAssetImageGenerator {
    /// The pictures that come with a film, which a worker decodes.
    static func attachedPictures(
        by remote: RemoteAsset, of source: AssetSource, trackID: CMPersistentTrackID?, _ settings: StillSettings
    ) throws -> [AttachedPicture] {
        let known = Set(try source.describe().attachedPictures.map(\.trackID))
        let bounds = PictureBounds(settings, source.limits)
        let request = try remote.begin(.attachedPictures(StillRequest(trackID: trackID, settings: settings).bytes))
        var pictures: [AttachedPicture] = []
        do {
            while let answer = try request.next(maximum: bounds.byteCount) {
                switch answer {
                case .value(let bytes, let memory):
                    let picture = try MessageReader.value(PictureAnswer.self, of: bytes)
                    guard let memory, bounds.allow(picture.images), known.contains(picture.trackID),
                        !pictures.contains(where: { $0.trackID == picture.trackID })
                    else { throw MessageError() }
                    let images = try memory.images(picture.images)
                    pictures.append(AttachedPicture(trackID: picture.trackID, images: images))
                case .failed(let bytes): throw try MessageReader.value(ErrorMessage.self, of: bytes).error
                case .end:
                    guard !pictures.isEmpty else { throw MessageError() }
                    return pictures
                }
            }
        } catch let loss as WorkerLoss {
            throw publicError(for: loss)
        } catch is MessageError {
            throw publicError(for: request.reject())
        } catch is ChannelError {
            throw publicError(for: request.reject())
        }
        throw CancellationError()
    }
}
