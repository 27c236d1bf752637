internal import Foundation
public import MediaAsset
public import MediaCore
internal import MediaIO
internal import MediaImage
internal import Synchronization

extension AVAssetImageGenerator {
    /// How a picture is brought into a box; beyond AVFoundation.
    public typealias Fit = StillFit

    /// How pictures are brought into their boxes: inside of them by default.
    ///
    /// The other ways need boxes of both sides, or stills fail with `AVError.incorrectlyConfigured`; boxes of more
    /// than 2²⁸ pixels fail with `AVError.incorrectlyConfigured`.
    ///
    /// Beyond AVFoundation.
    public var fit: Fit {
        get { settings.withLock { $0.fit } }
        set { settings.withLock { $0.fit = newValue } }
    }

    /// Boxes to make pictures for, one each of every frame, which is decoded once; zero leaves a direction free.
    ///
    /// Sides are from 0 to a million pixels; others are brought there. Empty by default: `maximumSize` is the only
    /// one. Beyond AVFoundation.
    public var sizes: [PixelSize] {
        get { settings.withLock { $0.sizes } }
        set {
            func sane(_ length: Int) -> Int { max(0, min(1_000_000, length)) }
            let sizes = newValue.map { PixelSize(width: sane($0.width), height: sane($0.height)) }
            settings.withLock { $0.sizes = sizes }
        }
    }

    /// The part of pictures that is shown, in pixels of the upright picture of full size from its top left; all of
    /// it if `nil`, as it is by default.
    ///
    /// Stills of pictures in which it does not lie fail with `AVError.incorrectlyConfigured`. Beyond AVFoundation.
    public var cropRect: PixelRect? {
        get { settings.withLock { $0.crop } }
        set { settings.withLock { $0.crop = newValue } }
    }

    /// The colour around pictures where `fit` is `pad`, in the pictures' own colour space; black by default.
    ///
    /// Beyond AVFoundation.
    public var backgroundColor: RGBColor {
        get { settings.withLock { $0.background } }
        set { settings.withLock { $0.background = newValue } }
    }
}

extension StillFit {
    /// More would be a mistake in the numbers.
    private static let maximumPixelCount = 1 << 28

    /// The size to scale a picture to.
    ///
    /// - Throws: `AVError.incorrectlyConfigured` for a box without both sides where all of it is to be filled, and
    ///   for one that is too large, with a `MediaLimitError` under it.
    func scaled(_ picture: PixelSize, into box: PixelSize) throws -> PixelSize {
        if self == .contain || box.width == 0 && box.height == 0 { return picture.fitting(box) }
        guard box.width > 0, box.height > 0 else {
            throw AVError(.incorrectlyConfigured, reason: "to \(rawValue) a box, it needs a width and a height")
        }
        let isWide = Double(picture.width) * Double(box.height) > Double(box.width) * Double(picture.height)
        // One side is that of the box; the other one is longer or shorter than the box's.
        let fillsHeight = isWide == (self == .cover)
        let ratio =
            fillsHeight
            ? Double(box.height) / Double(picture.height) : Double(box.width) / Double(picture.width)
        let other = (ratio * Double(fillsHeight ? picture.width : picture.height)).rounded()
        guard other * Double(fillsHeight ? box.height : box.width) <= Double(Self.maximumPixelCount) else {
            let reason = "a box of \(box.width)x\(box.height) pixels is too large to \(rawValue)"
            throw AVError(.incorrectlyConfigured, MediaLimitError(reason: reason))
        }
        let limit = fillsHeight ? box.width : box.height
        let length = self == .cover ? max(limit, Int(other)) : min(limit, max(1, Int(other)))
        return fillsHeight
            ? PixelSize(width: length, height: box.height) : PixelSize(width: box.width, height: length)
    }
}

extension StillSettings {
    /// A scaled picture brought to its box: its middle, or itself with bars.
    func fitted(_ image: CGImage, to box: PixelSize) throws -> CGImage {
        guard fit != .contain, box.width > 0, box.height > 0 else { return image }
        let fitted =
            fit == .cover
            ? image.part(
                x: (image.width - box.width) / 2, y: (image.height - box.height) / 2, width: box.width,
                height: box.height)
            : image.padded(width: box.width, height: box.height, color: background)
        guard let fitted else { throw AVError(.unknown, reason: "the picture does not fit its box") }
        return fitted
    }

    /// A part of the upright picture of full size.
    func part(_ crop: PixelRect, of image: CGImage) throws -> CGImage {
        guard let part = image.part(x: crop.x, y: crop.y, width: crop.width, height: crop.height) else {
            throw AVError(
                .incorrectlyConfigured,
                reason: "the part \(crop.width)x\(crop.height)+\(crop.x)+\(crop.y) does not lie inside of the picture,"
                    + " which has \(image.width)x\(image.height) pixels")
        }
        return part
    }
}

extension PixelSize {
    /// Width and height in each other's place.
    var turned: PixelSize { PixelSize(width: height, height: width) }
}
