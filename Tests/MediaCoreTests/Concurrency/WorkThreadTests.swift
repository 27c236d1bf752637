import Foundation
import Testing

@testable import MediaCore

@Suite struct `Threads for work` {
    @Test func `A work thread is another thread with its own name`() async {
        let caller = pthread_self()
        let (name, isOther) = await withCheckedContinuation { continuation in
            WorkThread.start(name: "a stage", stackByteCount: 1 << 20) {
                continuation.resume(returning: (Thread.current.name, pthread_equal(caller, pthread_self()) == 0))
            }
        }
        #expect(name == "a stage")
        #expect(isOther)
    }

    /// More than a pool would have threads: each piece of work waits for the last one.
    @Test func `Work threads run all at once, however many`() {
        let count = 200
        let (arrived, go) = (DispatchGroup(), DispatchGroup())
        go.enter()
        for _ in 0..<count {
            arrived.enter()
            WorkThread.start(stackByteCount: 1 << 17) {
                arrived.leave()
                go.wait()
            }
        }
        #expect(arrived.wait(timeout: .now() + 60) == .success)
        go.leave()
    }
}
