/// The colour tags of a video track, as FFmpeg spells them; `nil` where the
/// file does not say.
public struct ColorDescription: Sendable, Hashable {
    /// The red, green, blue and white points, such as `bt709`.
    public var primaries: String?
    /// The transfer function, such as `smpte2084`.
    public var transferFunction: String?
    /// The matrix from YCbCr to RGB, such as `bt709`.
    public var yCbCrMatrix: String?
    /// `tv` for video range, `pc` for full range.
    public var range: String?
    /// Where chroma samples lie, such as `left`.
    public var chromaLocation: String?
}
