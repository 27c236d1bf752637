internal import AVToolCommands
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

/// The scenes of a film as JSON has them.
struct JSONScenes: ResultDocument {
    struct Entry: Codable {
        let index: Int
        let start: JSONTime?
        let end: JSONTime?
        let duration: JSONTime?
        let firstFrame: Int
        let lastFrame: Int
        let opening: String
        let score: Double
    }

    let source: String
    let method: String
    let threshold: Double
    let minimumLength: JSONTime?
    let frames: Int
    let damagedFrames: Int
    /// Why the film was not read to its end.
    let truncation: String?
    let scenes: [Entry]

    init(source: String, _ list: SceneList, _ settings: SceneDetectionSettings) {
        self.source = source
        (method, threshold) = (settings.method.rawValue, settings.threshold)
        minimumLength = JSONTime(settings.minimumLength)
        (frames, damagedFrames, truncation) = (list.frameCount, list.damagedFrameCount, list.truncation)
        scenes = list.scenes.enumerated().map { index, scene in
            Entry(
                index: index + 1, start: JSONTime(scene.timeRange.start), end: JSONTime(scene.timeRange.end),
                duration: JSONTime(scene.timeRange.duration), firstFrame: scene.firstFrame,
                lastFrame: scene.lastFrame, opening: scene.opening.rawValue,
                score: (scene.score * 1000).rounded() / 1000)
        }
    }
}
