public import MediaTime

/// What a media file contains, as one value: the facts that opening it gives.
///
/// Beyond AVFoundation's API, for callers that want everything at once. Times
/// are on the asset's timeline: that of the movie after edit lists; in other
/// containers, and in fragmented movies without an edit list, it starts at zero
/// where the earliest audible or visible track starts.
public struct AssetDescription: Sendable {
    /// The container's names, as FFmpeg spells them: `mov,mp4,m4a,3gp,3g2,mj2`.
    public var container: String
    /// How long the asset lasts; indefinite if the file does not tell.
    public var duration: CMTime
    /// Whether the duration is only guessed from size and bit rate.
    public var durationIsEstimate: Bool
    /// The container's time of the asset's zero: zero for movies, but for
    /// fragmented ones without an edit list.
    ///
    /// A time in the container, as players in pages count it, is the asset's time plus this one.
    public var origin: CMTime
    /// Size of the file in bytes, `nil` for a pipe.
    public var byteCount: Int64?
    /// The tracks in container order.
    public var tracks: [TrackDescription]
    /// Still pictures that come with the file, such as cover art; no tracks.
    public var attachedPictures: [TrackDescription]
    /// The rate that the movie header asks for, usually 1.
    public var preferredRate: Float
    /// The volume that the movie header asks for, usually 1.
    public var preferredVolume: Float
    /// Whether the movie may go on in fragments (`mvex`).
    public var canContainFragments: Bool
    /// Whether samples are protected.
    public var hasProtectedContent: Bool
    /// The number of the video track that pictures are made of, where one was
    /// asked for (`AVURLAssetVideoTrackIDKey`).
    public var chosenVideoTrackID: Int32?
    /// The timecode of the first frame, `nil` if the file has none.
    public var startTimecode: Timecode?
    /// How the frames of the video track are labelled with timecodes: from
    /// `startTimecode` on, or by the frame rate from zero; `nil` if there is no
    /// rate, or the file's timecode is none at its rate.
    public var timecodeScale: TimecodeScale?
}

extension AssetDescription {
    /// Bits for each second over the whole file and its ``duration``, `nil` if unknown.
    public var bitRate: Int64? {
        guard let byteCount, duration.isNumeric, duration > .zero else { return nil }
        let rate = Double(byteCount) * 8 / duration.seconds
        return rate < 1e15 ? Int64(rate.rounded()) : nil
    }
}

/// What one track contains.
public struct TrackDescription: Sendable {
    /// The container's number for the track, or its position counted from 1.
    public var trackID: Int32
    /// The stream's position in the file, counted from 0.
    public var streamIndex: Int
    /// What the track holds.
    public var mediaType: AVMediaType
    /// Whether the file asks for the track to be played.
    public var isEnabled: Bool
    /// The codec's name, as FFmpeg spells it: `h264`.
    public var codec: String
    /// The codec's four-character code in the container, empty if none.
    public var codecTag: String
    /// The codec's profile, if known.
    public var profile: String?
    /// Ticks in each second of the media.
    public var timescale: Int32
    /// Where on the asset's timeline the track lies.
    public var timeRange: CMTimeRange
    /// Whether the container does not say where the track ends, so that the asset's end stands for it.
    package var isEndAssumed = false
    /// ISO 639-2 code, `nil` if unknown.
    public var language: String?
    /// BCP 47 tag, `nil` if the file has none.
    public var extendedLanguageTag: String?
    /// The track's name, if it has one.
    public var title: String?
    /// Bits for each second, 0 if unknown.
    public var estimatedDataRate: Int64
    /// Samples, where the container counts them.
    public var sampleCount: Int64?
    /// How media time maps to the asset's timeline; empty without an edit list.
    public var editList: [CMTimeMapping]
    /// Whether the samples are encrypted.
    public var isEncrypted = false
    /// The picture side, for a track that has one.
    public var video: VideoDescription?
    /// The sound side, for a track that has one.
    public var audio: AudioDescription?
}

