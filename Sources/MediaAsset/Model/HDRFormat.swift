/// The kind of high dynamic range (HDR) that a video track is tagged with.
public enum HDRFormat: String, Sendable {
    /// PQ with the light levels of its content or of the display it was graded on.
    case hdr10 = "HDR10"
    /// PQ without them.
    case pq = "PQ"
    /// Hybrid log-gamma.
    case hlg = "HLG"
}
