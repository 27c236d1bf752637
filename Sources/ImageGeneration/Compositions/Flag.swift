internal import Synchronization

/// Something that is true until it is not, from any thread.
final class Flag: Sendable {
    private let value = Atomic(true)

    var isUp: Bool { value.load(ordering: .relaxed) }

    func lower() { value.store(false, ordering: .relaxed) }
}
