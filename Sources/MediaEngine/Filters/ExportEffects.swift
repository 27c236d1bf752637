public import MediaCore

/// What is done to the pictures and the sound of an export, whatever the asset is.
///
/// Needs a preset that encodes what is changed; the export fails with `AVError.operationNotSupportedForPreset` otherwise.
/// Beyond AVFoundation.
public struct ExportEffects: Sendable {
    /// How loud sound is.
    public enum Volume: Hashable, Sendable {
        /// So many decibels louder, or quieter below zero; what does not fit is clipped.
        case decibels(Double)
        /// As loud as said, in LUFS, by EBU R 128: -23 for broadcasting. Each track is gone through twice.
        ///
        /// Where that would bring peaks above -1 dBTP, these are held down. Silence stays silence.
        case loudness(Double)
    }

    /// How long pictures come up from black, and sound from silence, at the beginning; zero or more.
    public var fadeInDuration = CMTime.zero
    /// How long pictures go down to black, and sound to silence, at the end; zero or more.
    public var fadeOutDuration = CMTime.zero
    /// How loud sound is; `nil`, the default, for as loud as it is.
    public var volume: Volume?
    /// A picture over all pictures; `nil`, the default, for none.
    public var overlay: PictureOverlay?

    /// Effects that change nothing.
    public init() {}
}
