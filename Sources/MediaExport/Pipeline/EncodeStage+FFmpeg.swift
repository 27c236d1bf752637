internal import FFmpegKit
internal import MediaTime

/// Encodes the pictures of one track, on a thread of its own.
///
/// A picture waits for the one after it, so that it is known how long it is shown.
///
/// `@unchecked Sendable`: everything but the queues is used by one thread at a
/// time: the one that prepares, the stage's own, the one that asks for the result.
final class EncodeStage: @unchecked Sendable {
    enum Item: Sendable {
        /// A picture at a time in the encoder's ticks.
        case frame(Frame, Int64)
        /// When the last one ends.
        case end(Int64?)
    }

    /// What packets are for.
    enum Target: Sendable {
        case file(MuxStage)
        /// A first pass keeps nothing.
        case analysis(ProgressReport)
    }

    private let encoder: Encoder
    private let input: StageQueue<Item>
    private let track: Int
    private let target: Target
    private let count: FrameCount
    private var waiting: (frame: Frame, ticks: Int64)?
    private var interval: Int64 = 1
    private(set) var frames = 0
    private(set) var dropped = 0

    init(_ encoder: Encoder, track: Int, input: StageQueue<Item>, target: Target, count: FrameCount) {
        (self.encoder, self.track, self.input, self.target, self.count) = (encoder, track, input, target, count)
    }

    var statistics: String { encoder.passStatistics }

    func run() throws {
        defer { if case .file(let mux) = target { mux.finishTrack() } }
        var end: Int64?
        while let item = try input.receive() {
            switch item {
            case .frame(let frame, let ticks): try add(frame, ticks)
            case .end(let ticks): end = ticks
            }
        }
        if let (frame, ticks) = waiting {
            try send(frame, ticks, duration: max(1, end.map { $0 - ticks } ?? interval))
        }
        waiting = nil
        try encoder.finish()
        try drain()
    }

    private func add(_ frame: Frame, _ ticks: Int64) throws {
        if let (last, time) = waiting {
            guard ticks > time else {
                dropped += 1
                return
            }
            interval = ticks - time
            try send(last, time, duration: interval)
        }
        waiting = (frame, ticks)
    }

    private func send(_ frame: Frame, _ ticks: Int64, duration: Int64) throws {
        try checkFormat(frame)
        try encoder.send(frame, atTicks: ticks, duration: duration)
        frames += 1
        count.add()
        try drain()
        guard case .analysis(let progress) = target else { return }
        progress.note {
            PipelineProgress(time: encoder.timeBase.time(of: ticks), byteCount: 0, frames: frames, pass: 1)
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
                kind: .other, operation: "filter",
                reason: "the filters give \(frame.width)x\(frame.height) \(frame.pixelFormat), "
                    + "the encoder expects \(video.width)x\(video.height) \(video.pixelFormat)")
        }
    }
}

/// Filters the pictures of one track, on a thread of its own.
///
/// `@unchecked Sendable`: everything but the queues is used by the stage's thread.
final class FilterStage: @unchecked Sendable {
    private let graph: FilterGraph
    private let input: StageQueue<EncodeStage.Item>
    private let output: StageQueue<EncodeStage.Item>
    /// The ticks of what comes in and goes out.
    private let timeBase: TimeBase
    private var end: Int64?

    init(
        _ encoding: TrackEncoding, frameRate: Ratio?, timeBase: TimeBase, input: StageQueue<EncodeStage.Item>,
        output: StageQueue<EncodeStage.Item>
    ) {
        var configuration = FilterGraph.Configuration(timeBase: timeBase, filters: encoding.filters)
        configuration.frameRate = frameRate
        graph = FilterGraph(configuration)
        (self.timeBase, self.input, self.output) = (timeBase, input, output)
    }

    func run() throws {
        while let item = try input.receive() {
            switch item {
            case .frame(let frame, let ticks):
                try graph.push(frame, atTicks: ticks)
                try drain()
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
