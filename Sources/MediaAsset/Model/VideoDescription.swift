public import Foundation
internal import MediaContainers
// What tracks say of their shape is in transforms: who reads one may use its members.
@_exported public import MediaCore

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
    /// About the bytes that decoding takes: frames that refer to each other, and those being shown.
    package var decodingByteCount: Int {
        let samples = Int64(codedSize.width).multipliedReportingOverflow(by: Int64(codedSize.height)).partialValue
        let frame = samples.multipliedReportingOverflow(by: (bitsPerComponent ?? 8) > 8 ? 3 : 2).partialValue
        return Int(clamping: frame.multipliedReportingOverflow(by: 12).partialValue)
    }

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

extension VideoDescription {
    /// The kind of high dynamic range, `nil` for SDR and for what the file does not say.
    public var hdrFormat: HDRFormat? {
        switch color.tags.transferFunction?.hdr {
        case .pq: peakLuminance == nil ? .pq : .hdr10
        case .hlg: .hlg
        case nil: nil
        }
    }

    /// Whether frames follow each other at different distances, as far as the
    /// container's rates tell.
    public var isVariableFrameRate: Bool {
        guard nominalFrameRate > 0, nominalFrameRate.isFinite, minFrameDuration.isNumeric, minFrameDuration > .zero
        else { return false }
        // The rate at which the shortest frames follow each other; that of fields is twice the frames'.
        let ratio = 1 / minFrameDuration.seconds / nominalFrameRate
        let isConstant = ratio < 1.01 || abs(ratio - 2) < 0.02 && fields != .progressive
        return !isConstant
    }

    /// Frames for each second for people; 0 if unknown.
    ///
    /// The average, unless that says more frames than fit even if all were of the
    /// shortest length: some containers give their ticks for it.
    public var plausibleFrameRate: Double {
        guard nominalFrameRate > 0, nominalFrameRate.isFinite else { return 0 }
        guard minFrameDuration.isNumeric, minFrameDuration > .zero else { return nominalFrameRate }
        let highest = 1 / minFrameDuration.seconds
        return nominalFrameRate > highest * 1.01 ? highest : nominalFrameRate
    }
}

/// A size in whole pixels.
public struct PixelSize: Sendable, Hashable {
    /// Pixels in each row.
    public var width: Int
    /// Rows of pixels.
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
    /// Its rows of pixels.
    public var height: Int

    /// Makes a rectangle.
    public init(x: Int, y: Int, width: Int, height: Int) {
        (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }
}

/// The ratio of a pixel's width to its height.
public struct AspectRatio: Sendable, Hashable {
    /// The width's share.
    public var horizontal: Int
    /// The height's share.
    public var vertical: Int

    /// Makes a ratio.
    public init(horizontal: Int, vertical: Int) { (self.horizontal, self.vertical) = (horizontal, vertical) }
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

/// A track's Dolby Vision configuration.
public struct DolbyVision: Sendable, Hashable {
    /// The profile: 5, 7, 8, 9 or 10 in use.
    public var profile: Int
    /// The level, by the size and rate of the pictures, from 1 on; higher ones are larger.
    public var level: Int
    /// What the base layer is without Dolby Vision: 0 for nothing that can be
    /// shown, 1 for HDR10, 2 for SDR, 4 for HLG.
    public var compatibilityID: Int

    /// Makes a configuration.
    public init(profile: Int, level: Int, compatibilityID: Int) {
        (self.profile, self.level, self.compatibilityID) = (profile, level, compatibilityID)
    }

    /// The profile as people write it: `5`, `8.1`.
    public var profileText: String { [8, 9, 10].contains(profile) ? "\(profile).\(compatibilityID)" : "\(profile)" }

    /// Whether the pictures have right colours without Dolby Vision's own mapping.
    public var hasCompatibleBaseLayer: Bool { profile != 5 && (profile != 10 || compatibilityID != 0) }
}

/// The kind of high dynamic range (HDR) that a video track is tagged with.
public enum HDRFormat: String, Sendable {
    /// PQ with the light levels of its content or of the display it was graded on.
    case hdr10 = "HDR10"
    /// PQ without them.
    case pq = "PQ"
    /// Hybrid log-gamma.
    case hlg = "HLG"
}

extension CleanAperture {
    /// The aperture in whole pixels of a coded picture, `nil` if it does not
    /// lie inside.
    func rect(in size: PixelSize) -> PixelRect? {
        let left = ((Double(size.width) - width) / 2 + horizontalOffset).rounded()
        let top = ((Double(size.height) - height) / 2 + verticalOffset).rounded()
        let rect = PixelRect(
            x: Int(clamping: left), y: Int(clamping: top), width: Int(clamping: width.rounded()),
            height: Int(clamping: height.rounded()))
        let isInside =
            rect.x >= 0 && rect.y >= 0 && rect.x + rect.width <= size.width && rect.y + rect.height <= size.height
        return isInside ? rect : nil
    }
}

extension Int {
    /// The nearest whole number that is small enough to calculate with.
    fileprivate init(clamping value: Double) {
        self = value.isFinite ? Int(Swift.min(1e9, Swift.max(-1e9, value))) : 0
    }
}
