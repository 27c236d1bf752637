internal import CFFmpeg

/// A SHA-256 of bytes that come one part after the other.
package final class ContentDigest {
    private let context: OpaquePointer

    /// - Throws: `FFmpegError` if there is no memory for it.
    package init() throws(FFmpegError) {
        guard let context = av_sha_alloc() else {
            throw FFmpegError(code: oav_error_posix(ENOMEM), operation: .open, interrupt: nil, logLine: nil)
        }
        self.context = context
        av_sha_init(context, 256)
    }

    deinit { av_free(UnsafeMutableRawPointer(context)) }

    package func add(_ bytes: [UInt8]) { av_sha_update(context, bytes, bytes.count) }

    /// The digest in hexadecimal digits; nothing may be added after it.
    package func finish() -> String {
        var digest = [UInt8](repeating: 0, count: 32)
        av_sha_final(context, &digest)
        return digest.map { byte in
            let text = String(byte, radix: 16)
            return text.count == 1 ? "0" + text : text
        }.joined()
    }
}
