internal import CFFmpeg
package import MediaCore

/// Filters in FFmpeg's syntax, with the still frames that they get beside what is pushed.
///
/// What is pushed may be called `[in]` in the text, and what comes out `[out]`; each still frame has a name of its own
/// there. The text must hold nothing that comes from a file.
package struct FilterDescription: Sendable, ExpressibleByStringInterpolation {
    package var text: String
    /// The still frames by their names, each of which occurs in the text.
    package var stills: [String: Frame]

    package init(_ text: String, stills: [String: Frame] = [:]) { (self.text, self.stills) = (text, stills) }

    package init(stringLiteral text: String) { self.init(text) }
}

/// The filters for decoded frames of a format.
package typealias FilterChoice = @Sendable (FrameFormat) throws(FFmpegError) -> FilterDescription

/// Filters decoded frames: scales, converts, resamples, changes the rate.
///
/// The graph is made when the first frame comes, for what that frame is, and
/// made anew when a frame is something else: another size, another channel
/// layout. What the filters still held then comes out first. After each frame
/// pushed, frames are pulled until it needs another one. One thread at a time
/// may use it.
package final class FilterGraph {
    package enum Output {
        /// A frame whose ``Frame/presentationTicks`` count in the graph's ``FilterGraph/timeBase``.
        case frame(Frame)
        case needsFrame
        case end
    }

    package struct Configuration {
        /// The ticks of the frames pushed.
        var timeBase: TimeBase
        /// The rate of the frames pushed, where there is one.
        package var frameRate: Ratio?
        /// How many samples each frame of sound has to have that comes out, but
        /// the last; `nil` leaves it to the filters.
        package var frameSize: Int?
        /// Zero for as many as there are cores.
        package var threads = 0
        /// The filters for a frame that is pushed.
        var filters: FilterChoice

        package init(timeBase: TimeBase, filters: @escaping FilterChoice) {
            self.timeBase = timeBase
            self.filters = filters
        }
    }

    private let configuration: Configuration
    private var graph: FilterChain?
    private var key: FrameKey?
    /// Makes frames of sound of equal size, whatever graphs they come from.
    private var framing: FilterChain?
    private var pending: [Frame] = []
    private var isFinished = false
    /// How often the graph was made.
    private(set) var configurations = 0

    package init(_ configuration: Configuration) { self.configuration = configuration }

    /// Whether this FFmpeg has a filter of a name.
    package static func hasFilter(_ name: String) -> Bool {
        oav_load_filters() == nil && avfilter_get_by_name(name) != nil
    }

    /// The ticks of what comes out, known from the first frame on.
    package var timeBase: TimeBase? { (framing ?? graph)?.timeBase }
    /// The rate of what comes out, if it is a fixed one.
    var frameRate: Ratio? { graph?.frameRate }

    /// Pushes a frame.
    ///
    /// - Parameter ticks: Its time; `nil` for ``Frame/presentationTicks``.
    package func push(_ frame: Frame, atTicks ticks: Int64? = nil) throws(FFmpegError) {
        let copy = try frame.sharingData()
        copy.pointer.pointee.pts = ticks ?? frame.presentationTicks ?? oav_nopts
        if frame.isSound, copy.pointer.pointee.ch_layout.order == AV_CHANNEL_ORDER_UNSPEC {
            av_channel_layout_default(&copy.pointer.pointee.ch_layout, copy.pointer.pointee.ch_layout.nb_channels)
        }
        let key = FrameKey(copy)
        if graph == nil || key != self.key {
            try closeGraph()
            graph = try FilterChain.make(try configuration.filters(copy.format), for: copy, configuration)
            self.key = key
            configurations += 1
        }
        try graph?.push(copy)
    }

    /// Says that there are no more frames; those that remain have to be pulled.
    package func finish() throws(FFmpegError) {
        try closeGraph()
        try framing?.finish()
        isFinished = true
    }

    package func pull() throws(FFmpegError) -> Output {
        while true {
            if let framing, case .frame(let frame) = try framing.pull() { return .frame(frame) }
            if !pending.isEmpty {
                guard let frame = try framed(pending.removeFirst()) else { continue }
                return .frame(frame)
            }
            guard let graph, case .frame(let frame) = try graph.pull() else { return isFinished ? .end : .needsFrame }
            if let frame = try framed(frame) { return .frame(frame) }
        }
    }

    /// The frame itself, or `nil` if it went on to be made part of others.
    private func framed(_ frame: Frame) throws(FFmpegError) -> Frame? {
        guard let size = configuration.frameSize, frame.isSound else { return frame }
        if framing == nil {
            var configuration = configuration
            configuration.timeBase = graph?.timeBase ?? configuration.timeBase
            framing = try FilterChain.make("anull", for: frame, configuration)
            framing?.setFrameSize(size)
        }
        try framing?.push(frame)
        return nil
    }

    /// Takes what the filters still hold.
    private func closeGraph() throws(FFmpegError) {
        guard let graph else { return }
        try graph.finish()
        while case .frame(let frame) = try graph.pull() {
            if let frame = try framed(frame) { pending.append(frame) }
        }
    }
}

