internal import CFFmpeg
internal import MediaCore
package import MediaIO

/// A failure inside FFmpeg, or a limit that was hit around it.
///
/// The code is FFmpeg's own; `kind` sorts it into what a caller can act on.
package struct FFmpegError: BridgedError, CustomStringConvertible {
    /// What a caller can act on.
    package enum Kind: Sendable, Equatable {
        /// There is no such file, or it is not one that can be read.
        case noSuchInput
        /// The bytes are not what they claim to be, or some are missing.
        case damaged
        /// The format or codec is not known, or is not on the allowlist.
        case unsupported
        /// An address, where the network is not allowed.
        case networkNotAllowed
        /// The caller cancelled.
        case cancelled
        /// A limit on time, memory or size was hit.
        case limit
        /// The operating system failed to read.
        case inputOutput
        /// Anything else.
        case other
    }

    /// What was being done.
    package enum Operation: String, Sendable, CaseIterable {
        case open, read, seek, scan, decode, render, encode, filter, write, verify
        case detectScenes = "detect scenes"

        /// Whether something is made, so that a failure says nothing of a file that is read.
        var isOutput: Bool { self == .encode || self == .filter || self == .write }
    }

    package let kind: Kind
    /// FFmpeg's error code, zero where the failure is not FFmpeg's.
    package let code: Int32
    package let operation: Operation
    /// Why it failed, in one line of printable text.
    package let reason: String
    /// Which limit was hit, if it is one that can be set.
    package let limit: MediaLimits.Name?

    package init(
        kind: Kind, code: Int32 = 0, operation: Operation, reason: String, limit: MediaLimits.Name? = nil
    ) {
        self.kind = kind
        self.code = code
        self.operation = operation
        self.limit = limit
        self.reason = reason.printable(limit: 200)
    }

    package var description: String { "\(operation.rawValue): \(reason)" }
    package static var errorDomain: String { "FFmpegErrorDomain" }
    /// FFmpeg's own.
    package var errorCode: Int { Int(code) }

    /// What is said of bytes that no format known here begins with.
    private static let unknownFormat = "not a media file of a known format"
    /// What is said of a file without any bytes, which is of no format either.
    static let emptyFile = "the file is empty"

    /// Whether the file is of no known format, rather than a damaged one of a known format.
    package var isOfUnknownFormat: Bool {
        operation == .open && kind == .damaged && [Self.unknownFormat, Self.emptyFile].contains(reason)
    }
}

extension FFmpegError {
    /// Makes the error for a negative return code, the only place that does.
    init(code: Int32, operation: Operation, interrupt: Interrupt?, logLine: String?) {
        let state = interrupt?.state ?? Interrupt.State.none
        if state == .deadline {
            self = .outOfTime(operation, code: code)
            return
        }
        if state == .none, let error = FFmpegError(limitIn: logLine, operation: operation) {
            self = error
            return
        }
        let (kind, reason): (Kind, String) =
            switch (code, state) {
            case (_, .cancelled): (.cancelled, "cancelled")
            case (oav_error_posix(ENOENT), _): (.noSuchInput, "no such file")
            case (oav_error_posix(EACCES), _): (.noSuchInput, "permission denied")
            case (oav_error_posix(EISDIR), _): (.noSuchInput, "is a directory")
            case _ where logLine?.hasPrefix("Format not on whitelist") == true:
                (
                    .unsupported,
                    "this format is not allowed, because it can make a reader open other files or is rarely used"
                )
            case (oav_error_invalid_data, _) where operation == .open && logLine == nil:
                (.damaged, Self.unknownFormat)
            default: Self.classified(code, operation, logLine)
            }
        self.init(kind: kind, code: code, operation: operation, reason: reason)
    }

    /// Makes the error for libraries that cannot be loaded.
    init(unloaded reason: UnsafePointer<CChar>, kind: Kind, operation: Operation) {
        let reason = String(cString: reason)
        // The loader's words where there is no room for one of them.
        if ["failed to map segment", "annot allocate memory"].contains(where: { reason.contains($0) }) {
            self.init(code: oav_error_posix(ENOMEM), operation: operation, interrupt: nil, logLine: nil)
        } else if reason.contains("Input/output error") {
            self.init(kind: .inputOutput, code: oav_error_posix(EIO), operation: operation, reason: reason)
        } else {
            self.init(kind: kind, operation: operation, reason: reason)
        }
    }

    /// The error for work that took too long.
    static func outOfTime(_ operation: Operation, code: Int32 = 0) -> FFmpegError {
        operation == .open
            ? FFmpegError(
                kind: .limit, code: code, operation: operation, reason: "the time limit for opening was reached",
                limit: .openTime)
            : FFmpegError(
                kind: .limit, code: code, operation: operation, reason: "the time limit was reached", limit: .time)
    }

