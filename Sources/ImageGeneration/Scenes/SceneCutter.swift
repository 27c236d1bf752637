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
