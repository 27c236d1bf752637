public import Foundation
public import MediaCore
package import MediaIO

/// Why a worker did not read a file; it lies under an `AVError`.
///
/// Beyond AVFoundation.
public struct AssetIsolationError: BridgedError, LocalizedError, Hashable {
    /// What happened to the worker.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// There is none, it cannot be started, or it belongs to another version of the library.
        case unavailable
        /// The kernel lacks a means that ``AssetIsolation/Level/restrictedWorker`` asks for.
        case incomplete
        /// The file made it crash, or it said what makes no sense.
        case crashed
        /// The system ended it for want of memory.
        case outOfMemory
        /// It did nothing for an hour, and was ended.
        case stuck
        /// It ended without a word.
        case vanished
    }

    /// What happened.
    public let kind: Kind
    /// The cause, in one line.
    public let reason: String

    init(_ kind: Kind, _ reason: String) { (self.kind, self.reason) = (kind, reason) }

    /// The cause.
    public var errorDescription: String? { reason }
}

extension AssetIsolationError {
    init(_ loss: WorkerLoss) {
        let kind: Kind =
            switch loss.kind {
            case .unavailable: .unavailable
            case .incomplete: .incomplete
            case .failed(.crashed), .failed(.excessive): .crashed
            case .failed(.outOfMemory): .outOfMemory
            case .failed(.stuck): .stuck
            case .failed(.vanished), .failed(.ended): .vanished
            }
        self.init(kind, loss.reason)
    }
}

/// The error for a worker that does not work, in the shape that callers know.
package func publicError(for loss: WorkerLoss) -> any Error {
    let error = AssetIsolationError(loss)
    let code: AVError.Code =
        switch error.kind {
        case .unavailable, .incomplete: .incorrectlyConfigured
        case .crashed, .vanished: .mediaServicesWereReset
        case .outOfMemory: .outOfMemory
        case .stuck: .operationInterrupted
        }
    return AVError(code, reason: error.reason, underlying: error)
}
