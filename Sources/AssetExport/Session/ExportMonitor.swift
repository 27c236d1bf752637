package import MediaCore

/// What an export under way tells, and how it is told to stop.
///
/// Any thread may use it.
package final class ExportMonitor: Sendable {
    /// Stops the export.
    package let cancellation = Cancellation()
    private let began = ContinuousClock.now
    private let listener: @Sendable (ExportProgress) -> Void

    /// - Parameter listener: Gets each step of progress, on whatever thread makes it.
    package init(listener: @escaping @Sendable (ExportProgress) -> Void = { _ in }) { self.listener = listener }

    /// Tells how far the export has come.
    ///
    /// - Parameters:
    ///   - fraction: Of all its work, from 0 to 1.
    ///   - time: The time reached on the new file's timeline.
    package func report(fraction: Double, time: CMTime, byteCount: UInt64) {
        let elapsed = Double((ContinuousClock.now - began) / .milliseconds(1)) / 1000
        let fraction = min(1, max(0, fraction))
        // The first moments tell nothing about the rest.
        let isSteady = elapsed > 0.5 && fraction > 0.005
        listener(
            ExportProgress(
                fraction: fraction, time: time, elapsed: elapsed,
                remaining: isSteady ? elapsed / fraction * (1 - fraction) : nil,
                speed: isSteady && time.isNumeric ? time.seconds / elapsed : nil, byteCount: byteCount))
    }
}
