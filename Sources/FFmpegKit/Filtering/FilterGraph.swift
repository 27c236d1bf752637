internal import CFFmpeg

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
        package var timeBase: TimeBase
        /// The rate of the frames pushed, where there is one.
        package var frameRate: Ratio?
        /// How many samples each frame of sound has to have that comes out, but
        /// the last; `nil` leaves it to the filters.
        package var frameSize: Int?
        /// Zero for as many as there are cores.
        package var threads = 0
        /// A picture that the filters get beside what is pushed, under the name `[palette]`;
        /// what is pushed is called `[in]` then, and what comes out `[out]`.
        package var palette: Frame?
        /// The filters in FFmpeg's syntax, for a frame that is pushed.
        ///
        /// The text must hold nothing that comes from a file.
        package var filters: (FrameFormat) -> String

        package init(timeBase: TimeBase, filters: @escaping (FrameFormat) -> String) {
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
    package private(set) var configurations = 0

    package init(_ configuration: Configuration) { self.configuration = configuration }

    /// Whether this FFmpeg has a filter of a name.
    package static func hasFilter(_ name: String) -> Bool {
        oav_load_filters() == nil && avfilter_get_by_name(name) != nil
    }

    /// The ticks of what comes out, known from the first frame on.
    package var timeBase: TimeBase? { (framing ?? graph)?.timeBase }
    /// The rate of what comes out, if it is a fixed one.
    package var frameRate: Ratio? { graph?.frameRate }

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
            graph = try FilterChain.make(configuration.filters(copy.format), for: copy, configuration)
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
    var matrix: UInt32, range: UInt32, sampleRate: Int32, layout: String?

    init(_ frame: Frame) {
        let fields = frame.pointer.pointee
        let aspect = frame.sampleAspectRatio ?? Ratio(1, 1)
        (format, width, height) = (fields.format, fields.width, fields.height)
        (aspectNumerator, aspectDenominator) = (aspect.numerator, aspect.denominator)
        // Decoders leave something there for sound, too.
        (matrix, range) = frame.isSound ? (0, 0) : (fields.colorspace.rawValue, fields.color_range.rawValue)
        sampleRate = fields.sample_rate
        layout = frame.isSound ? frame.channelLayout : nil
    }
}
