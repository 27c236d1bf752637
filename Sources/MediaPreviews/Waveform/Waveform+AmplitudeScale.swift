extension Waveform {
    /// How high a drawn waveform is.
    ///
    /// Beyond AVFoundation.
    public enum AmplitudeScale: Sendable, Hashable {
        /// Values times a number above zero, cut at the edges; with 1 the loudest that sound can be fills the height.
        case factor(Double)
        /// The loudest point of all channels fills the height.
        case auto
    }
}
