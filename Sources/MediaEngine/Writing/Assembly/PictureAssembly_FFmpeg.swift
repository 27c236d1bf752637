package import FFmpegKit
package import MediaCore
internal import Synchronization

/// What pictures become that clients bring one by one.
package struct PictureTarget: Sendable {
    /// How pictures of another shape come into the size.
    package enum Scaling: Sendable {
        /// All is seen, with black beside it.
        case fit
        /// All of the size is filled, and edges are lost.
        case fill
        /// Pictures are stretched.
        case stretch
    }

    /// The encoder, its options and what bounds the amount of data.
    package var encoding: VideoEncoding
    /// In pixels; even, where the encoder's chroma has half as many.
    package var width: Int
    /// In pixels.
    package var height: Int
    package var scaling = Scaling.fit
    /// What the file is to say of colours; `nil` for what the first picture says.
    package var color: ColorInfo?
    /// Width to height of a pixel of the new pictures.
    package var sampleAspect = Ratio(1, 1)
    /// Ticks in a second; `nil` for those in which the first two times are whole, at least 10,000.
    package var timescale: Int32?
    /// Pictures in a second, for the encoder's sake; `nil` for what the first two tell.
    package var frameRate: Double?
    /// The most pictures between two keyframes; `nil` for what the encoding says.
    package var keyframeInterval: Int?
    package var traits = StreamTraits()

    package init(encoding: VideoEncoding, width: Int, height: Int) {
        (self.encoding, self.width, self.height) = (encoding, width, height)
    }
}

/// Encodes the pictures of one track of an assembly, filtering and encoding on threads of their own.
///
/// One thread at a time may bring pictures.
package final class PictureAssembly {
    private let assembly: SampleAssembly
    private let track: Int
    private let target: PictureTarget
    /// Those that wait until the encoder is there.
    private var early: [(frame: Frame, time: CMTime)] = []
    private var filtering: BoundedChannel<EncodeStage.Item>?
    private var timeBase = TimeBase(numerator: 1, denominator: 1)
    private var last: Int64?

    package init(_ assembly: SampleAssembly, track: Int, target: PictureTarget) {
        (self.assembly, self.track, self.target) = (assembly, track, target)
    }

    /// Whether a picture would be taken without waiting.
    package var hasRoom: Bool { filtering?.hasRoom ?? true }

    /// Says that the track lasts until a time of the new file.
    package func note(end: CMTime) { assembly.note(end: end) }

    /// Brings a picture; blocks while there are too many.
    ///
    /// - Parameter time: From the new file's zero on, later than that of the picture before.
    package func append(_ frame: Frame, at time: CMTime) throws {
        try assembly.cancellation.check()
        guard filtering == nil else { return try send(frame, at: time) }
        early.append((frame, time))
        // The first two tell in which ticks times are whole, and how many pictures there are in a second.
        if early.count > 1 { try start() }
    }

    /// There are no more pictures.
    ///
    /// - Parameter end: When the last one ends; `nil` for after as long as the one before it.
    package func finish(at end: CMTime?) throws {
        if filtering == nil, !early.isEmpty { try start(end: end) }
        guard let filtering else { return try assembly.finish(track: track) }
        _ = try filtering.send(.end(end.map { timeBase.ticks(nearest: $0) }))
        filtering.finish()
    }

    private func send(_ frame: Frame, at time: CMTime) throws {
        let ticks = timeBase.ticks(nearest: time)
        if let last, ticks <= last {
            throw FFmpegError(
                kind: .other, operation: .write,
                reason:
                    "a picture at \(time.secondsText(decimals: 6)) s does not come after the one before it, in ticks "
                    + "of 1/\(timeBase.denominator) s")
        }
        last = ticks
        _ = try filtering?.send(.frame(frame, ticks), bytes: frame.byteCount)
    }

    private func start(end: CMTime? = nil) throws {
        guard let first = early.first else { return }
        let times = early.map(\.time) + (end.map { [$0] } ?? [])
        timeBase = TimeBase(numerator: 1, denominator: target.timescale ?? Self.ticks(for: times))
        let settings = try PictureEncoderSettings(
            target, first.frame, timeBase: timeBase, frameRate: frameRate, usesGlobalHeader: assembly.wantsGlobalHeader)
        let encoder = try Encoder.open(settings.encoder)
        try assembly.declare(CodedStream(from: encoder, traits: settings.traits), track: track)
        let cancellation = assembly.cancellation
        let raw: BoundedChannel<EncodeStage.Item> = cancellation.channel(capacity: 3, byteCapacity: 64 << 20)
        let filtered: BoundedChannel<EncodeStage.Item> = cancellation.channel(capacity: 3, byteCapacity: 64 << 20)
        let filters = settings.filters
        assembly.encoding.start(
            "filter",
            FilterStage({ filters($0) }, frameRate: nil, timeBase: timeBase, input: raw, output: filtered))
        assembly.encoding.start(
            "encode",
            AssemblyStage(
                EncodeStage(
                    encoder, track: track, input: filtered, target: .file(assembly.encodingPort),
                    count: assembly.encodedFrames, effects: TrackEffects()), assembly, track))
        filtering = raw
        for picture in early { try send(picture.frame, at: picture.time) }
        early.removeAll()
    }

    private var frameRate: Ratio {
        if let rate = target.frameRate { return Ratio(Int32((min(max(rate, 0.01), 1000) * 1000).rounded()), 1000) }
        guard early.count > 1 else { return Ratio(30, 1) }
        let step = early[1].time - early[0].time
        guard step.isNumeric, step.value > 0, let value = Int32(exactly: step.value), step.seconds >= 0.004 else {
            return Ratio(30, 1)
        }
        return Ratio(step.timescale, value)
    }

    /// Ticks in which the first times are whole, fine enough for others.
    private static func ticks(for times: [CMTime]) -> Int32 {
        var common: UInt64 = 1
        for time in times {
            let both = leastCommonMultiple(common, UInt64(max(1, time.timescale)))
            if both <= 10_000_000 { common = both }
        }
        while common < 10_000 { common *= 2 }
        return Int32(common)
    }
}

/// Encodes, and says afterwards that the track is finished.
private final class AssemblyStage: Stage {
    private let encoding: EncodeStage
    private let assembly: SampleAssembly
    private let track: Int

    init(_ encoding: EncodeStage, _ assembly: SampleAssembly, _ track: Int) {
        (self.encoding, self.assembly, self.track) = (encoding, assembly, track)
    }

    func run() throws -> EncodeStage.Outcome {
        let outcome = try encoding.run()
        try assembly.finish(track: track)
        return outcome
    }
}
