internal import MediaCore

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
