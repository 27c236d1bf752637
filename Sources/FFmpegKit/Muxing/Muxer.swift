internal import CFFmpeg
internal import MediaCore

/// A media file that is being written, to a sink rather than to a path.
///
/// Streams are added, then ``start(options:)`` writes the header, packets follow
/// in any interleaving, and ``finish()`` completes the file. Without it, what
/// was written is no whole file. One thread at a time may use it. The methods
/// that write throw ``FFmpegError``, or what the sink threw.
package final class Muxer {
    private enum State { case adding, writing, finished, failed }

    private struct Output {
        var order: DecodeOrder
        /// For coded sound, how many samples a packet lasts if it does not tell.
        var frameSamples: Int32
        var sampleRate: Int32
        /// Where the next packet of copied sound is due, in samples.
        var nextSample: Int64 = oav_nopts
        /// Samples of 1/48000 s by which readers will take the sound for earlier than its times say.
        var delay: Int64 = 0
        /// The average rate while it is hidden.
        var frameRate: AVRational?
        /// How long a picture lasts that does not tell, in the output's ticks.
        var frameDuration: Int64 = 0
        var isSound: Bool
        var isTimed: Bool
        /// Cover art, which has no time.
        var isPicture: Bool
        /// How long the last packet lasts, in the output's ticks.
        var lastDuration: Int64 = 0
    }

    private let context: UnsafeMutablePointer<AVFormatContext>
    private let sink: SinkBox
    private let log = LogCapture()
    private var state = State.adding
    private var outputs: [Output] = []
    let format: ContainerFormat
    /// Whether pictures of MP4 and MOV files that do not tell how long they last get the average length.
    ///
    /// Not where a file ends at a time of its own: the last picture would reach beyond it.
    package var givesMissingDurations = true
    /// Packets written so far.
    private(set) var packetsWritten = 0

    private init(adopting context: UnsafeMutablePointer<AVFormatContext>, sink: SinkBox, format: ContainerFormat) {
        self.context = context
        self.sink = sink
        self.format = format
    }

    deinit {
        var io = UnsafeMutableRawPointer(context.pointee.pb)
        avformat_free_context(context)
        oav_output_close(&io)
    }

    /// Prepares a file of a format; nothing is written yet.
    package static func open(_ format: ContainerFormat, sink: any MuxerSink) throws -> Muxer {
        var raw: UnsafeMutablePointer<AVFormatContext>?
        let code = avformat_alloc_output_context2(&raw, format.muxer, nil, nil)
        guard code >= 0, let raw else {
            throw FFmpegError(code: code, operation: .write, interrupt: nil, logLine: nil)
        }
        let muxer = Muxer(adopting: raw, sink: SinkBox(sink), format: format)
        try muxer.check(muxer.sink.attach(to: raw))
        // As the ffmpeg command has it; 0.7 s between the clock and the pictures of a transport stream.
        raw.pointee.max_delay = 700_000
        raw.pointee.flush_packets = 0
        // Dolby Vision, stereo and spherical video are not in the containers' own
        // standards; FLAC in MP4 is, but FFmpeg 5.1 calls it experimental.
        raw.pointee.strict_std_compliance = FF_COMPLIANCE_EXPERIMENTAL
        return muxer
    }

    // MARK: Before the header

    /// The file's own metadata by FFmpeg's keys, as far as the muxer writes it.
    package func setMetadata(_ metadata: [String: String]) {
        av_dict_free(&context.pointee.metadata)
        for (key, value) in metadata.sorted(by: { $0.key < $1.key }) {
            av_dict_set(&context.pointee.metadata, key, value, 0)
        }
    }

    /// Adds a stream.
    ///
    /// - Returns: Its index.
    package func addStream(_ coded: CodedStream) throws(FFmpegError) -> Int {
        let (parameters, traits) = (coded.parameters.pointer, coded.traits)
        try expect(.adding)
        let codec = Codec(parameters.pointee)
        let isPicture = traits.disposition.contains(.attachedPicture)
        let isAttachment = parameters.pointee.codec_type == AVMEDIA_TYPE_ATTACHMENT && format.container == .matroska
        let isDescribedLater =
            parameters.pointee.codec_type == AVMEDIA_TYPE_DATA && parameters.pointee.codec_id == AV_CODEC_ID_BIN_DATA
            && format.container.isMovie
        guard isAttachment || isDescribedLater || format.canHold(codec: codec, isAttachedPicture: isPicture) else {
            throw FFmpegError(
                kind: .unsupported, operation: .write, reason: "\(format.container) cannot hold the codec \(codec)")
        }
        let layout = StreamInfo.fourCharacterCode(parameters.pointee.codec_tag)
        guard codec != .uncompressedVideo || format.canHold(uncompressed: layout) else {
            throw FFmpegError(
                kind: .unsupported, operation: .write,
                reason: "\(format.container) cannot hold uncompressed pictures as they are"
                    + (layout.isEmpty ? "" : ", in the layout \(layout)"))
        }
        guard let stream = avformat_new_stream(context, nil), let target = stream.pointee.codecpar else {
            throw FFmpegError(kind: .limit, operation: .write, reason: "not enough memory")
        }
        try log.check(.write, avcodec_parameters_copy(target, parameters))
        oav_stream_clear_side_data(stream)
        try traits.apply(to: stream)
        target.pointee.codec_tag =
            traits.codecTag.flatMap(ContainerFormat.tag(fromText:))
            ?? format.tag(replacing: parameters.pointee.codec_tag, of: parameters.pointee.codec_id)
        if target.pointee.codec_tag == 0 { target.pointee.codec_tag = format.defaultTag(of: target.pointee.codec_id) }
        if format.container == .matroska {
            try QuickTimeDescription(target.pointee, original: traits.imageDescription)?.apply(to: target)
        }
        // Values that demuxers give for lack of better ones and that muxers would write as facts.
        let isMP3 = target.pointee.codec_id == AV_CODEC_ID_MP3 && [1, 576, 1152].contains(target.pointee.block_align)
        if isMP3 || target.pointee.codec_id == AV_CODEC_ID_AC3 { target.pointee.block_align = 0 }
        stream.pointee.time_base = AVRational(coded.timeBase)
        if let rate = coded.rate { stream.pointee.r_frame_rate = rate }
        if let ticks = coded.durationTicks { stream.pointee.duration = ticks }
        let forgetsDelay = format.container.isMatroska && oav_matroska_forgets_delay() != 0
        let isTimed = [AVMEDIA_TYPE_VIDEO, AVMEDIA_TYPE_AUDIO, AVMEDIA_TYPE_SUBTITLE].contains(
            target.pointee.codec_type)
        outputs.append(
            Output(
                order: DecodeOrder(
                    allowsEqual: format.allowsEqualDecodeTimes,
                    // Pictures of VP9 that are never shown share the times of others.
                    ignoresPrevious: !isTimed || target.pointee.codec_id == AV_CODEC_ID_VP9 && format.container != .avi),
                frameSamples: target.pointee.frame_size, sampleRate: target.pointee.sample_rate,
                delay: forgetsDelay && target.pointee.codec_id == AV_CODEC_ID_OPUS
                    ? Int64(max(0, target.pointee.initial_padding)) : 0,
                isSound: target.pointee.codec_type == AVMEDIA_TYPE_AUDIO && target.pointee.sample_rate > 0,
                isTimed: isTimed && !format.hasNoTimes, isPicture: isPicture))
        return Int(stream.pointee.index)
    }

    /// Writes the header.
    ///
    /// - Parameter options: The muxer's own and libavformat's general ones; an
    ///   unknown one is an error.
    package func start(options: [String: String] = [:]) throws {
        try expect(.adding)
        state = .failed
        var code: Int32 = 0
        try options.merging(format.options) { own, _ in own }.asOptions(
            for: "the container \(format.container)", operation: .write
        ) { options in
            code = log.capturing { avformat_init_output(context, &options) }
            // What failed names itself; an option is unknown only to a muxer that got that far.
            if code < 0 { av_dict_free(&options) }
        }
        try checkStart(code)
        try checkStart(log.capturing { avformat_write_header(context, nil) })
        if format.container.isMovie { hideFrameRates() }
        state = .writing
    }

    /// By the rate, libavformat would give a length to pictures that have none
    /// because they are not to be shown, and they would lengthen the edit list.
    private func hideFrameRates() {
        for index in outputs.indices {
            guard let stream = context.pointee.streams[index] else { continue }
            outputs[index].frameRate = stream.pointee.avg_frame_rate
            if let rate = Ratio(positive: stream.pointee.avg_frame_rate), !outputs[index].isSound {
                outputs[index].frameDuration = av_rescale_q(
                    1, AVRational(num: rate.denominator, den: rate.numerator), stream.pointee.time_base)
            }
            stream.pointee.avg_frame_rate = AVRational()
        }
    }

    /// The trailer of a timecode track wants it.
    private func showFrameRates() {
        for (index, output) in outputs.enumerated() {
            guard let rate = output.frameRate else { continue }
            context.pointee.streams[index]?.pointee.avg_frame_rate = rate
        }
    }

    /// In a GIF, libavformat would show the last picture for as long as the one before it.
    private func setFinalDelay() throws(FFmpegError) {
        guard format.container == .gif, let duration = outputs.first?.lastDuration, duration > 0 else { return }
        try log.check(.write, av_opt_set_int(context.pointee.priv_data, "final_delay", min(duration, 65535), 0))
    }

    // MARK: Packets

    /// How many packets of a stream had times that could not be written as they were.
    package func repairedTimes(ofStream index: Int) -> Int {
        outputs.indices.contains(index) ? outputs[index].order.repairs : 0
    }

    /// The four-character code of a stream in the file, known after the header was written.
    func codecTag(ofStream index: Int) -> String? {
        guard outputs.indices.contains(index), let stream = context.pointee.streams[index] else { return nil }
        return StreamInfo.fourCharacterCode(stream.pointee.codecpar.pointee.codec_tag)
    }

    /// How long packets may be kept while a stream has none, in microseconds of media.
    package var longestWait: Int64 {
        get { context.pointee.max_interleave_delta }
        set { context.pointee.max_interleave_delta = max(1, newValue) }
    }

    /// Writes a packet, or keeps it until packets of other streams come before it.
    ///
    /// - Parameter timeBase: The ticks of the packet's times.
    package func write(_ packet: Packet, toStream index: Int, timeBase: TimeBase) throws {
        try expect(.writing)
        guard outputs.indices.contains(index), let stream = context.pointee.streams[index] else {
            throw FFmpegError(kind: .other, operation: .write, reason: "there is no stream \(index)")
        }
        // Nothing but side data is what some encoders end with.
        guard packet.byteCount > 0 || packet.pointer.pointee.side_data_elems > 0 else { return }
        let copy = try packet.sharingData()
        try setTimes(of: copy, index: index, from: timeBase, to: stream.pointee.time_base)
        copy.pointer.pointee.stream_index = Int32(index)
        copy.pointer.pointee.pos = -1
        log.clear()
        try check(log.capturing { av_interleaved_write_frame(context, copy.pointer) })
        packetsWritten += 1
    }

    /// Completes the file; afterwards nothing more can be written.
    package func finish() throws {
        try expect(.writing)
        state = .failed
        log.clear()
        showFrameRates()
        try setFinalDelay()
        let code = log.capturing { () -> Int32 in
            let code = av_write_trailer(context)
            fillUp()
            avio_flush(context.pointee.pb)
            return code < 0 ? code : context.pointee.pb.pointee.error
        }
        try check(code)
        state = .finished
    }

    /// Readers recognise a transport stream by the beginnings of some packets in a row: a short one gets empty packets.
    private func fillUp() {
        guard format.container == .mpegTransportStream, !format.isForDisc, let file = context.pointee.pb else { return }
        let empty: [UInt8] = [0x47, 0x1f, 0xff, 0x10] + [UInt8](repeating: 0xff, count: 184)
        let count = Int64(empty.count)
        while avio_seek(file, 0, SEEK_CUR) < Self.shortestTransportStream * count {
            avio_write(file, empty, Int32(empty.count))
            if file.pointee.error < 0 { return }
        }
    }

    /// In packets; FFmpeg wants more than ten of 204 bytes.
    private static let shortestTransportStream: Int64 = 16

    private func setTimes(
        of packet: Packet, index: Int, from timeBase: TimeBase, to target: AVRational
    ) throws(FFmpegError) {
        // Beyond this, sums of times overflow inside FFmpeg: 2^60 nanoseconds are 36 years.
        let limit: Int64 = 1 << 60
        for ticks in [packet.presentationTicks, packet.decodeTicks].compactMap({ $0 }) where abs(ticks / 2) > limit / 2
        {
            throw FFmpegError(kind: .damaged, operation: .write, reason: "a time is beyond all limits")
        }
        let source = AVRational(timeBase)
        let delay = av_rescale_q(outputs[index].delay, AVRational(num: 1, den: 48000), source)
        func rescaled(_ ticks: Int64) -> Int64 {
            let rounding = AVRounding(rawValue: AV_ROUND_NEAR_INF.rawValue | AV_ROUND_PASS_MINMAX.rawValue)
            return av_rescale_q_rnd(ticks + delay, source, target, rounding)
        }
        var (presentation, decode) = (
            packet.presentationTicks.map(rescaled), packet.decodeTicks.map(rescaled)
        )
        let duration = max(0, packet.pointer.pointee.duration)
        if outputs[index].isSound, let ticks = packet.decodeTicks, packet.presentationTicks == ticks {
            // Containers with coarse ticks tell where a packet of sound starts to the
            // millisecond only; counting its samples gives the time that was meant.
            let rate = AVRational(num: 1, den: outputs[index].sampleRate)
            let samples = duration > 0 ? av_rescale_q(duration, source, rate) : 0
            let exact = outputs[index].frameSamples > 0 ? Int64(outputs[index].frameSamples) : samples
            decode = av_rescale_delta(
                source, ticks + delay, rate, Int32(clamping: exact), &outputs[index].nextSample, target)
            presentation = decode
        }
        if outputs[index].isPicture, presentation == nil { (presentation, decode) = (0, 0) }
        if !format.hasNoTimes {
            (presentation, decode) = outputs[index].order.placed(presentation: presentation, decode: decode)
        }
        // Muxers would take the decode time instead and so show pictures in the wrong order.
        guard presentation != nil || !outputs[index].isTimed else {
            throw FFmpegError(
                kind: .unsupported, operation: .write, reason: "a packet does not tell when it is to be shown")
        }
        packet.pointer.pointee.pts = presentation ?? oav_nopts
        packet.pointer.pointee.dts = decode ?? oav_nopts
        packet.pointer.pointee.duration =
            duration > 0 || packet.isDiscarded || !givesMissingDurations
            ? av_rescale_q(duration, source, target) : outputs[index].frameDuration
        outputs[index].lastDuration = packet.pointer.pointee.duration
    }

    // MARK: Failing

    private func expect(_ wanted: State) throws(FFmpegError) {
        guard state != wanted else { return }
        let reason =
            switch state {
            case .adding: "the header is not written yet"
            case .writing: "the header is written already"
            case .finished: "the file is complete already"
            case .failed: "writing failed before"
            }
        throw FFmpegError(kind: .other, operation: .write, reason: reason)
    }

    /// What a muxer refuses before it has got a packet is nothing that it can hold, rather than damaged.
    private func checkStart(_ code: Int32) throws {
        guard code == oav_error_invalid_data, sink.error == nil else { return try check(code) }
        let said = log.lastError.map { " (\($0))" } ?? ""
        throw FFmpegError(
            kind: .unsupported, operation: .write,
            reason: "\(format.container) files cannot hold a track as it is\(said)")
    }

    /// What the sink threw comes first: FFmpeg only knows that something failed.
    private func check(_ code: Int32) throws {
        if let error = sink.error {
            state = .failed
            throw error
        }
        try log.check(.write, code)
    }
}

