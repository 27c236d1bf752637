internal import CFFmpeg
internal import MediaCore

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

/// What FFmpeg complained of while it read or decoded: what is the matter in our words, with FFmpeg's behind them.
///
/// The only form in which its messages leave the module beside ``FFmpegError``: a reason is never FFmpeg's words alone,
/// which name its own functions and units.
package struct Complaint: Sendable, Equatable {
    /// What it is about.
    package enum Matter: Sendable, Equatable {
        /// Parts were made up.
        case concealment
        /// What it is predicted from is not there.
        case missingReference
        /// The headers that it was coded with are not there.
        case missingParameters
        /// There are fewer data than there should be.
        case shortData
        /// The first picture of all is no keyframe, as it is with codecs that never have one.
        case firstPicture
        /// Data that could not be decoded as they are, or something else.
        case errors
    }

    package let matter: Matter
    /// What is the matter, in one line.
    package let reason: String

    /// What a decoder said.
    init(ofDecoder said: String, isSound: Bool) {
        matter = Self.matters.first { $0.words.contains(where: said.lowercased().contains) }?.matter ?? .errors
        let what = isSound ? "the sound" : "the picture"
        let text =
            switch matter {
            case .concealment: "\(what) is damaged: the decoder concealed errors in it"
            case .missingReference: "\(what) refers to a picture that is missing"
            case .missingParameters: "the parameters that \(what) was coded with are missing"
            case .shortData: "\(what) is damaged: its data end early"
            case .firstPicture: "the first picture is no keyframe"
            case .errors: "\(what) is damaged: the decoder found errors in it"
            }
        reason = "\(text) (\(said))".printable(limit: 300)
    }

    /// What a demuxer said.
    init(ofDemuxer said: String) {
        let isShort = ["prematurely", "partial file"].contains(where: said.contains)
        matter = isShort ? .shortData : .errors
        let text = isShort ? "its last part is incomplete" : "the file's structure is damaged"
        reason = "\(text) (\(said))".printable(limit: 300)
    }

    /// A call to a decoder failed.
    init(_ error: FFmpegError) { (matter, reason) = (.errors, error.reason) }

    /// - Note: For a decoder that says nothing of itself.
    init(reason: String) { (matter, self.reason) = (.errors, reason) }

    /// Words of messages, in lower case, and what they are about; the first that fit count.
    private static let matters: [(matter: Matter, words: [String])] = [
        (.concealment, ["concealing "]),
        (.firstPicture, ["first frame is no keyframe"]),
        (
            .missingReference,
            [
                "could not find ref", "missing reference", "reference picture missing", "reference missing",
                "missing picture", "missing ref", "unknown reference", "reference count", "co located pocs",
                "frame num gap", "short term buffer", "unref short", "unref long", "buffer with no reference",
                "requested reference", "no reference", "reference frame",
            ]
        ),
        (
            .missingParameters,
            [
                "non-existing pps", "non-existing sps", "pps id", "sps id", "vps id", "pps_id", "sps_id", "vps_id",
                "missing sps", "missing pps", "no sequence header", "missing sequence header",
            ]
        ),
        (
            .shortData,
            [
                "premature", "truncated", "too small", "too short", "overread", "eoi missing", "incomplete",
                "not enough data", "insufficient", "exhausted", "underflow", "end of data", "buffer end",
            ]
        ),
    ]
}

/// The versions of FFmpeg's libraries that are in use.
package enum LibraryVersions {
    /// Such as `libavcodec 59.37.100`.
    package static var texts: [String] {
        [
            text("libavformat", avformat_version()), text("libavcodec", avcodec_version()),
            text("libavutil", avutil_version()), text("libswscale", swscale_version()),
        ]
    }

    private static func text(_ name: String, _ version: UInt32) -> String {
        "\(name) \(version >> 16).\(version >> 8 & 0xff).\(version & 0xff)"
    }
}
