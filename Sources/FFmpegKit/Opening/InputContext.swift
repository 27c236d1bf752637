internal import CFFmpeg
package import MediaIO

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// An open input: FFmpeg's context and what its bytes come from.
///
/// Whatever else a format opens comes through ``NestedFiles`` or not at all.
final class InputContext {
    let pointer: UnsafeMutablePointer<AVFormatContext>
    /// Whether ``pointer`` was freed by the call that failed to open it.
    private var isGone = false
    private let pipe: PipeInput?
    private let nested: NestedFiles?
    /// The boxes of a file, where it is one.
    private(set) var boxes: MovieBoxes?
    /// Numbers of tracks whose samples lie in other files.
    private(set) var foreignTracks: Set<Int> = []

    private init(
        adopting context: UnsafeMutablePointer<AVFormatContext>, pipe: PipeInput?, nested: NestedFiles?
    ) {
        (pointer, self.pipe, self.nested) = (context, pipe, nested)
    }

    deinit {
        guard !isGone else { return }
        var io = UnsafeMutableRawPointer(pointer.pointee.pb)
        var owned: UnsafeMutablePointer<AVFormatContext>? = pointer
        avformat_close_input(&owned)
        oav_input_close(&io)
    }

    /// Opens an input and reads its header.
    ///
    /// - Parameter content: What the input was found to be; a pipe that has been read to its end is a file.
    static func open(
        _ media: MediaInput, _ content: MediaInput.Content, policy: SafetyPolicy, probesFurther: Bool = false,
        interrupt: Interrupt, log: LogCapture
    ) throws(FFmpegError) -> InputContext {
        // Whatever reads a film comes by here first.
        if let reason = oav_load_media_libraries() {
            throw FFmpegError(unloaded: reason, kind: .other, operation: .open)
        }
        guard let context = avformat_alloc_context() else {
            throw FFmpegError(code: oav_error_posix(ENOMEM), operation: .open, interrupt: nil, logLine: nil)
        }
        var pipe: PipeInput?
        if case .pipe(let spool) = content { pipe = PipeInput(spool, interrupt: interrupt) }
        let nested = NestedFiles(for: media, content, policy: policy, interrupt: interrupt)
        let input = InputContext(adopting: context, pipe: pipe, nested: nested)
        if case .file(let file) = content {
            let boxes = MovieBoxes(of: file)
            if let objection = MovieClaims.objection(to: boxes) {
                throw FFmpegError(kind: .limit, operation: .open, reason: objection)
            }
            (input.boxes, input.foreignTracks) = (boxes, ForeignSamples.trackIDs(in: boxes))
        }
        var code = input.configure(probesFurther ? policy.probingFurther : policy)
        if code >= 0 { code = log.capturing { input.attach(content, policy, interrupt) } }
        guard code >= 0 else {
            let error = input.failure(code, .open, interrupt, log.lastError)
            guard case .address = content, interrupt.state == .none else { throw error }
            throw error.ofAddress(code, logLine: log.lastError)
        }
        try input.readHeader(interrupt, log, probesFurther: probesFurther)
        return input
    }

    private func configure(_ policy: SafetyPolicy) -> Int32 {
        pointer.pointee.max_streams = Int32(clamping: policy.limits.streams)
        pointer.pointee.probesize = policy.limits.probeSize
        pointer.pointee.max_analyze_duration = policy.analyzeDuration
        pointer.pointee.opaque = nested.map { UnsafeMutableRawPointer($0.pointer) }
        // No protocol: what a format opens past the hook for that is refused.
        for (option, value) in [
            ("format_whitelist", policy.formatAllowlist), ("codec_whitelist", policy.codecAllowlist),
            ("protocol_whitelist", "none"),
        ] {
            let code = av_opt_set(pointer, option, value, 0)
            guard code >= 0 else { return code }
        }
        return 0
    }

    private func attach(
        _ content: MediaInput.Content, _ policy: SafetyPolicy, _ interrupt: Interrupt
    ) -> Int32 {
        switch content {
        case .file(let file): return attach(file, interrupt)
        case .address(let address):
            return oav_input_attach(pointer, address, SafetyPolicy.networkProtocols, interrupt.pointer)
        case .pipe:
            return pipe?.attach(to: pointer) ?? oav_error_posix(EINVAL)
        }
    }

    private func attach(_ file: RandomAccessFile, _ interrupt: Interrupt) -> Int32 {
        guard let descriptor = file.duplicate() else { return oav_error_posix(errno) }
        let end = file.startOfHole.flatMap { Int64(exactly: $0) } ?? Int64.max
        let patches =
            boxes.map { UnneededBoxes.patches(in: $0) + OpenEdits.patches(in: $0) + ManyTags.patches(in: $0) } ?? []
        return oav_input_attach_file(pointer, descriptor, end, patches, Int32(patches.count), interrupt.pointer)
    }