/// Where a muxer's bytes go.
package protocol MuxerSink: AnyObject {
    /// Whether bytes before the end may be written again, as most containers
    /// want to do with their headers.
    var isSeekable: Bool { get }

    /// Takes bytes for a position: usually the end, sometimes before it or beyond it.
    ///
    /// What it throws is what the muxer's call throws. It is not called again
    /// afterwards.
    func write(_ bytes: UnsafeRawBufferPointer, at position: UInt64) throws
}

/// The sink as C sees it, and the error that it threw.
final class SinkBox {
    private let sink: any MuxerSink
    private(set) var error: (any Error)?

    init(_ sink: any MuxerSink) { self.sink = sink }

    /// Gives a format context this sink for its output.
    ///
    /// The context has to be done with it before the box goes.
    func attach(to context: UnsafeMutablePointer<AVFormatContext>) -> Int32 {
        let opaque = Unmanaged.passUnretained(self).toOpaque()
        let write: @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<UInt8>?, Int32, Int64) -> Int32 = {
            opaque, bytes, count, position in
            guard let opaque, let bytes, count >= 0, position >= 0 else { return oav_error_posix(EINVAL) }
            let box = Unmanaged<SinkBox>.fromOpaque(opaque).takeUnretainedValue()
            return box.write(UnsafeRawBufferPointer(start: bytes, count: Int(count)), at: UInt64(position))
        }
        return oav_output_attach(context, opaque, write, sink.isSeekable ? 1 : 0)
    }

    private func write(_ bytes: UnsafeRawBufferPointer, at position: UInt64) -> Int32 {
        guard error == nil else { return oav_error_posix(EIO) }
        do {
            try sink.write(bytes, at: position)
            return 0
        } catch {
            self.error = error
            return oav_error_posix(EIO)
        }
    }
}
