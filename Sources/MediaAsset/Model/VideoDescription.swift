public import Foundation
public import MediaCore

/// The picture side of a track.
public struct VideoDescription: Sendable {
    /// Pixels as coded, before cropping to the clean aperture; zero if unknown.
    public var codedSize: PixelSize
    /// The track's own size, before it is turned: what a movie's track header says.
    ///
    /// Where there is no such header, or its size is less than a pixel or more than sixteen times off, it is the clean
    /// aperture with square pixels. Zero if unknown.
    public var naturalSize: CGSize
    /// Pixels as shown: clean aperture, square pixels, upright.
    public var displaySize: PixelSize
    /// The part of the coded picture that is meant to be seen, in coded pixels from the top left.
    public var cleanAperture: PixelRect
    /// Width to height of one coded pixel.
    public var sampleAspectRatio: AspectRatio
    /// Maps the coded picture to the upright one, in pixels from the top left.
    public var preferredTransform: CGAffineTransform
    /// Frames for each second on average, 0 if unknown.
    ///
    /// The container's; where that cannot be true, as for a file that states its ticks, the average of the first 500
    /// pictures.
    public var nominalFrameRate: Double
    /// How long the shortest frame lasts, by the container's rates; invalid if unknown.
    public var minFrameDuration: CMTime
    /// The stored samples' layout, as FFmpeg spells it: `yuv420p`; `nil` if unknown.
    public var pixelFormat: String?
    /// Bits of one component, `nil` if unknown.
    public var bitsPerComponent: Int?
    /// Whether there is an alpha component.
    public var hasAlpha: Bool
    /// Colour tags.
    public var color: ColorDescription
    /// The brightest light of HDR content in cd/m²: its brightest pixel, or
    /// else the peak of the display it was graded on; `nil` if the file does not say.
    public var peakLuminance: Double?
    /// `progressive`, or the order of fields as FFmpeg spells it (`tt`, `bb`, `tb`, `bt`); `nil` if unknown.
    public var fieldOrder: String?
    /// Whether presentation order differs from decoding order.
    public var requiresFrameReordering: Bool
    /// Whether there is alpha that cannot be decoded: pictures come out opaque.
    public var hasUndecodedAlpha = false
    /// How the track says it is Dolby Vision, `nil` if it is not.
    public var dolbyVision: DolbyVision?
    /// The stream whose grey pictures are this one's alpha, as in animated AVIF.
    package var alphaStreamIndex: Int?
}

extension VideoDescription {
    /// The size of a track: its header's, unless that cannot be meant.
    ///
    /// - Parameters:
    ///   - header: The size in the track header, `nil` without one.
    ///   - seen: That of the clean aperture.
    static func naturalSize(header: CGSize?, seen: PixelSize, sampleAspectRatio ratio: AspectRatio) -> CGSize {
        guard seen.width > 0, seen.height > 0 else { return CGSize(width: seen.width, height: seen.height) }
        let stretch = Double(ratio.horizontal) / Double(ratio.vertical)
        let isSane = stretch >= 1 / 16 && stretch <= 16
        let size = CGSize(width: Double(seen.width) * (isSane ? stretch : 1), height: Double(seen.height))
        guard let header, header.width >= 1, header.height >= 1 else { return size }
        // Sizes that were written into the wrong half of their fields are thousands of times off.
        let factors = [header.width / size.width, header.height / size.height]
        return factors.allSatisfy { $0 >= 1 / 16 && $0 <= 16 } ? header : size
    }

    /// The size of a part of the coded picture once its pixels are square and
    /// it stands upright: height kept, width stretched, then turned.
    package static func displaySize(
        of part: PixelSize, sampleAspectRatio ratio: AspectRatio, transform: CGAffineTransform
    ) -> PixelSize {
        let scaled = (Double(part.width) * Double(ratio.horizontal) / Double(ratio.vertical)).rounded()
        // No picture is meant to be stretched more than this; a damaged header may say so.
        let isSane = scaled.isFinite && scaled >= Double(part.width) / 16 && scaled <= Double(part.width) * 16
        let width = isSane ? max(1, Int(scaled)) : part.width
        return transform.swapsAxes
            ? PixelSize(width: part.height, height: width) : PixelSize(width: width, height: part.height)
    }
}
