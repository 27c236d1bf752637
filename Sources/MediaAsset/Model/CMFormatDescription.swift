/// A four-character code as a number.
public typealias FourCharCode = UInt32

/// The codec's four-character code: ``CMFormatDescription/mediaSubType``.
public func CMFormatDescriptionGetMediaSubType(_ description: CMFormatDescription) -> FourCharCode {
    description.mediaSubType
}

/// Pixels of the coded picture, zero for anything but video.
public func CMVideoFormatDescriptionGetDimensions(_ description: CMFormatDescription) -> CMVideoDimensions {
    description.dimensions
}

/// How a track's samples are coded.
///
/// - Note: Core Media's also carries extensions and parameter sets.
public final class CMFormatDescription: Sendable {
    /// What the samples are.
    ///
    /// - Note: Core Media has a type of its own for it.
    public let mediaType: AVMediaType
    /// The codec's four-character code, the first character in the highest byte; never 0.
    ///
    /// Of sound it is Core Audio's format identifier (`aac `, `lpcm`, `.mp3`), whatever the container calls it. Of
    /// other tracks it is the type of a movie's sample entry (`avc1`, `ap4h`), in containers without such entries the
    /// one that a movie would have. Protected samples have their entry's (`encv`, `drms`). A codec that Apple has no
    /// code for has the container's, or else the first four letters of its name.
    ///
    /// - Note: Core Media has a type of its own for it.
    public let mediaSubType: FourCharCode
    /// The codec's name, as FFmpeg spells it.
    ///
    /// Beyond Core Media.
    public let codecName: String
    /// Pixels of the coded picture, zero for anything but video.
    public let dimensions: CMVideoDimensions
    /// The picture side, `nil` for a track that shows nothing.
    ///
    /// Beyond Core Media.
    public let video: VideoDescription?
    /// The sound side, `nil` for a track without sound.
    ///
    /// Beyond Core Media.
    public let audio: AudioDescription?

    init(track: TrackDescription) {
        mediaType = track.mediaType
        mediaSubType = track.mediaSubType
        codecName = track.codec
        let size = track.video?.naturalSize ?? PixelSize(width: 0, height: 0)
        dimensions = CMVideoDimensions(width: Int32(clamping: size.width), height: Int32(clamping: size.height))
        video = track.video
        audio = track.audio
    }
}
