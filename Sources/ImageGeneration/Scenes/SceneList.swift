/// The scenes of a film.
public struct SceneList: Sendable, Hashable {
    /// The scenes in order; they follow one another without a gap.
    public let scenes: [Scene]
    /// Frames that are shown.
    public let frameCount: Int
    /// Frames among them that could not be decoded cleanly; they were compared with nothing.
    public let damagedFrameCount: Int
    /// Why the film was not read to its end, `nil` if it was.
    public let truncation: String?
}