/// The picture side of a track.
public struct VideoDescription: Sendable {
    /// Pixels as coded, before cropping to the clean aperture.
    public var naturalSize: PixelSize
    /// Pixels as shown: clean aperture, square pixels, upright.
    public var displaySize: PixelSize
    /// The part of the coded picture that is meant to be seen.
    public var cleanAperture: PixelRect
    /// Width to height of one coded pixel.
    public var sampleAspectRatio: AspectRatio
    /// Maps the coded picture to the upright one.
    public var preferredTransform: CGAffineTransform
    /// Frames for each second on average, 0 if unknown.
    public var nominalFrameRate: Double
    /// The shortest frame, invalid if unknown.
    public var minFrameDuration: CMTime
    /// The stored samples' layout, as FFmpeg spells it: `yuv420p`.
    public var pixelFormat: String?
    /// Bits of one component.
    public var bitsPerComponent: Int?
    /// Whether there is an alpha component.
    public var hasAlpha: Bool
    /// Colour tags.
    public var color: ColorDescription
    /// The brightest light of HDR content in cd/m²: its brightest pixel, or
    /// else the peak of the display it was graded on; `nil` if the file does not say.
    public var peakLuminance: Double?
    /// `progressive`, or the order of fields: `tt`, `bb`, `tb`, `bt`.
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

/// The sound side of a track.
public struct AudioDescription: Sendable {
    /// Samples for each second.
    public var sampleRate: Int
    /// Channels.
    public var channels: Int
    /// The channels' meaning, such as `stereo`.
    public var channelLayout: String?
}

/// A size in whole pixels.
public struct PixelSize: Sendable, Hashable {
    /// Pixels in each row.
    public var width: Int
    /// Rows.
    public var height: Int

    /// Makes a size.
    public init(width: Int, height: Int) { (self.width, self.height) = (width, height) }

    /// The size that fits into a box, aspect kept, never enlarged, at least one pixel.
    ///
    /// What fits stays as it is: fitting the result into itself gives it again.
    ///
    /// - Parameter box: Zero leaves that direction free.
    package func fitting(_ box: PixelSize) -> PixelSize {
        let isTooWide = box.width > 0 && width > box.width
        let isTooHigh = box.height > 0 && height > box.height
        guard isTooWide || isTooHigh else { return self }
        var sizes: [PixelSize] = []
        if isTooWide { sizes.append(PixelSize(width: box.width, height: scaled(height, by: box.width, to: width))) }
        if isTooHigh { sizes.append(PixelSize(width: scaled(width, by: box.height, to: height), height: box.height)) }
        // Both may fit, by rounding; then the one that is larger by a row or a column.
        let fitting = sizes.filter { size in
            (box.width == 0 || size.width <= box.width) && (box.height == 0 || size.height <= box.height)
        }
        return fitting.max { $0.width + $0.height < $1.width + $1.height } ?? box
    }

    /// A length times a ratio, rounded, at least one pixel.
    private func scaled(_ length: Int, by numerator: Int, to denominator: Int) -> Int {
        max(1, Int((Double(length) * Double(numerator) / Double(max(1, denominator))).rounded()))
    }
}

/// A rectangle in whole pixels, its origin at the top left.
public struct PixelRect: Sendable, Hashable, Codable {
    /// Pixels left of it.
    public var x: Int
    /// Rows above it.
    public var y: Int
    /// Pixels in each of its rows.
    public var width: Int
    /// Its rows.
    public var height: Int

    /// Makes a rectangle.
    public init(x: Int, y: Int, width: Int, height: Int) {
        (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }
}

/// The ratio of a pixel's width to its height.
public struct AspectRatio: Sendable, Hashable {
    /// Width.
    public var horizontal: Int
    /// Height.
    public var vertical: Int

    /// Makes a ratio.
    public init(horizontal: Int, vertical: Int) { (self.horizontal, self.vertical) = (horizontal, vertical) }
}

extension VideoDescription {
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
