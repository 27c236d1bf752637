internal import CFFmpeg
internal import MediaCore
internal import MediaIO

/// A decoder of one stream of pictures or of sound.
///
/// With one thread, each picture is decoded inside the call that sends its
/// packet, so that what FFmpeg logs meanwhile belongs to that packet. With
/// several, what is logged belongs to a packet sent not long before.
package final class Decoder {
    private let context: UnsafeMutablePointer<AVCodecContext>
    private let log = LogCapture()
    private let hasThreads: Bool
    private let isSound: Bool
    /// The limit on its pictures' pixels.
    private let pixelLimit: MediaLimits.Name
    /// What is known of its pictures' colors; `nil` for sound.
    private var colors: StoredColors?
    /// The shape of pixels that frames may change; `nil` where it goes for all.
    private var aspectRatio: Ratio?
    private var isDraining = false
    /// For speech of which a sample holds several frames.
    private var speech: PackedSpeech?
    /// That of the packet that was sent last.
    private var number: Int64 = 0
    /// A packet that waits until all frames before it are out, as it has the decoder begin anew.
    private var waiting: (packet: Packet, number: Int64, skipsIfUnreferenced: Bool, outputsUnrecovered: Bool)?
    /// Whether nothing was sent since the decoder was emptied.
    private var isEmpty = true

    package enum Output {
        case frame(Frame)
        case needsPacket
        case end
    }

    /// Who decodes.
    package enum Threading: Sendable, Equatable {
        /// The thread that calls.
        case single
        /// Several pictures at a time; output is as many pictures later. Zero
        /// threads for as many as there are cores.
        case frames(Int)
        /// Parts of one picture at a time, where the stream is coded so.
        case slices(Int)
    }

    private init(adopting context: UnsafeMutablePointer<AVCodecContext>, hasThreads: Bool, pixelLimit: MediaLimits.Name)
    {
        self.context = context
        self.hasThreads = hasThreads
        isSound = context.pointee.codec_type == AVMEDIA_TYPE_AUDIO
        if hasThreads { log.share(with: context) }
        self.pixelLimit = pixelLimit
    }

    deinit {
        var owned: UnsafeMutablePointer<AVCodecContext>? = context
        avcodec_free_context(&owned)
    }

    private static let alphaDecoders = [Codec.vp8: "libvpx", .vp9: "libvpx-vp9"]

    static func open(
        _ parameters: UnsafeMutablePointer<AVCodecParameters>, timeBase: AVRational, hasAlpha: Bool,
        aspectRatio: Ratio? = nil, policy: SafetyPolicy, pixelLimit: MediaLimits.Name = .pixels, threading: Threading
    ) throws(FFmpegError) -> Decoder {
        let name = Codec(parameters.pointee)
        // FFmpeg's own VP8 and VP9 decoders leave the alpha layer out.
        let alphaDecoder = hasAlpha ? Self.alphaDecoders[name].flatMap { avcodec_find_decoder_by_name($0) } : nil
        let availability = DecoderAvailability(parameters.pointee.codec_id, policy)
        if let objection = availability.objection(to: name) {
            throw FFmpegError(kind: .unsupported, operation: .decode, reason: objection)
        }
        guard let codec = alphaDecoder ?? avcodec_find_decoder(parameters.pointee.codec_id) else {
            throw FFmpegError(
                kind: .unsupported, operation: .decode, reason: "there is no decoder for the codec \(name)")
        }
        guard let context = avcodec_alloc_context3(codec) else {
            throw FFmpegError(kind: .limit, operation: .decode, reason: "not enough memory")
        }
        let decoder = Decoder(
            adopting: context, hasThreads: threading != .single, pixelLimit: pixelLimit)
        try decoder.check(avcodec_parameters_to_context(context, parameters))
        context.pointee.pkt_timebase = timeBase
        if !decoder.isSound { decoder.colors = StoredColors(parameters.pointee) }
        decoder.aspectRatio = aspectRatio
        decoder.removePackedChunks()
        decoder.speech = PackedSpeech(context.pointee)
        switch threading {
        case .single: context.pointee.thread_count = 1
        case .frames(let count):
            context.pointee.thread_count = Int32(clamping: max(0, count))
            context.pointee.thread_type = FF_THREAD_FRAME | FF_THREAD_SLICE
        case .slices(let count):
            context.pointee.thread_count = Int32(clamping: max(0, count))
            context.pointee.thread_type = FF_THREAD_SLICE
        }
        context.pointee.max_pixels = policy.limits.pixels(pixelLimit, codec.pointee.id)
        oav_decoder_enable_labels(context)
        try decoder.check(decoder.log.capturing { avcodec_open2(context, codec, nil) })
        return decoder
    }

    /// How many threads decode.
    package var threadCount: Int { Int(max(1, context.pointee.thread_count)) }

    /// Whether pictures come out that the decoder does not hold for whole yet,
    /// because it did not start at a picture that resets it.
    ///
    /// Without this, FFmpeg's H.264 decoder also loses the last pictures of a
    /// stream when it was entered at a recovery point.
    package var outputsUnrecovered: Bool {
        get { context.pointee.flags & AV_CODEC_FLAG_OUTPUT_CORRUPT != 0 }
        set {
            if newValue {
                context.pointee.flags |= AV_CODEC_FLAG_OUTPUT_CORRUPT
            } else {
                context.pointee.flags &= ~AV_CODEC_FLAG_OUTPUT_CORRUPT
            }
        }
    }

    /// The pictures whose blocks' edges are left as they were decoded.
    package enum UnfilteredPictures: Sendable {
        case none
        /// Those that no other picture refers to: what is wrong with them stays in them.
        case unreferenced
        /// All, and with what else the codec can do faster: each picture is a little
        /// further from what it should be until the next keyframe.
        case all
    }

    /// Which pictures are decoded without the filter in the loop; none at first.
    package func leaveUnfiltered(_ pictures: UnfilteredPictures) {
        context.pointee.skip_loop_filter =
            switch pictures {
            case .none: AVDISCARD_DEFAULT
            case .unreferenced: AVDISCARD_NONREF
            case .all: AVDISCARD_ALL
            }
        if pictures == .all { context.pointee.flags2 |= AV_CODEC_FLAG2_FAST }
    }

    /// What was logged since the last call.
    private var logged: String? { hasThreads ? log.take() : log.lastError }

    /// What was complained of since the last call; throws if that was of a limit.
    private func takeComplaint() throws(FFmpegError) -> Complaint? {
        guard let logged else { return nil }
        try checkLimit(logged)
        return Complaint(ofDecoder: logged, isSound: isSound)
    }

    private func checkLimit(_ logged: String?) throws(FFmpegError) {
        guard let error = FFmpegError(limitIn: logged, operation: .decode) else { return }
        guard error.limit == .pixels else { throw error }
        throw FFmpegError(kind: .limit, operation: .decode, reason: error.reason, limit: pixelLimit)
    }

    /// Forgets what was logged by earlier calls.
    private func clearLog() { if !hasThreads { log.clear() } }

    /// Sends a packet under a number of its own; `nil` ends the stream.
    ///
    /// - Parameter skipsIfUnreferenced: Leaves the packet undecoded if no other
    ///   picture refers to it.
    /// - Returns: Why the packet could not be decoded, or only with errors;
    ///   `nil` if all is well.
    package func send(_ packet: Packet?, number: Int64, skipsIfUnreferenced: Bool = false) throws(FFmpegError)
        -> Complaint?
    {
        clearLog()
        if let packet, packet.beginsAnew, !isEmpty {
            waiting = (packet, number, skipsIfUnreferenced, outputsUnrecovered)
            // What is left comes out as it does where more follows.
            outputsUnrecovered = true
            return try send(nil, number: number)
        }
        let packet = try packet.map { packet throws(FFmpegError) in try prepared(packet) }
        isEmpty = false
        if let packet {
            self.number = number
            oav_decoder_label_packet(context, packet.pointer, number)
            context.pointee.skip_frame = skipsIfUnreferenced ? AVDISCARD_NONREF : AVDISCARD_DEFAULT
        } else {
            isDraining = true
        }
        let code = log.capturing { avcodec_send_packet(context, packet?.pointer) }
        if code == oav_error_posix(ENOMEM) { try check(code) }
        if code < 0, code != oav_error_eof {
            return try failure(code)
        }
        return try takeComplaint()
    }

    private func prepared(_ packet: Packet) throws(FFmpegError) -> Packet {
        guard let part = try speech?.divide(packet) else { return try withoutPackedChunks(packet) }
        return part
    }

    /// A picture without what its decoder would unpack to any size.
    private func withoutPackedChunks(_ packet: Packet) throws(FFmpegError) -> Packet {
        guard isPNG, let bytes = packet.withBytes({ PackedChunks.without($0) }) else { return packet }
        return try packet.replacingData(with: bytes)
    }

    private var isPNG: Bool { [AV_CODEC_ID_PNG, AV_CODEC_ID_APNG].contains(context.pointee.codec_id) }

    /// Takes the same out of what all pictures of an animation share.
    private func removePackedChunks() {
        guard isPNG, let shared = context.pointee.extradata, context.pointee.extradata_size > 0,
            let bytes = PackedChunks.without(
                UnsafeRawBufferPointer(start: shared, count: Int(context.pointee.extradata_size)))
        else { return }
        for (index, byte) in bytes.enumerated() { shared[index] = byte }
        context.pointee.extradata_size = Int32(bytes.count)
    }

    /// Sends a packet of which nothing but the headers are there.
    ///
    /// What the decoder says of the missing data is of no interest.
    ///
    /// - Returns: Whether the decoder took note of the picture.
    package func send(hollow packet: Packet, number: Int64) throws(FFmpegError) -> Bool {
        oav_decoder_label_packet(context, packet.pointer, number)
        context.pointee.skip_frame = AVDISCARD_DEFAULT
        // Repairing what will be thrown away takes as long as decoding it.
        let concealment = context.pointee.error_concealment
        context.pointee.error_concealment = 0
        defer { context.pointee.error_concealment = concealment }
        let code = log.capturing { avcodec_send_packet(context, packet.pointer) }
        log.clear()
        if code == oav_error_posix(ENOMEM) { try check(code) }
        return code >= 0
    }

    /// The next picture in presentation order, with what was complained of meanwhile.
    package func receive() throws(FFmpegError) -> (output: Output, complaint: Complaint?) {
        clearLog()
        let frame = Frame()
        var failed: Complaint?
        // While draining, a picture that fails is followed by others; the bound
        // is there for a decoder that fails for ever.
        for _ in 0..<256 {
            let code = log.capturing { avcodec_receive_frame(context, frame.pointer) }
            switch code {
            case 0...:
                let complaint = try takeComplaint()
                colors?.complete(&frame.pointer.pointee)
                if let aspectRatio, let own = frame.sampleAspectRatio, own.value != aspectRatio.value {
                    frame.changedAspectRatio = own
                }
                return (.frame(frame), failed ?? complaint)
            case oav_error_posix(EAGAIN):
                guard let part = speech?.next() else { return (.needsPacket, try takeComplaint()) }
                oav_decoder_label_packet(context, part.pointer, number)
                let code = log.capturing { avcodec_send_packet(context, part.pointer) }
                if code == oav_error_posix(ENOMEM) { try check(code) }
                if code < 0 { failed = try failure(code) }
            case oav_error_eof:
                let complaint = try takeComplaint()
                guard let waiting else { return (.end, failed ?? complaint) }
                failed = failed ?? complaint
                flush()
                let sent = try send(
                    waiting.packet, number: waiting.number, skipsIfUnreferenced: waiting.skipsIfUnreferenced)
                failed = failed ?? sent
            case oav_error_posix(ENOMEM): try check(code)
            default:
                failed = try failure(code)
                if !isDraining { return (.needsPacket, failed) }
            }
        }
        return (.end, failed ?? Complaint(reason: "the decoder cannot finish"))
    }

    /// Forgets everything, for a new entry into the stream.
    package func flush() {
        avcodec_flush_buffers(context)
        if let waiting { outputsUnrecovered = waiting.outputsUnrecovered }
        (isDraining, isEmpty, waiting) = (false, true, nil)
        speech?.removeAll()
        log.clear()
    }

    private func failure(_ code: Int32) throws(FFmpegError) -> Complaint {
        let logged = logged
        try checkLimit(logged)
        return Complaint(FFmpegError(code: code, operation: .decode, interrupt: nil, logLine: logged))
    }

    private func check(_ code: Int32) throws(FFmpegError) {
        guard code < 0 else { return }
        throw FFmpegError(code: code, operation: .decode, interrupt: nil, logLine: logged)
    }
}
