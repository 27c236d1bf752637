/// How a picture is brought into a box.
///
/// Beyond AVFoundation.
public enum StillFit: String, Sendable, Hashable, CaseIterable, Codable {
    /// Inside of the box, aspect kept, never enlarged.
    case contain
    /// Exactly the box: what does not fit is cut off on both sides alike. Small pictures are enlarged.
    case cover
    /// Exactly the box: what remains of it is filled with a colour. Small pictures are enlarged.
    case pad
}
