internal import CFFmpeg

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
        _ filters: String, for frame: Frame, _ configuration: FilterGraph.Configuration
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
        _ filters: String, for frame: Frame, _ configuration: FilterGraph.Configuration
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
        let second = try configuration.palette.map { palette throws(FFmpegError) in
            try addSource(of: palette, "palette", after: output, configuration)
        }
        try log.check(.filter) { avfilter_graph_parse_ptr(graph, filters, &inputs, &outputs, nil) }
        try log.check(.filter) { avfilter_graph_config(graph, nil) }
        if let second, let palette = configuration.palette { try give(palette, to: second) }
        timeBase = TimeBase(av_buffersink_get_time_base(sink))
    }

    /// Adds a source of a single picture beside the first one.
    private func addSource(
        of frame: Frame, _ name: String, after first: UnsafeMutablePointer<AVFilterInOut>,
        _ configuration: FilterGraph.Configuration
    ) throws(FFmpegError) -> UnsafeMutablePointer<AVFilterContext> {
        guard let source = avfilter_graph_alloc_filter(graph, avfilter_get_by_name("buffer"), name),
            let output = avfilter_inout_alloc()
        else { throw FFmpegError(kind: .limit, operation: .filter, reason: "not enough memory") }
        output.pointee.name = av_strdup(name)
        output.pointee.filter_ctx = source
        first.pointee.next = output
        try setParameters(of: source, for: frame, configuration)
        try log.check(.filter) { avfilter_init_str(source, nil) }
        return source
    }

    private func give(_ frame: Frame, to source: UnsafeMutablePointer<AVFilterContext>) throws(FFmpegError) {
        let copy = try frame.sharingData()
        copy.pointer.pointee.pts = 0
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

    func push(_ frame: Frame) throws(FFmpegError) {
        if frame.pointer.pointee.pts != oav_nopts {
            end = frame.pointer.pointee.pts &+ (frame.durationTicks ?? 1)
        }
        log.clear()
        let keepsFrame = Int32(AV_BUFFERSRC_FLAG_KEEP_REF)
        let code = log.capturing { av_buffersrc_add_frame_flags(source, frame.pointer, keepsFrame) }
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
