package import FFmpegKit
internal import MediaCore

/// Encodes the pictures of one track, on a thread of its own.
///
/// A picture waits for the one after it, so that it is known how long it is shown.
package final class EncodeStage: Stage {
    package struct Outcome: Sendable {
        var frames: Int
        /// Pictures left out because they are shown for no time, or for too little.
        var dropped: Int
        /// What a second pass wants to know.
        var statistics: String
    }

    package enum Item: Sendable {
        /// A picture at a time in the encoder's ticks.
        case frame(Frame, Int64)
        /// When the last one ends.
        case end(Int64?)
    }

    /// What packets are for.
    enum Target: Sendable {
        case file(MuxPort)
        /// One of several segments, which has the pictures of a window only.
        case segment(Int, SegmentWindow, SegmentRelay)
        /// A first pass keeps nothing.
        case analysis(ProgressReport)
    }

    private let encoder: Encoder
    private let input: BoundedChannel<Item>
    private let track: Int
    private let target: Target
    private let count: FrameCount
    private let effects: TrackEffects
    private var spacing: PictureSpacing<Frame>
    private let longest: Int64?
    private var frames = 0
    /// Pictures left out whose time is this encoder's concern.
    private var dropped = 0

    /// - Parameters:
    ///   - shortest: How long pictures are shown at least.
    ///   - effects: What is done to pictures.
    ///   - longest: For how many of the encoder's ticks one can be shown at most; then it is sent again.
    init(
        _ encoder: Encoder, track: Int, shortest: CMTime = .zero, longest: Int64? = nil, input: BoundedChannel<Item>,
        target: Target, count: FrameCount, effects: TrackEffects
    ) {
        self.effects = effects
        self.longest = longest
        (self.encoder, self.track, self.input, self.target, self.count) = (encoder, track, input, target, count)
        spacing = PictureSpacing(shortest: encoder.timeBase.ticks(nearest: shortest))
    }

    package func run() throws -> Outcome {
        defer { if case .file(let mux) = target { mux.finish(track: track) } }
        var end: Int64?
        while let item = try input.receive() {
            switch item {
            case .frame(let frame, let ticks): try add(frame, at: ticks)
            case .end(let ticks): end = ticks
            }
        }
        let before = spacing.dropped
        let last = spacing.finish(at: end)
        if last.contains(where: { isWanted($0.ticks) }) { dropped += spacing.dropped - before }
        for spaced in last { try send(spaced) }
        try encoder.finish()
        try drain()
        if case .segment(let index, _, let relay) = target { try relay.finish(index) }
        return Outcome(frames: frames, dropped: dropped, statistics: encoder.passStatistics)
    }

    private func add(_ frame: Frame, at ticks: Int64) throws {
        let before = spacing.dropped
        let spaced = spacing.add(frame, at: ticks)
        if isWanted(ticks) { dropped += spacing.dropped - before }
        if let spaced { try send(spaced) }
    }

    /// Whether a picture at a time is for this encoder rather than for that of another segment.
    private func isWanted(_ ticks: Int64) -> Bool {
        if case .segment(_, let window, _) = target { window.contains(ticks) } else { true }
    }

    private func send(_ spaced: PictureSpacing<Frame>.Spaced) throws {
        guard isWanted(spaced.ticks) else { return }
        try checkFormat(spaced.picture)
        let picture = try effects.applied(to: spaced.picture, at: encoder.timeBase.time(of: spaced.ticks))
        var (ticks, left) = (spaced.ticks, spaced.duration)
        while let longest, left > longest {
            try encoder.send(picture, atTicks: ticks, duration: longest)
            (ticks, left) = (ticks + longest, left - longest)
            try drain()
        }
        try encoder.send(picture, atTicks: ticks, duration: left)
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
            switch target {
            case .file(let mux): try mux.send(packet, track: track, timeBase: encoder.timeBase)
            case .segment(let index, _, let relay): try relay.send(packet, of: index)
            case .analysis: break
            }
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

    /// - Parameters:
    ///   - threads: Zero for as many as there are cores.
    ///   - progress: Told how far it is, where nothing after it tells.
    init(
        _ filters: @escaping FilterChoice, frameRate: Ratio?,
        timeBase: TimeBase, threads: Int = 0, input: BoundedChannel<EncodeStage.Item>,
        output: BoundedChannel<EncodeStage.Item>,
        progress: ProgressReport? = nil
    ) {
        var configuration = FilterGraph.Configuration(timeBase: timeBase, filters: filters)
        (configuration.frameRate, configuration.threads) = (frameRate, threads)
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
