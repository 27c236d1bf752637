internal import Synchronization

/// Counts the steps by which the work of this process gets further, whatever it works on.
///
/// A step is one that a file cannot have done without end: a packet that lies further on than all before it, a
/// picture that is encoded, bytes that are written. Waiting for a pipe is a step too, as other limits bound that. So
/// a process whose count stands still is stuck, however busy it is.
package enum WorkPulse {
    private static let steps = Atomic<UInt64>(0)

    /// How many steps there have been.
    package static var count: UInt64 { steps.load(ordering: .relaxed) }

    /// Counts a step; from any thread.
    package static func beat() { steps.wrappingAdd(1, ordering: .relaxed) }
}
