public import MediaCore

/// Settings that a storyboard cannot be made with.
public struct StoryboardSettingsError: BridgedError, CustomStringConvertible {
    /// Why, in one line.
    public let reason: String
    /// The reason.
    public var description: String { reason }
}