/// What of a frame a graph is made for.
private struct FrameKey: Equatable {
    var format: Int32, width: Int32, height: Int32, aspectNumerator: Int32, aspectDenominator: Int32
    var changedAspectRatio: Ratio?
    var matrix: UInt32, range: UInt32, sampleRate: Int32
    var channels: Int32, channelOrder: UInt32, channelMask: UInt64
    /// The names of channels, where a mask does not tell them.
    var layout: String?

    init(_ frame: Frame) {
        let fields = frame.pointer.pointee
        let aspect = frame.sampleAspectRatio ?? Ratio(1, 1)
        changedAspectRatio = frame.changedAspectRatio
        (format, width, height) = (fields.format, fields.width, fields.height)
        (aspectNumerator, aspectDenominator) = (aspect.numerator, aspect.denominator)
        // Decoders leave something there for sound, too.
        (matrix, range) = frame.isSound ? (0, 0) : (fields.colorspace.rawValue, fields.color_range.rawValue)
        sampleRate = fields.sample_rate
        let channels = fields.ch_layout
        let isMask = channels.order == AV_CHANNEL_ORDER_NATIVE
        (self.channels, channelOrder) = (channels.nb_channels, channels.order.rawValue)
        channelMask = isMask ? channels.u.mask : 0
        // Describing them takes longer than decoding some frames.
        layout = frame.isSound && !isMask ? frame.channelLayout : nil
    }
}

/// One graph of FFmpeg's, with one source and one sink.
final class FilterChain {
    private let graph: UnsafeMutablePointer<AVFilterGraph>
    private let log = LogCapture()
    private var source: UnsafeMutablePointer<AVFilterContext>?
    private var sink: UnsafeMutablePointer<AVFilterContext>?
    /// Where the last frame pushed ends.
    private var end = oav_nopts
    private(set) var timeBase = TimeBase(numerator: 1, denominator: 1_000_000)

    enum Output {
        case frame(Frame)
        case needsFrame
        case end
    }

    private init(adopting graph: UnsafeMutablePointer<AVFilterGraph>) { self.graph = graph }

    deinit {
        var owned: UnsafeMutablePointer<AVFilterGraph>? = graph
        avfilter_graph_free(&owned)
    }

    /// A graph for frames like this one.
    static func make(
        _ filters: FilterDescription, for frame: Frame, _ configuration: FilterGraph.Configuration
    ) throws(FFmpegError) -> FilterChain {
        if let reason = oav_load_filters() {
            throw FFmpegError(unloaded: reason, kind: .unsupported, operation: .filter)
        }
        guard let graph = avfilter_graph_alloc() else {
            throw FFmpegError(kind: .limit, operation: .filter, reason: "not enough memory")
        }
        let chain = FilterChain(adopting: graph)
        graph.pointee.nb_threads = Int32(clamping: max(0, configuration.threads))
        // What the ffmpeg command gives to scalers that say nothing else.
        graph.pointee.scale_sws_opts = av_strdup("flags=bicubic")
        try chain.configure(filters, for: frame, configuration)
        return chain
    }

