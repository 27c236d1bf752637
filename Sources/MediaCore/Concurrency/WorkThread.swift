internal import Foundation

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Threads for work that blocks.
///
/// Foundation's `Thread` says nothing where the system has no thread to give, and its work is never done: whoever
/// waits for that waits for ever.
package enum WorkThread {
    /// Runs `body` on a thread of its own, soon.
    ///
    /// Where the system has no more threads for a moment, it is asked again; after that, `body` takes the place of
    /// other work on one of those that are there.
    ///
    /// - Parameters:
    ///   - name: What debuggers call it.
    ///   - stackByteCount: The size of its stack; `nil` for the system's own.
    package static func start(
        name: String? = nil, stackByteCount: Int? = nil, _ body: @escaping @Sendable () -> Void
    ) {
        let work = Work(name, body)
        for pause: UInt32 in [0, 1_000, 10_000, 100_000] {
            usleep(pause)
            if create(stackByteCount, work) { return }
        }
        DispatchQueue.global().async { body() }
    }

    fileprivate final class Work: Sendable {
        let name: String?
        let body: @Sendable () -> Void

        init(_ name: String?, _ body: @escaping @Sendable () -> Void) { (self.name, self.body) = (name, body) }
    }

    /// Whether there is a thread that does the work.
    private static func create(_ stackByteCount: Int?, _ work: Work) -> Bool {
        withUnsafeTemporaryAllocation(of: pthread_attr_t.self, capacity: 1) { buffer in
            guard let attributes = buffer.baseAddress, pthread_attr_init(attributes) == 0 else { return false }
            defer { pthread_attr_destroy(attributes) }
            pthread_attr_setdetachstate(attributes, Int32(PTHREAD_CREATE_DETACHED))
            if let stackByteCount { pthread_attr_setstacksize(attributes, stackByteCount) }
            var thread: pthread_t = 0
            let context = Unmanaged.passRetained(work)
            let code = pthread_create(&thread, attributes, run, context.toOpaque())
            if code != 0 { context.release() }
            return code == 0
        }
    }
}

/// What a new thread begins with: it takes over the work that it is given.
private func run(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    let work = Unmanaged<WorkThread.Work>.fromOpaque(context).takeRetainedValue()
    if let name = work.name { Thread.current.name = name }
    work.body()
    return nil
}
