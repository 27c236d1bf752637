/// Why a worker does not do what a program asked it for.
package struct WorkerLoss: Error, Sendable {
    package enum Kind: Sendable, Hashable {
        /// It could not be started, or belongs to another version.
        case unavailable
        /// The kernel does not keep all from it that it has to.
        case incomplete
        /// It began, and did not end well.
        case failed(WorkFailure)
    }

    package let kind: Kind
    /// In one line.
    package let reason: String

    package init(_ kind: Kind, _ reason: String) { (self.kind, self.reason) = (kind, reason) }

    package init(_ failure: WorkFailure) {
        kind = .failed(failure)
        reason =
            switch failure {
            case .crashed: "the file makes a media library crash"
            case .outOfMemory: "the system ended the worker that read the file, for want of memory"
            case .stuck: "the worker that reads the file does nothing any more"
            case .vanished: "the worker that read the file ended without a word"
            case .ended: "another program ended the worker that read the file"
            case .excessive: "the worker that reads the file says more than there is to say"
            }
    }
}
