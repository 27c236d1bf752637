internal import FFmpegKit
internal import MediaConcurrency
internal import MediaTime

/// Encodes the pictures of one track, on a thread of its own.
///
/// A picture waits for the one after it, so that it is known how long it is shown.
final class EncodeStage: Stage {
    struct Outcome: Sendable {
        var frames: Int
        /// Pictures left out because they are shown for no time, or for too little.
        var dropped: Int
        /// What a second pass wants to know.
        var statistics: String
    }

    enum Item: Sendable {
        /// A picture at a time in the encoder's ticks.
        case frame(Frame, Int64)
        /// When the last one ends.
        case end(Int64?)
    }

    /// What packets are for.
    enum Target: Sendable {
        case file(MuxPort)
        /// A first pass keeps nothing.
        case analysis(ProgressReport)
    }

    private let encoder: Encoder
    private let input: BoundedChannel<Item>
    private let track: Int
    private let target: Target
    private let count: FrameCount
    private var spacing: PictureSpacing<Frame>
    private let longest: Int64?
    private var frames = 0

    /// - Parameters:
    ///   - shortest: How long pictures are shown at least.
    ///   - longest: For how many of the encoder's ticks one can be shown at most; then it is sent again.
    init(
        _ encoder: Encoder, track: Int, shortest: CMTime = .zero, longest: Int64? = nil, input: BoundedChannel<Item>,
        target: Target, count: FrameCount
    ) {
        self.longest = longest
        (self.encoder, self.track, self.input, self.target, self.count) = (encoder, track, input, target, count)
        spacing = PictureSpacing(shortest: encoder.timeBase.ticks(nearest: shortest))
    }

    func run() throws -> Outcome {
        defer { if case .file(let mux) = target { mux.finishTrack() } }
        var end: Int64?
        while let item = try input.receive() {
            switch item {
            case .frame(let frame, let ticks): if let spaced = spacing.add(frame, at: ticks) { try send(spaced) }
            case .end(let ticks): end = ticks
            }
        }
        for spaced in spacing.finish(at: end) { try send(spaced) }
        try encoder.finish()
        try drain()
        return Outcome(frames: frames, dropped: spacing.dropped, statistics: encoder.passStatistics)
    }

    private func send(_ spaced: PictureSpacing<Frame>.Spaced) throws {
        try checkFormat(spaced.picture)
        var (ticks, left) = (spaced.ticks, spaced.duration)
        while let longest, left > longest {
            try encoder.send(spaced.picture, atTicks: ticks, duration: longest)
            (ticks, left) = (ticks + longest, left - longest)
            try drain()
        }
        try encoder.send(spaced.picture, atTicks: ticks, duration: left)
        frames += 1
        count.add()
        try drain()
        guard case .analysis(let progress) = target else { return }
        progress.note {
            PipelineProgress(time: encoder.timeBase.time(of: spaced.ticks), byteCount: 0, frames: frames, pass: 1)
        }
    }

    private func drain() throws {
        while case .packet(let packet) = try encoder.receive() {
            if case .file(let mux) = target { try mux.send(packet, track: track, timeBase: encoder.timeBase) }
        }
    }

    private func checkFormat(_ frame: Frame) throws {
        guard case .video(let video) = encoder.settings.media else { return }
        guard frame.width == video.width, frame.height == video.height, frame.pixelFormat == video.pixelFormat else {
            throw FFmpegError(
                kind: .other, operation: .filter,
                reason: "the filters give \(frame.width)x\(frame.height) \(frame.pixelFormat), "
                    + "the encoder expects \(video.width)x\(video.height) \(video.pixelFormat)")
        }
    }
}

/// Filters the pictures of one track, on a thread of its own.
final class FilterStage: Stage {
    private let graph: FilterGraph
    private let input: BoundedChannel<EncodeStage.Item>
    private let output: BoundedChannel<EncodeStage.Item>
    /// The ticks of what comes in and goes out.
    private let timeBase: TimeBase
    private var end: Int64?
    private let progress: ProgressReport?

    /// - Parameter progress: Told how far it is, where nothing after it tells.
    init(
        _ filters: @escaping @Sendable (FrameFormat) -> String, palette: Frame? = nil, frameRate: Ratio?,
        timeBase: TimeBase, input: BoundedChannel<EncodeStage.Item>, output: BoundedChannel<EncodeStage.Item>,
        progress: ProgressReport? = nil
    ) {
        var configuration = FilterGraph.Configuration(timeBase: timeBase, filters: filters)
        (configuration.frameRate, configuration.palette) = (frameRate, palette)
        self.progress = progress
        graph = FilterGraph(configuration)
        (self.timeBase, self.input, self.output) = (timeBase, input, output)
    }

    func run() throws {
        while let item = try input.receive() {
            switch item {
            case .frame(let frame, let ticks):
                try graph.push(frame, atTicks: ticks)
                try drain()
                progress?.note {
                    PipelineProgress(time: timeBase.time(of: ticks), byteCount: 0, frames: 0, pass: 1)
                }
            case .end(let ticks): end = ticks
            }
        }
        try graph.finish()
        try drain()
        _ = try output.send(.end(end))
        output.finish()
    }

    private func drain() throws {
        while case .frame(let frame) = try graph.pull() {
            guard let base = graph.timeBase, let ticks = frame.presentationTicks else { continue }
            let time = try TickMap(from: base, to: timeBase, zero: .zero).mapped(ticks)
            _ = try output.send(.frame(frame, time), bytes: frame.byteCount)
        }
    }
}

/// Keeps the palette that filters found, on a thread of its own.
struct PaletteStage: Stage {
    let input: BoundedChannel<EncodeStage.Item>

    /// - Returns: That of the first pictures, where their shape changes and there are several.
    func run() throws -> Frame? {
        var palette: Frame?
        while let item = try input.receive() {
            if case .frame(let frame, _) = item, palette == nil { palette = frame }
        }
        return palette
    }
}