    private func readHeader(
        _ interrupt: Interrupt, _ log: LogCapture, probesFurther: Bool
    ) throws(FFmpegError) {
        let io = UnsafeMutableRawPointer(pointer.pointee.pb)
        var opened: UnsafeMutablePointer<AVFormatContext>? = pointer
        var options: OpaquePointer?
        defer { av_dict_free(&options) }
        // Transport streams may name further streams later; other demuxers do not know the option.
        if probesFurther { av_dict_set(&options, "scan_all_pmts", "1", 0) }
        // Whether a name may be opened is for us to say, whatever it ends in.
        if nested != nil {
            for (name, value) in [("allowed_extensions", "ALL"), ("extension_picky", "0")] {
                av_dict_set(&options, name, value, 0)
            }
        }
        // Without a name, the format is told by the bytes alone.
        let code = log.capturing {
            (nested?.address ?? "").withPathBytes { avformat_open_input(&opened, $0, nil, &options) }
        }
        guard code < 0 else {
            // Some versions go on without the tracks that are too many.
            guard let error = FFmpegError(limitIn: log.lastError, operation: .open), error.limit == .streams else {
                return
            }
            throw error
        }
        // The context is gone; its bytes' source is not.
        isGone = true
        var owned = io
        let unread = io.flatMap { Self.readFailure(of: $0.assumingMemoryBound(to: AVIOContext.self), .open) }
        let error = failure(code, .open, interrupt, log.lastError)
        oav_input_close(&owned)
        throw unread ?? error
    }

    /// The error for a call that failed: what lies behind it, where that is known.
    func failure(
        _ code: Int32, _ operation: FFmpegError.Operation, _ interrupt: Interrupt, _ logLine: String?
    ) -> FFmpegError {
        if interrupt.state == .none, let known = refusal(operation) ?? pipe?.failure { return known }
        // Demuxers say that reading failed where a file ends too early; what the system did not read is known.
        let isDamage =
            code == oav_error_posix(EIO) && !isGone && nested == nil && pointer.pointee.pb != nil
            && readFailure(operation) == nil
        return FFmpegError(
            code: isDamage ? oav_error_invalid_data : code, operation: operation, interrupt: interrupt,
            logLine: isDamage ? logLine ?? "it ends too early" : logLine)
    }

    /// The error for a file that the input names and that was not opened.
    func refusal(_ operation: FFmpegError.Operation) -> FFmpegError? {
        guard let refusal = nested?.refusal else { return nil }
        let isMissing = refusal.hasSuffix("no such file")
        return FFmpegError(
            kind: isMissing ? .damaged : .unsupported, operation: operation,
            reason: "the playlist names \(refusal)")
    }

    /// Whether the bytes are those of a playlist, not of the media.
    var isPlaylist: Bool { nested != nil && String(cString: pointer.pointee.iformat.pointee.name) == "hls" }

    /// The error for bytes that the system did not read: of the pipe, or of the file.
    ///
    /// Demuxers take what cannot be read for the end, or for damage, and go on.
    func readFailure(_ operation: FFmpegError.Operation) -> FFmpegError? {
        pipe?.failure ?? pointer.pointee.pb.flatMap { Self.readFailure(of: $0, operation) }
    }

    private static func readFailure(
        of io: UnsafeMutablePointer<AVIOContext>, _ operation: FFmpegError.Operation
    ) -> FFmpegError? {
        let code = io.pointee.error
        guard code != 0 else { return nil }
        // Other codes are those of places that there are not, of the network, and of what stops the reading on purpose.
        guard [EIO, ESTALE, ENODEV, ENXIO].map({ oav_error_posix($0) }).contains(code) else { return nil }
        return FFmpegError(code: oav_error_posix(EIO), operation: operation, interrupt: nil, logLine: nil)
    }
}

extension FFmpegError {
    /// The error for a media file that cannot be opened.
    package init(_ error: MediaInputError) {
        switch error.kind {
        case .missing: self.init(noInput: "no such file", error.code)
        case .denied: self.init(noInput: "permission denied", error.code)
        case .folder: self.init(noInput: "is a directory", error.code)
        case .otherKind: self.init(noInput: "not a regular file or a pipe", error.code)
        case .unreadable:
            self.init(code: oav_error_posix(error.code), operation: .open, interrupt: nil, logLine: nil)
        case .pipe(let error): self.init(error, operation: .open)
        }
    }

    private init(noInput reason: String, _ systemError: Int32) {
        self.init(kind: .noSuchInput, code: -systemError, operation: .open, reason: reason)
    }

    /// Why an address is not opened; `nil` if it may be.
    static func objection(toAddress address: String, _ policy: SafetyPolicy) -> FFmpegError? {
        guard policy.allowsNetwork else {
            return FFmpegError(
                kind: .networkNotAllowed, operation: .open, reason: "an address; the network is not allowed")
        }
        guard ["http://", "https://"].contains(where: { address.lowercased().hasPrefix($0) }) else {
            return FFmpegError(
                kind: .unsupported, operation: .open,
                reason: "of all addresses, only those of http and https are opened")
        }
        return nil
    }
}

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