    /// The error for a limit of ours that FFmpeg keeps and tells of in its log only.
    ///
    /// Source: libavformat/options.c (`avformat_new_stream`), libavutil/imgutils.c (`av_image_check_size2`),
    /// libavcodec/decode.c (`ff_get_buffer`).
    init?(limitIn logLine: String?, operation: Operation) {
        guard let logLine else { return nil }
        if logLine.hasPrefix("Number of "), logLine.contains(" exceeds max_streams") {
            let number = logLine.drop { $0 != "(" }.dropFirst().prefix { $0.isNumber }
            self.init(
                kind: .limit, operation: operation, reason: "there are more streams than the limit of \(number)",
                limit: .streams)
        } else if logLine.contains("exceeds specified max pixel count") {
            let words = logLine.prefix { $0 != "," }.split(separator: " ")
            let size = words.first { $0.first?.isNumber == true && $0.contains("x") } ?? "unknown size"
            self.init(
                kind: .limit, operation: operation,
                reason: "a picture of \(size) is over the limit of \(words.last ?? "so many") pixels", limit: .pixels)
        } else if logLine.contains("get_buffer() failed") {
            // Some decoders take a picture that there is no memory for as damaged, and go on.
            self.init(
                kind: .limit, code: oav_error_posix(ENOMEM), operation: operation, reason: "not enough memory")
        } else {
            return nil
        }
    }

    /// The error's kind by its code, and what that means in our words; FFmpeg's stand behind them.
    private static func classified(_ code: Int32, _ operation: Operation, _ logLine: String?) -> (Kind, String) {
        let said = logLine ?? text(code)
        switch code {
        case oav_error_posix(ENOMEM): return (.limit, "not enough memory" + (logLine.map { " (\($0))" } ?? ""))
        case oav_error_posix(EIO) where said.hasPrefix("File ended prematurely"):
            return (.damaged, "the file is cut short (\(said))")
        case oav_error_posix(EIO):
            return (.inputOutput, (operation == .write ? "writing failed" : "reading failed") + " (\(said))")
        case _ where unsupportedCodes.contains(code):
            return (.unsupported, "\(operation.isOutput ? "this cannot be made" : "this is not supported") (\(said))")
        // What the caller makes is not damaged, unless it copies what is; it can only
        // ask for what cannot be done.
        case oav_error_posix(EINVAL) where operation.isOutput: return (.unsupported, "this cannot be made (\(said))")
        // Muxers that look into what they are given return -1 for what they find wrong with it (libavformat/movenc.c,
        // matroskaenc.c); no file of ours is written by them.
        case oav_error_posix(EPERM) where operation == .write: return (.damaged, damage(operation, said))
        case _ where code != oav_error_invalid_data && operation.isOutput:
            return (.other, "\(operation.rawValue) failed (\(said))")
        default: return (.damaged, damage(operation, said))
        }
    }

    /// What is damaged.
    private static func damage(_ operation: Operation, _ said: String) -> String {
        switch (operation, said) {
        case (.open, "moov atom not found"):
            "the file's index (moov) is missing: the recording or the download was not finished"
        case (.open, _) where said.hasPrefix("EBML header parsing failed"):
            "the header of the Matroska file is damaged (\(said))"
        case (.open, _) where said.hasPrefix("Error when loading first segment"):
            "the first file that the playlist names is not opened, or is no media file (\(said))"
        case (.open, _): "the file is damaged, or not of the kind that its first bytes suggest (\(said))"
        case (.read, _): "the file is damaged where it was read (\(said))"
        case (.decode, _): "the coded data are damaged (\(said))"
        default: "the data are damaged (\(said))"
        }
    }

    /// The error for an address that gave nothing.
    func ofAddress(_ code: Int32, logLine: String?) -> FFmpegError {
        FFmpegError(
            kind: .noSuchInput, code: code, operation: operation,
            reason: "the address cannot be opened (\(logLine ?? Self.text(code)))")
    }

    private static let unsupportedCodes: Set<Int32> = [
        oav_error_decoder_not_found, oav_error_demuxer_not_found, oav_error_patch_welcome, oav_error_encoder_not_found,
        oav_error_muxer_not_found, oav_error_filter_not_found, oav_error_bsf_not_found, oav_error_option_not_found,
        oav_error_experimental,
    ]

    private static func text(_ code: Int32) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { buffer in
            guard let base = buffer.baseAddress, av_strerror(code, base, buffer.count) == 0 else {
                return "error \(code)"
            }
            return String(cString: base)
        }
    }
}
