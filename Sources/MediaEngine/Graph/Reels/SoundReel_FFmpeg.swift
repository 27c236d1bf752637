package import FFmpegKit
internal import MediaCore

/// Gives the sound of a reel, piece after piece, each sample in its place.
///
/// A piece begins with the sample nearest to its time and has just as many as lie before the next piece: what its file
/// lacks is silence, what it has too much is left out.
package final class SoundReel {
    private let lanes: ReelLanes
    private let reel: Reel
    private let format: FrameFormat.AudioFormat
    private let timeBase: TimeBase
    package private(set) var outcome = ReelOutcome()
    private var index = 0
    /// Where the next sample is.
    package private(set) var position: Int64 = 0
    private var sound: BoundedChannel<Frame>?
    private var rest: Frame?

    package init(_ lanes: ReelLanes, _ reel: Reel, format: FrameFormat.AudioFormat) {
        (self.lanes, self.reel, self.format) = (lanes, reel, format)
        timeBase = TimeBase(numerator: 1, denominator: Int32(clamping: max(1, format.sampleRate)))
    }

    /// The next samples, at least one and no more than wanted: silence after the end.
    package func next(upTo count: Int) throws -> Frame {
        while index < reel.pieces.count, position >= timeBase.ticks(nearest: reel.pieces[index].target.end) {
            sound?.close()
            (sound, rest) = (nil, nil)
            index += 1
        }
        guard index < reel.pieces.count else { return took(try Frame.silence(samples: count, like: format)) }
        let piece = reel.pieces[index]
        let room = timeBase.ticks(nearest: piece.target.end) - position
        let wanted = Int(min(Int64(count), room))
        guard let frame = try decoded(piece) else {
            return took(try Frame.silence(samples: wanted, like: format))
        }
        guard frame.sampleCount > wanted else { return try heard(frame) }
        rest = try frame.part(of: wanted..<frame.sampleCount)
        return try heard(frame.part(of: 0..<wanted))
    }

    /// The next samples as loud as they are to be.
    private func heard(_ frame: Frame) throws -> Frame {
        guard let volume = reel.volume else { return took(frame) }
        let gains = volume.gains(count: frame.sampleCount, timeBase: timeBase, at: position)
        return took(try frame.amplified(by: gains))
    }

    private func took(_ frame: Frame) -> Frame {
        position += Int64(frame.sampleCount)
        return frame
    }

    /// What comes next of a piece's file; `nil` if there is no more.
    private func decoded(_ piece: Reel.Piece) throws -> Frame? {
        if let rest {
            self.rest = nil
            return rest
        }
        guard let clip = piece.clip else { return nil }
        if sound == nil {
            let (lane, channel) = try lanes.startSound(clip, newDuration: piece.target.duration, timeBase: timeBase)
            outcome.lanes.append(lane)
            sound = channel
        }
        return try sound?.receive()
    }
}

/// Mixes the sound of reels and encodes it, on a thread of its own.
package final class SoundReelStage: Stage {
    package struct Outcome: Sendable {
        package var frames: Int
        var reels: [ReelOutcome]
    }

    private let reels: [SoundReel]
    private let length: CMTime
    private let graph: FilterGraph
    private let output: any SoundOutlet
    private var frames = 0

    /// How many samples are mixed at a time.
    private static let blockSize = 4096

    /// - Parameters:
    ///   - format: What the reels give: planes of floating-point samples if there are several.
    ///   - filters: What makes of it what the encoder expects.
    package init(
        _ lanes: ReelLanes, _ reels: [Reel], format: FrameFormat.AudioFormat,
        filters: @escaping @Sendable (FrameFormat) -> String, output: any SoundOutlet
    ) {
        self.reels = reels.map { SoundReel(lanes, $0, format: format) }
        length = reels.map(\.duration).max() ?? .zero
        self.output = output
        var configuration = FilterGraph.Configuration(timeBase: output.timeBase, filters: filters)
        (configuration.frameSize, configuration.threads) = (output.frameSize, 1)
        graph = FilterGraph(configuration)
    }

    package func run() throws -> Outcome {
        defer { output.end() }
        let end = output.timeBase.ticks(nearest: length)
        var position: Int64 = 0
        while position < end {
            let frame = try mixed(Int(min(Int64(Self.blockSize), end - position)))
            try graph.push(frame, atTicks: position)
            position += Int64(frame.sampleCount)
            try drain()
        }
        try graph.finish()
        try drain()
        try output.finish()
        return Outcome(frames: frames, reels: reels.map(\.outcome))
    }

    /// The next samples of all reels together.
    private func mixed(_ count: Int) throws -> Frame {
        guard reels.count > 1 else { return try reels[0].next(upTo: count) }
        var sum: Frame?
        for reel in reels {
            let block = try block(of: reel, count)
            sum = try sum?.adding(block) ?? block
        }
        guard let sum else { throw FFmpegError(kind: .other, operation: .filter, reason: "there is no sound to mix") }
        return sum
    }

    /// Just as many samples of a reel.
    private func block(of reel: SoundReel, _ count: Int) throws -> Frame {
        var block: Frame?
        while (block?.sampleCount ?? 0) < count {
            let part = try reel.next(upTo: count - (block?.sampleCount ?? 0))
            block = try block?.followed(by: part) ?? part
        }
        guard let block else { throw FFmpegError(kind: .other, operation: .filter, reason: "there is no sound to mix") }
        return block
    }

    private func drain() throws {
        while case .frame(let frame) = try graph.pull() {
            guard let base = graph.timeBase, let ticks = frame.presentationTicks else { continue }
            try output.send(frame, atTicks: try TickMap(from: base, to: output.timeBase, zero: .zero).mapped(ticks))
            frames += frame.sampleCount
        }
    }
}
