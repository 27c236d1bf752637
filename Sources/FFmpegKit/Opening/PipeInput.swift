internal import CFFmpeg
package import MediaIO

/// A pipe as a demuxer reads it, and the error that it met.
final class PipeInput {
    private let spool: PipeSpool
    private let interrupt: Interrupt
    private(set) var failure: FFmpegError?

    init(_ spool: PipeSpool, interrupt: Interrupt) { (self.spool, self.interrupt) = (spool, interrupt) }

    /// Gives a format context this pipe for its input.
    ///
    /// The context has to be done with it before this object goes.
    func attach(to context: UnsafeMutablePointer<AVFormatContext>) -> Int32 {
        let opaque = Unmanaged.passUnretained(self).toOpaque()
        let read: @convention(c) (UnsafeMutableRawPointer?, UnsafeMutablePointer<UInt8>?, Int32, Int64) -> Int32 = {
            opaque, buffer, count, position in
            guard let opaque, let buffer, count > 0, position >= 0 else { return oav_error_posix(EINVAL) }
            let input = Unmanaged<PipeInput>.fromOpaque(opaque).takeUnretainedValue()
            return input.read(UnsafeMutableRawBufferPointer(start: buffer, count: Int(count)), at: UInt64(position))
        }
        return oav_input_attach_source(context, opaque, read, interrupt.pointer)
    }

    private func read(_ buffer: UnsafeMutableRawBufferPointer, at position: UInt64) -> Int32 {
        guard failure == nil else { return oav_error_posix(EIO) }
        let start = spool.holds(position) ? nil : ContinuousClock.now
        do {
            let count = try spool.read(into: buffer, at: position) { interrupt.state != .none }
            // A film that comes slowly but comes is no reason to give up.
            if let start { interrupt.extendDeadline(by: ContinuousClock.now - start) }
            return Int32(clamping: count)
        } catch {
            // The interrupt says why, if the reading was stopped.
            if error.kind != .stopped { failure = FFmpegError(error, operation: .read) }
            return error.kind == .stopped ? oav_error_exit : oav_error_posix(EIO)
        }
    }
}

extension FFmpegError {
    /// The error for a pipe that cannot be read.
    package init(_ error: PipeError, operation: Operation) {
        let (kind, reason): (Kind, String) =
            switch error.kind {
            case .cannotOpen: (.noSuchInput, error.reason)
            case .readFailed: (.inputOutput, "reading the pipe failed: \(error.reason)")
            case .tooLarge, .silent: (.limit, error.reason)
            case .storageFailed: (.inputOutput, error.reason)
            case .stopped: (.cancelled, "cancelled")
            }
        self.init(kind: kind, operation: operation, reason: reason, limit: error.limit)
    }
}

extension PipeError {
    /// Which limit was hit, if one was.
    fileprivate var limit: MediaLimits.Name? {
        switch kind {
        case .tooLarge: .pipeSize
        case .silent: .time
        case .cannotOpen, .readFailed, .storageFailed, .stopped: nil
        }
    }
}
