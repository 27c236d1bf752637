public import MediaCore

/// One shot of a film: what is shown between two cuts.
///
/// Beyond AVFoundation.
public struct Scene: Sendable, Hashable {
    /// How a scene begins.
    public enum Opening: String, Sendable, Hashable {
        /// With the film.
        case start
        /// By a cut.
        case cut
        /// In the middle of the black between a fade to black and the fade from it.
        case fade
    }

    /// From its first frame's presentation time up to that of the next scene's
    /// first frame, on the asset's timeline; the last scene ends with its last frame.
    public let timeRange: CMTimeRange
    /// The number of its first frame, counted from 0 in order of presentation time.
    public let firstFrame: Int
    /// The number of its last frame, counted in the same way.
    public let lastFrame: Int
    /// How it begins.
    public let opening: Opening
    /// How much its first frame differs from the frame before, from 0 to 255.
    ///
    /// The mean difference of hue, saturation and brightness; 0 for the first
    /// scene and after a fade.
    public let score: Double

    /// The middle of `timeRange`, on the asset's timeline, at which one of its frames is shown.
    public var middle: CMTime {
        CMTimeRange(
            start: timeRange.start, duration: CMTimeMultiplyByRatio(timeRange.duration, multiplier: 1, divisor: 2)
        )
        .end
    }
}

/// The scenes of a film.
public struct SceneList: Sendable, Hashable {
    /// The scenes in order, at least one; they follow one another without a gap.
    public let scenes: [Scene]
    /// How many frames are shown.
    public let frameCount: Int
    /// How many frames among them could not be decoded cleanly; they were compared with nothing.
    public let damagedFrameCount: Int
    /// Why the film was not read to its end, `nil` if it was.
    public let truncation: String?
}

/// Makes scenes of what looks like cuts: leaves out those that follow too soon
/// and flashes, and cuts in the middle of the black between two fades.
struct SceneCutter {
    /// Where a scene begins.
    struct Cut: Equatable {
        let number: Int
        let ticks: Int64
        let score: Double
        let opening: Scene.Opening
    }

    /// Frames between fades to and from black.
    private struct BlackRun {
        var frames: [(number: Int, ticks: Int64)]
        let beginsAbruptly: Bool
    }

    private let minimumTicks: Int64
    private(set) var cuts: [Cut] = []
    /// A cut that may turn out to be a flash or to come too late, with the picture before it.
    private var pending: (cut: Cut, before: ScenePicture)?
    private var black: BlackRun?

    init(minimumTicks: Int64) { self.minimumTicks = minimumTicks }

    /// Takes in the next frame.
    mutating func add(_ frame: SceneFrame, isCut: Bool) {
        if let pending, isLongEnough(from: pending.cut.ticks, to: frame.ticks) { confirm(pending.cut) }
        guard let start = cuts.last else {
            cuts.append(Cut(number: frame.number, ticks: frame.ticks, score: 0, opening: .start))
            if frame.picture.isBlack { black = BlackRun(frames: [], beginsAbruptly: true) }
            return
        }
        followBlack(frame, isCut: isCut)
        guard isCut, let before = frame.before else { return }
        if let pending {
            // What was there before is there again: a flash.
            if frame.picture.difference(from: pending.before) < SceneScorer.minimumScore { self.pending = nil }
        } else if isLongEnough(from: start.ticks, to: frame.ticks) {
            pending = (
                Cut(number: frame.number, ticks: frame.ticks, score: frame.score, opening: .cut), before
            )
            if minimumTicks <= 0 { confirmPending() }
        }
    }

    /// Ends the last scene.
    mutating func finish(endTicks: Int64) {
        if let pending, isLongEnough(from: pending.cut.ticks, to: endTicks) { confirm(pending.cut) }
        pending = nil
    }

    private mutating func confirmPending() { if let pending { confirm(pending.cut) } }

    private mutating func confirm(_ cut: Cut) {
        cuts.append(cut)
        pending = nil
    }

    private func isLongEnough(from start: Int64, to end: Int64) -> Bool {
        end.subtractingReportingOverflow(start).partialValue >= minimumTicks
    }

    private mutating func followBlack(_ frame: SceneFrame, isCut: Bool) {
        if frame.picture.isBlack {
            if black == nil { black = BlackRun(frames: [], beginsAbruptly: isCut) }
            black?.frames.append((frame.number, frame.ticks))
            return
        }
        guard let run = black else { return }
        black = nil
        guard !run.beginsAbruptly, !isCut, pending == nil, let start = cuts.last, !run.frames.isEmpty else { return }
        let middle = run.frames[run.frames.count / 2]
        guard isLongEnough(from: start.ticks, to: middle.ticks) else { return }
        confirm(Cut(number: middle.number, ticks: middle.ticks, score: 0, opening: .fade))
    }
}

/// A frame on its way through the detection of scenes.
struct SceneFrame {
    let number: Int
    let ticks: Int64
    let picture: ScenePicture
    /// The last picture before it that could be compared; `nil` for the first one.
    let before: ScenePicture?
    /// The difference between the two, 0 without a picture before.
    let score: Double
    /// Whether damaged frames lie between the two, in which time much may have moved.
    let followsDamage: Bool
}

/// Says of each frame whether it looks like the first one after a cut.
///
/// Gives frames out in the order in which they come in, a few frames later.
struct SceneScorer {
    /// Frames before and after one that its difference is compared with.
    private static let reach = 2
    /// Differences below this are no cut, however still the frames around are.
    static let minimumScore = 15.0

    private let method: SceneDetectionSettings.Method
    private let threshold: Double
    /// Frames that wait for those after them, and before them some that are done with.
    private var window: [SceneFrame] = []
    /// Frames of the window that are done with.
    private var doneCount = 0

    init(method: SceneDetectionSettings.Method, threshold: Double) {
        (self.method, self.threshold) = (method, threshold)
    }

    /// Takes in a frame.
    ///
    /// - Returns: A frame that is decided by now.
    mutating func add(_ frame: SceneFrame) -> (frame: SceneFrame, isCut: Bool)? {
        if method == .content { return (frame, frame.before != nil && frame.score >= max(threshold, lowest(frame))) }
        window.append(frame)
        guard window.count > doneCount + Self.reach else { return nil }
        return decideNext()
    }

    /// The next of the frames that still wait, when no more frames come.
    mutating func finish() -> (frame: SceneFrame, isCut: Bool)? {
        doneCount < window.count ? decideNext() : nil
    }

    /// The least difference that is a cut whatever the frames around.
    private func lowest(_ frame: SceneFrame) -> Double {
        if frame.followsDamage { return SceneDetectionSettings.defaultThreshold(of: .content) }
        return method == .adaptive ? Self.minimumScore : 0
    }

    private mutating func decideNext() -> (frame: SceneFrame, isCut: Bool) {
        let frame = window[doneCount]
        let first = max(0, doneCount - Self.reach)
        let last = min(window.count - 1, doneCount + Self.reach)
        let others = (first...last).filter { $0 != doneCount && window[$0].before != nil }.map { window[$0].score }
        let usual = others.isEmpty ? 0 : others.reduce(0, +) / Double(others.count)
        doneCount += 1
        if doneCount > Self.reach {
            window.removeFirst()
            doneCount -= 1
        }
        let isCut = frame.before != nil && frame.score >= lowest(frame) && frame.score >= threshold * usual
        return (frame, isCut)
    }
}
