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