    private func configure(
        _ filters: FilterDescription, for frame: Frame, _ configuration: FilterGraph.Configuration
    ) throws(FFmpegError) {
        let prefix = frame.isSound ? "a" : ""
        source = avfilter_graph_alloc_filter(graph, avfilter_get_by_name(prefix + "buffer"), "in")
        sink = avfilter_graph_alloc_filter(graph, avfilter_get_by_name(prefix + "buffersink"), "out")
        var inputs = avfilter_inout_alloc()
        var outputs = avfilter_inout_alloc()
        defer {
            avfilter_inout_free(&inputs)
            avfilter_inout_free(&outputs)
        }
        guard let source, let sink, let input = inputs, let output = outputs else {
            throw FFmpegError(kind: .limit, operation: .filter, reason: "not enough memory")
        }
        try setParameters(of: source, for: frame, configuration)
        try log.check(.filter) { avfilter_init_str(source, nil) }
        try log.check(.filter) { avfilter_init_str(sink, nil) }
        // Named from the graph's point of view: its input is our source's output.
        output.pointee.name = av_strdup("in")
        output.pointee.filter_ctx = source
        input.pointee.name = av_strdup("out")
        input.pointee.filter_ctx = sink
        var stills: [(frame: Frame, source: UnsafeMutablePointer<AVFilterContext>)] = []
        for (name, still) in filters.stills {
            stills.append((still, try addSource(of: still, name, after: output, configuration)))
        }
        try log.check(.filter) { avfilter_graph_parse_ptr(graph, filters.text, &inputs, &outputs, nil) }
        try log.check(.filter) { avfilter_graph_config(graph, nil) }
        let start = frame.pointer.pointee.pts
        for (still, source) in stills { try give(still, to: source, atTicks: start == oav_nopts ? 0 : start) }
        timeBase = TimeBase(av_buffersink_get_time_base(sink))
    }

    /// Adds a source of a still frame beside the first one.
    private func addSource(
        of frame: Frame, _ name: String, after first: UnsafeMutablePointer<AVFilterInOut>,
        _ configuration: FilterGraph.Configuration
    ) throws(FFmpegError) -> UnsafeMutablePointer<AVFilterContext> {
        guard let source = avfilter_graph_alloc_filter(graph, avfilter_get_by_name("buffer"), name),
            let output = avfilter_inout_alloc()
        else { throw FFmpegError(kind: .limit, operation: .filter, reason: "not enough memory") }
        output.pointee.name = av_strdup(name)
        output.pointee.filter_ctx = source
        output.pointee.next = first.pointee.next
        first.pointee.next = output
        try setParameters(of: source, for: frame, configuration)
        try log.check(.filter) { avfilter_init_str(source, nil) }
        return source
    }

    /// Gives a source its only frame.
    ///
    /// - Parameter ticks: The time of the first frame that is pushed: some filters leave out the still frame before its own
    ///   time.
    private func give(
        _ frame: Frame, to source: UnsafeMutablePointer<AVFilterContext>, atTicks ticks: Int64
    ) throws(FFmpegError) {
        let copy = try frame.sharingData()
        copy.pointer.pointee.pts = ticks
        let keepsFrame = Int32(AV_BUFFERSRC_FLAG_KEEP_REF)
        try log.check(.filter) { av_buffersrc_add_frame_flags(source, copy.pointer, keepsFrame) }
        try log.check(.filter) { av_buffersrc_close(source, 1, 0) }
    }

    private func setParameters(
        of source: UnsafeMutablePointer<AVFilterContext>, for frame: Frame, _ configuration: FilterGraph.Configuration
    ) throws(FFmpegError) {
        guard let parameters = av_buffersrc_parameters_alloc() else {
            throw FFmpegError(kind: .limit, operation: .filter, reason: "not enough memory")
        }
        defer { av_free(parameters) }
        let fields = frame.pointer.pointee
        parameters.pointee.format = fields.format
        parameters.pointee.time_base = AVRational(configuration.timeBase)
        if frame.isSound {
            parameters.pointee.sample_rate = fields.sample_rate
            try log.check(
                .filter, av_channel_layout_copy(&parameters.pointee.ch_layout, &frame.pointer.pointee.ch_layout))
        } else {
            parameters.pointee.width = fields.width
            parameters.pointee.height = fields.height
            parameters.pointee.sample_aspect_ratio = fields.sample_aspect_ratio
            if let rate = configuration.frameRate { parameters.pointee.frame_rate = AVRational(rate) }
            oav_source_set_color(parameters, fields.colorspace, fields.color_range)
        }
        defer { av_channel_layout_uninit(&parameters.pointee.ch_layout) }
        try log.check(.filter, av_buffersrc_parameters_set(source, parameters))
    }

