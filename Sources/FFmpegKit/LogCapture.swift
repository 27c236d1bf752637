internal import CLibAVShims

/// Collects what FFmpeg logs while one owner's call runs on the calling thread.
///
/// FFmpeg has one global log callback; it is routed by thread, which names the
/// owner without doubt because decoders here run on the thread that calls them.
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

    /// Runs `body` with this log taking what FFmpeg says on this thread.
    func capturing<T, E: Error>(_ body: () throws(E) -> T) throws(E) -> T {
        let previous = oav_log_attach(pointer)
        defer { _ = oav_log_attach(previous) }
        return try body()
    }
}

/// FFmpeg's process-wide log.
package enum FFmpegLog {
    /// Stops messages that no owner captured from reaching standard error.
    package static func silence() { oav_log_silence() }
}
