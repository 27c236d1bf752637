internal import Dispatch
internal import Foundation
internal import MediaIO
internal import Synchronization

/// Says now and then that the work gets further, as long as it does.
///
/// Whoever hears nothing for too long ends this process: a thread that is caught in a library cannot be ended otherwise.
struct PulseWatch {
    private let timer: any DispatchSourceTimer

    /// - Parameters:
    ///   - stallTime: For how many thousandths of a second the work may get no further.
    ///   - say: Says that it does.
    init(stallTime: Int64?, say: @escaping @Sendable () -> Void) {
        timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "avtool.pulse"))
        let interval = DispatchTimeInterval.milliseconds(Int(min(2000, max(20, (stallTime ?? 60_000) / 4))))
        timer.schedule(deadline: .now() + interval, repeating: interval, leeway: .milliseconds(50))
        let last = Mutex(WorkPulse.count)
        timer.setEventHandler {
            let count = WorkPulse.count
            let moved = last.withLock { last in
                defer { last = count }
                return last != count
            }
            if moved { say() }
        }
        timer.resume()
    }

    func end() { timer.cancel() }
}