    func setFrameSize(_ size: Int) {
        av_buffersink_set_frame_size(sink, UInt32(clamping: size))
    }

    /// The rate of what comes out, if it is a fixed one.
    var frameRate: Ratio? { sink.flatMap { Ratio(positive: av_buffersink_get_frame_rate($0)) } }

    /// Takes a frame, which is empty afterwards.
    func push(_ frame: Frame) throws(FFmpegError) {
        if frame.pointer.pointee.pts != oav_nopts {
            end = frame.pointer.pointee.pts &+ (frame.durationTicks ?? 1)
        }
        log.clear()
        let code = log.capturing { av_buffersrc_add_frame_flags(source, frame.pointer, 0) }
        // Filters that have all they want refuse more, from version 7 on.
        if code != oav_error_eof { try log.check(.filter, code) }
    }

    func finish() throws(FFmpegError) {
        log.clear()
        try log.check(.filter) { av_buffersrc_close(source, end, 0) }
    }

    func pull() throws(FFmpegError) -> Output {
        let frame = Frame()
        log.clear()
        let code = log.capturing { av_buffersink_get_frame(sink, frame.pointer) }
        switch code {
        case oav_error_posix(EAGAIN): return .needsFrame
        case oav_error_eof: return .end
        default: try log.check(.filter, code)
        }
        let duration = oav_filtered_frame_duration(frame.pointer)
        frame.pointer.pointee.best_effort_timestamp = frame.pointer.pointee.pts
        oav_frame_set_duration(frame.pointer, duration)
        return .frame(frame)
    }
}

/// What a decoded frame is, beyond its samples and its time.
package enum FrameFormat: Sendable, Equatable {
    case video(VideoFormat)
    case audio(AudioFormat)

    package struct VideoFormat: Sendable, Equatable {
        package var width: Int
        package var height: Int
        package var pixelFormat: String
        package var sampleAspectRatio: Ratio?
        /// As of ``Frame/changedAspectRatio``.
        package var changedAspectRatio: Ratio?
        package var color: ColorInfo
    }

    package struct AudioFormat: Sendable, Equatable {
        package var sampleRate: Int
        package var sampleFormat: String
        package var channelLayout: String
        package var channels: Int

        package init(sampleRate: Int, sampleFormat: String, channelLayout: String, channels: Int) {
            (self.sampleRate, self.sampleFormat) = (sampleRate, sampleFormat)
            (self.channelLayout, self.channels) = (channelLayout, channels)
        }
    }
}

extension Frame {
    /// Whether it holds sound rather than a picture.
    package var isSound: Bool { pointer.pointee.nb_samples > 0 && pointer.pointee.width == 0 }
    package var sampleCount: Int { Int(pointer.pointee.nb_samples) }
    package var sampleRate: Int { Int(pointer.pointee.sample_rate) }
    package var channels: Int { Int(pointer.pointee.ch_layout.nb_channels) }
    package var channelLayout: String { ChannelLayout.name(of: &pointer.pointee.ch_layout) }
    var sampleFormat: String {
        av_get_sample_fmt_name(AVSampleFormat(rawValue: pointer.pointee.format)).map { String(cString: $0) }
            ?? "unknown"
    }

    var format: FrameFormat {
        isSound
            ? .audio(
                .init(
                    sampleRate: sampleRate, sampleFormat: sampleFormat, channelLayout: channelLayout,
                    channels: channels))
            : .video(
                .init(
                    width: width, height: height, pixelFormat: pixelFormat, sampleAspectRatio: sampleAspectRatio,
                    changedAspectRatio: changedAspectRatio, color: color))
    }

    /// A frame with the same samples, whose fields are its own.
    func sharingData() throws(FFmpegError) -> Frame {
        let copy = Frame()
        guard av_frame_ref(copy.pointer, pointer) >= 0 else {
            throw FFmpegError(kind: .limit, operation: .filter, reason: "not enough memory")
        }
        copy.changedAspectRatio = changedAspectRatio
        return copy
    }
}
