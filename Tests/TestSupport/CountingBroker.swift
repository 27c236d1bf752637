import Foundation
package import MediaIO
import Synchronization

/// A broker that opens files itself, and counts how often it is asked for each.
package final class CountingBroker: FileBroker {
    private let counts = Mutex<[String: Int]>([:])

    package init() {}

    package var opened: [String: Int] { counts.withLock { $0 } }

    package func isInput(_ path: String) -> Bool { false }

    package func answer(to call: FileCall, _ bytes: [UInt8]) -> (FileAnswer, descriptor: Int32?) {
        guard case .open(let path, let flags) = call else { return (.systemError(EACCES), nil) }
        counts.withLock { $0[path, default: 0] += 1 }
        let descriptor = FileAccess.direct.open(path, flags)
        return descriptor >= 0 ? (.opened, descriptor) : (.systemError(errno), nil)
    }
}
