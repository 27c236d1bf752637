/// What becomes of pictures that are encoded anew.
public struct ConvertedVideo: Hashable, Sendable {
    /// FFmpeg's name of the codec.
    public var codec: String
    /// FFmpeg's name of the encoder.
    public var encoder: String
    /// Pixels in each row, as stored.
    public var width: Int
    /// Rows of pixels, as stored.
    public var height: Int
    /// Frames for each second, on average where that varies; `nil` if unknown.
    public var frameRate: Double?
    /// Whether frames come at no fixed rate.
    public var hasVariableFrameRate: Bool
    /// The layout of samples, by FFmpeg's name: `yuv420p`.
    public var pixelFormat: String
    /// Bits for each second: the rate that is asked for, or else an estimate.
    public var bitRate: Int64
    /// How often the pictures are gone through: 2 with two-pass encoding, else 1.
    public var passes: Int
    /// What is done to the pictures.
    public var changes: Set<Change>

    /// Something that is done to pictures.
    public enum Change: String, CaseIterable, Codable, Sendable {
        /// They become smaller.
        case scaled
        /// What lies outside the clean aperture, or a row or column that chroma has no place for, is cut off.
        case cropped
        /// Frames are left out.
        case frameRateReduced
        /// Fields become frames.
        case deinterlaced
        /// HDR becomes SDR.
        case toneMapped
        /// Pixels are turned or mirrored.
        case turned
        /// Components have fewer bits.
        case depthReduced
        /// Chroma has fewer samples.
        case chromaReduced
        /// Transparency becomes black.
        case flattened
    }
}
