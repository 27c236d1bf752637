internal import CFFmpeg
package import MediaCore

/// Stops the blocking calls of one open file: on request, or at a deadline.
///
/// `@unchecked Sendable`: the C object holds two atomics and nothing else.
package final class Interrupt: @unchecked Sendable {
    package enum State: Sendable { case none, cancelled, deadline }

    let pointer: OpaquePointer

    package init() {
        guard let pointer = oav_interrupt_create() else {
            preconditionFailure("out of memory for an interrupt flag")
        }
        self.pointer = pointer
    }

    deinit { oav_interrupt_free(pointer) }

    package var state: State {
        switch Int(oav_interrupt_state(pointer)) {
        case OAV_INTERRUPT_CANCELLED: .cancelled
        case OAV_INTERRUPT_DEADLINE: .deadline
        default: .none
        }
    }

    /// Interrupts the call under way and each later one.
    package func cancel() { oav_interrupt_cancel(pointer) }

    /// Interrupts when the work stops; until `cancellation` forgets this interrupt.
    package func follow(_ cancellation: Cancellation) { cancellation.onCancel(of: self) { self.cancel() } }

    /// Sets how long calls may run from now on; `nil` for no limit.
    package func setDeadline(after duration: Duration?) {
        oav_interrupt_set_deadline(pointer, duration.map(Self.nanoseconds) ?? 0)
    }

    /// Puts the deadline off, if there is one, by time that was well spent.
    func extendDeadline(by duration: Duration) { oav_interrupt_extend(pointer, Self.nanoseconds(of: duration)) }

    private static func nanoseconds(of duration: Duration) -> Int64 {
        duration.components.seconds * 1_000_000_000 + duration.components.attoseconds / 1_000_000_000
    }

    /// Throws if the work should stop.
    package func check(_ operation: FFmpegError.Operation) throws(FFmpegError) {
        switch state {
        case .none: return
        case .cancelled: throw FFmpegError(kind: .cancelled, operation: operation, reason: "cancelled")
        case .deadline: throw FFmpegError.outOfTime(operation)
        }
    }
}
