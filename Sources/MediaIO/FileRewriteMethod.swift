/// How a change of a file is, or would be, carried out.
public enum FileRewriteMethod: String, Sendable {
    /// There is nothing to change.
    case unchanged
    /// The file itself is changed; at every moment it holds the old or the new version.
    case inPlace
    /// A whole new file is written, and takes the old one's place or another name at once.
    case copy
}
