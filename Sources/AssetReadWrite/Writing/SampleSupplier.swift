internal import Foundation
internal import MediaCore

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

    /// - Parameter pause: In microseconds, before a client is asked again that goes on though all is refused.
    private func ask(pause: Int = SampleSupplier.shortestPause) {
        guard !state.look({ $0 }), let input, input.isOpen else { return }
        let isReady = input.isReadyForMoreMediaData
        if isReady { block() }
        let refusesAll = input.refusesAll
        guard !refusesAll || pause < Self.longestPause else { return input.stopSupplying() }
        let next = refusesAll ? 2 * pause : Self.shortestPause
        // Encoders take their time: there is nothing to wait on that a client's queue could not be blocked by.
        queue.asyncAfter(deadline: .now() + .microseconds(isReady ? pause : 1000)) { self.ask(pause: next) }
    }

    private static let shortestPause = 50
    /// Who has not learned by then that all is refused does not look.
    private static let longestPause = 1_000_000
}
