internal import CFFmpeg

/// Collects what FFmpeg logs while one owner's call runs on the calling thread.
///
/// FFmpeg has one global log callback; it is routed by thread, which names the
/// owner without doubt where decoders run on the thread that calls them. What
/// the threads of a codec say is routed by the codec.
final class LogCapture {
    private let pointer: OpaquePointer

    init() {
        guard let pointer = oav_log_create() else { preconditionFailure("out of memory for a log") }
        self.pointer = pointer
    }

    deinit { oav_log_free(pointer) }

    /// Messages at error level since the last `clear()`.
    var errorCount: Int { Int(oav_log_error_count(pointer)) }

    var lastError: String? {
        guard errorCount > 0 else { return nil }
        let text = String(cString: oav_log_last_error(pointer))
        return text.isEmpty ? nil : text
    }

    func clear() { oav_log_clear(pointer) }

    /// Takes in what the threads of a codec say, too; ``take()`` reads it.
    func share(with codec: UnsafeMutablePointer<AVCodecContext>) { oav_log_share(pointer, codec) }

    /// The last message at error level since the last call.
    func take() -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 512) { buffer in
            guard let base = buffer.baseAddress, oav_log_take(pointer, base, buffer.count) > 0 else { return nil }
            let text = String(cString: base)
            return text.isEmpty ? nil : text
        }
    }

    /// Runs `body` with this log taking what FFmpeg says on this thread.
    func capturing<T, E: Error>(_ body: () throws(E) -> T) throws(E) -> T {
        let previous = oav_log_attach(pointer)
        defer { _ = oav_log_attach(previous) }
        return try body()
    }

    /// Throws what a code of FFmpeg and its last words mean, if the code is a failure.
    func check(_ operation: FFmpegError.Operation, _ code: Int32) throws(FFmpegError) {
        guard code < 0 else { return }
        throw FFmpegError(code: code, operation: operation, interrupt: nil, logLine: lastError)
    }

    /// Calls FFmpeg with this log, and throws if the call fails.
    func check(_ operation: FFmpegError.Operation, _ call: () -> Int32) throws(FFmpegError) {
        try check(operation, capturing(call))
    }
}

/// FFmpeg's process-wide log.
package enum FFmpegLog {
    /// Stops messages that no owner captured from reaching standard error.
    package static func silence() { oav_log_silence() }
}
