internal import FFmpegKit
internal import MediaAsset
internal import MediaCore

/// What a composed track shows: pieces of files, one after the other from zero on.
struct Reel: Sendable {
    /// A part of a file's track, or nothing for a while.
    struct Segment: Sendable {
        /// `nil` for nothing.
        var clip: Clip?
        /// On the new file's timeline.
        var target: CMTimeRange

        /// How many times as long it is shown as it lasts.
        var stretch: (numerator: Int128, denominator: Int128) {
            guard let clip, clip.range.duration != target.duration else { return (1, 1) }
            let (new, old) = (target.duration, clip.range.duration)
            return (
                Int128(new.value) * Int128(old.timescale), max(1, Int128(old.value) * Int128(new.timescale))
            )
        }

        /// What ticks are divided by where times are stretched; `nil` where they are not.
        var stretchDenominator: UInt64? {
            let (numerator, denominator) = stretch
            guard numerator != denominator else { return nil }
            var (divisor, rest) = (numerator, denominator)
            while rest != 0 { (divisor, rest) = (rest, divisor % rest) }
            return UInt64(clamping: denominator / max(1, divisor))
        }
    }

    /// A part of a file's track.
    struct Clip: Sendable {
        var source: AssetSource
        var stream: Int
        /// On the file's own timeline.
        var range: CMTimeRange
        /// What makes of decoded frames what all pieces of the track are.
        var filters: FilterChoice
        /// What is filtered before the piece for the filters' sake.
        var context = CMTime.zero
    }

    var pieces: [Segment]
    /// How loud its sound is, from the new file's beginning to its end without gaps, if it changes anything.
    var volume: [Ramp<Float>]?

    /// When the last piece ends.
    var duration: CMTime { pieces.last?.target.end ?? .zero }
}

/// Puts the pictures of a reel's pieces one after the other, on a thread of its own.
///
/// The next piece is opened while one is decoded, and no other.
final class PictureReelStage: Stage {
    private let lanes: ReelLanes
    private let encoding: TrackEncoding
    private let reel: Reel
    private let timeBase: TimeBase
    private let output: any PictureOutlet
    private var outcome = ReelOutcome()
    private var thinning: FrameThinning

    init(
        _ lanes: ReelLanes, _ encoding: TrackEncoding, _ reel: Reel, timeBase: TimeBase, output: any PictureOutlet
    ) {
        (self.lanes, self.encoding, self.reel, self.timeBase, self.output) = (lanes, encoding, reel, timeBase, output)
        thinning = FrameThinning(encoding.reelLimit)
    }

    func run() throws -> ReelOutcome {
        var following: (index: Int, pictures: BoundedChannel<EncodeStage.Item>)?
        for (index, piece) in reel.pieces.enumerated() {
            guard piece.clip != nil else {
                try output.showNothing(at: timeBase.ticks(nearest: piece.target.start))
                continue
            }
            let pictures = try following.flatMap { $0.index == index ? $0.pictures : nil } ?? start(index)
            following = nil
            if let next = reel.pieces.indices.dropFirst(index + 1).first(where: { reel.pieces[$0].clip != nil }) {
                following = (next, try start(next))
            }
            try pass(pictures, of: piece)
        }
        try output.end(at: timeBase.ticks(nearest: reel.duration))
        return outcome
    }

    private func start(_ index: Int) throws -> BoundedChannel<EncodeStage.Item> {
        guard let clip = reel.pieces[index].clip else { return BoundedChannel(capacity: 1) }
        let (lane, pictures) = try lanes.startPictures(clip, encoding, timeBase: timeBase)
        outcome.lanes.append(lane)
        return pictures
    }

    /// Sends the pictures of a piece on, at the times at which the composition shows them.
    private func pass(_ pictures: BoundedChannel<EncodeStage.Item>, of piece: Reel.Segment) throws {
        let start = timeBase.ticks(nearest: piece.target.start)
        let end = timeBase.ticks(nearest: piece.target.end)
        let stretch = piece.stretch
        var isEmpty = true
        while let item = try pictures.receive() {
            guard case .frame(let frame, let ticks) = item else { continue }
            let scaled = (Int128(ticks) * stretch.numerator + stretch.denominator / 2) / stretch.denominator
            guard let moved = Int64(exactly: scaled), start + moved < end else { continue }
            isEmpty = false
            guard thinning.keeps(timeBase.time(of: start + moved)) else { continue }
            try output.show(frame, at: start + moved)
        }
        if isEmpty { try output.showNothing(at: start) }
    }
}

/// What takes the pictures of a reel, on the thread that has them.
protocol PictureOutlet: Sendable {
    /// A picture is shown from a time on.
    func show(_ frame: Frame, at ticks: Int64) throws
    /// Nothing is shown from a time on.
    func showNothing(at ticks: Int64) throws
    /// The last picture ends.
    func end(at ticks: Int64) throws
}

/// Takes pictures for what encodes them: black ones where there is nothing.
struct EncodedPictures: PictureOutlet {
    private let channel: BoundedChannel<EncodeStage.Item>
    private let black: Frame

    init(_ channel: BoundedChannel<EncodeStage.Item>, _ video: VideoSettings) throws(FFmpegError) {
        self.channel = channel
        black = try Frame.black(width: video.width, height: video.height, pixelFormat: video.pixelFormat)
    }

    func show(_ frame: Frame, at ticks: Int64) throws {
        _ = try channel.send(.frame(frame, ticks), bytes: frame.byteCount)
    }

    func showNothing(at ticks: Int64) throws { try show(black, at: ticks) }

    func end(at ticks: Int64) throws {
        _ = try channel.send(.end(ticks))
        channel.finish()
    }
}

/// Gives the sound of a reel, piece after piece, each sample in its place.
///
/// A piece begins with the sample nearest to its time and has just as many as lie before the next piece: what its file
/// lacks is silence, what it has too much is left out.
final class SoundReel {
    private let lanes: ReelLanes
    private let reel: Reel
    private let format: FrameFormat.AudioFormat
    private let timeBase: TimeBase
    private(set) var outcome = ReelOutcome()
    private var index = 0
    /// Where the next sample is.
    private(set) var position: Int64 = 0
    private var sound: BoundedChannel<Frame>?
    private var rest: Frame?

    init(_ lanes: ReelLanes, _ reel: Reel, format: FrameFormat.AudioFormat) {
        (self.lanes, self.reel, self.format) = (lanes, reel, format)
        timeBase = TimeBase(numerator: 1, denominator: Int32(clamping: max(1, format.sampleRate)))
    }

    /// The next samples, at least one and no more than wanted: silence after the end.
    func next(upTo count: Int) throws -> Frame {
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
    private func decoded(_ piece: Reel.Segment) throws -> Frame? {
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
final class SoundReelStage: Stage {
    struct Outcome: Sendable {
        var frames: Int
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
    init(
        _ lanes: ReelLanes, _ reels: [Reel], format: FrameFormat.AudioFormat,
        filters: @escaping FilterChoice, output: any SoundOutlet
    ) {
        self.reels = reels.map { SoundReel(lanes, $0, format: format) }
        length = reels.map(\.duration).max() ?? .zero
        self.output = output
        var configuration = FilterGraph.Configuration(timeBase: output.timeBase, filters: filters)
        (configuration.frameSize, configuration.threads) = (output.frameSize, 1)
        graph = FilterGraph(configuration)
    }

    func run() throws -> Outcome {
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
