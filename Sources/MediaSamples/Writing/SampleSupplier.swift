internal import Foundation
internal import MediaConcurrency

/// Calls a client's block as often as an input would take samples.
///
/// `@unchecked Sendable`: the input is only asked what any thread may ask.
final class SampleSupplier: @unchecked Sendable {
    private weak var input: AVAssetWriterInput?
    private let queue: DispatchQueue
    private let block: @Sendable () -> Void
    private let state = WaitingLock(false)

    init(_ input: AVAssetWriterInput, queue: DispatchQueue, block: @escaping @Sendable () -> Void) {
        (self.input, self.queue, self.block) = (input, queue, block)
    }

    func start() { queue.async { self.ask() } }

    func stop() { state.change { $0 = true } }

    private func ask() {
        guard !state.look({ $0 }), let input, input.isOpen else { return }
        let isReady = input.isReadyForMoreMediaData
        if isReady { block() }
        // Encoders take their time: there is nothing to wait on that a client's queue could not be blocked by.
        queue.asyncAfter(deadline: .now() + (isReady ? .microseconds(50) : .milliseconds(1))) { self.ask() }
    }
}
