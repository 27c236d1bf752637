internal import AVToolCommands
internal import CProcessHooks
internal import Foundation
internal import MediaIO
internal import Synchronization

/// The process that started the worker, asked to open files.
final class RemoteBroker: FileBroker {
    private let channel: Channel
    private let inputs: Set<String>
    private let asking = Mutex(())

    init(_ channel: Channel, inputs: Set<String>) { (self.channel, self.inputs) = (channel, inputs) }

    func isInput(_ path: String) -> Bool { inputs.contains(path) }

    func answer(to call: FileCall, _ bytes: [UInt8]) -> (FileAnswer, descriptor: Int32?) {
        // What was made without all the memory that it took is not to be found under a name.
        if call.makesResult, avt_allocation_has_failed() != 0 { return (.systemError(ENOMEM), nil) }
        return asking.withLock { _ in
            do {
                try channel.send(WorkNews.call(call), bytes: bytes)
                guard let message = try channel.receive(FileAnswer.self) else { _exit(1) }
                return (message.value, message.descriptors.first)
            } catch {
                // Without an answer there is nobody to work for.
                _exit(1)
            }
        }
    }
}

extension FileCall {
    /// Whether something is in its place after it.
    fileprivate var makesResult: Bool {
        switch self {
        case .complete, .rewrite: true
        default: false
        }
    }
}
