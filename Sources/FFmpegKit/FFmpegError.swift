internal import CLibAV
internal import MediaErrors
internal import MediaText

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

    package init(kind: Kind, code: Int32 = 0, operation: Operation, reason: String) {
        self.kind = kind
        self.code = code
        self.operation = operation
        self.reason = reason.printable(limit: 200)
    }

    package var description: String { "\(operation.rawValue): \(reason)" }
    package static var errorDomain: String { "FFmpegErrorDomain" }
    /// FFmpeg's own.
    package var errorCode: Int { Int(code) }

    /// What is said of bytes that no format known here begins with.
    private static let unknownFormat = "not a media file of a known format"

    /// Whether the file is of no known format, rather than a damaged one of a known format.
    package var isOfUnknownFormat: Bool { operation == .open && kind == .damaged && reason == Self.unknownFormat }
}

extension FFmpegError {
    /// Makes the error for a negative return code, the only place that does.
    init(code: Int32, operation: Operation, interrupt: Interrupt?, logLine: String?) {
        let (kind, reason): (Kind, String) =
            switch (code, interrupt?.state ?? .none) {
            case (_, .cancelled): (.cancelled, "cancelled")
            case (_, .deadline): (.limit, "the time limit was reached")
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
