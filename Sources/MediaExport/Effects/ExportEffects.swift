public import MediaImage
public import MediaTime

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

/// A picture, such as a logo, that is laid over all pictures of an export.
///
/// Beyond AVFoundation.
public struct PictureOverlay: Sendable {
    /// Where it lies, in the upright pictures of the new file.
    public enum Position: Hashable, Sendable {
        /// With its top left corner so many pixels from theirs; less than zero from their right or lower edge, minus one
        /// touching it.
        case offset(x: Int, y: Int)
        /// A share of the free room from the left and from the top, from 0 to 1, with a margin of one fiftieth of the
        /// shorter side.
        case share(x: Double, y: Double)
    }

    /// What is laid over.
    public var image: CGImage
    /// Where; in the lower right corner by default.
    public var position = Position.share(x: 1, y: 1)
    /// How wide it is made, as a share of the pictures' width above 0 up to 1; `nil`, the default, for its own pixels,
    /// fewer where they do not fit.
    public var relativeWidth: Double?
    /// How much of it is seen, from 0 to 1.
    public var opacity = 1.0

    /// An overlay in the lower right corner, of its own size.
    public init(_ image: CGImage) { self.image = image }
}
