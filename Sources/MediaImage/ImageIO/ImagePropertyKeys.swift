public import Foundation

// The keys of what an image says of itself, with Image I/O's values. Constants: nobody can change a string of this
// type.

/// The number of bytes of the file.
nonisolated(unsafe) public let kCGImagePropertyFileSize: NSString = "FileSize"
/// Pixels in each row, as stored.
nonisolated(unsafe) public let kCGImagePropertyPixelWidth: NSString = "PixelWidth"
/// Rows of pixels, as stored.
nonisolated(unsafe) public let kCGImagePropertyPixelHeight: NSString = "PixelHeight"
/// Pixels for each inch from left to right.
nonisolated(unsafe) public let kCGImagePropertyDPIWidth: NSString = "DPIWidth"
/// Pixels for each inch from top to bottom.
nonisolated(unsafe) public let kCGImagePropertyDPIHeight: NSString = "DPIHeight"
/// Bits of one component.
nonisolated(unsafe) public let kCGImagePropertyDepth: NSString = "Depth"
/// How the image is to be turned, 1 to 8, as `CGImagePropertyOrientation` counts.
nonisolated(unsafe) public let kCGImagePropertyOrientation: NSString = "Orientation"
/// Whether components are floating-point numbers.
///
/// Nothing of ours has it.
nonisolated(unsafe) public let kCGImagePropertyIsFloat: NSString = "IsFloat"
/// Whether pixels are places in a table of colours.
nonisolated(unsafe) public let kCGImagePropertyIsIndexed: NSString = "IsIndexed"
/// Whether there is alpha.
nonisolated(unsafe) public let kCGImagePropertyHasAlpha: NSString = "HasAlpha"
/// `kCGImagePropertyColorModelRGB` or `kCGImagePropertyColorModelGray`.
nonisolated(unsafe) public let kCGImagePropertyColorModel: NSString = "ColorModel"
/// Red, green and blue.
nonisolated(unsafe) public let kCGImagePropertyColorModelRGB: NSString = "RGB"
/// Grey.
nonisolated(unsafe) public let kCGImagePropertyColorModelGray: NSString = "Gray"
/// Cyan, magenta, yellow and black.
///
/// Nothing of ours says it.
nonisolated(unsafe) public let kCGImagePropertyColorModelCMYK: NSString = "CMYK"
/// The name of the colour profile.
///
/// Nothing of ours has it.
nonisolated(unsafe) public let kCGImagePropertyProfileName: NSString = "ProfileName"
/// What belongs to TIFF: who made the picture, with what, and when.
nonisolated(unsafe) public let kCGImagePropertyTIFFDictionary: NSString = "{TIFF}"
/// What belongs to Exif: how the picture was taken.
nonisolated(unsafe) public let kCGImagePropertyExifDictionary: NSString = "{Exif}"
/// Where the picture was taken.
nonisolated(unsafe) public let kCGImagePropertyGPSDictionary: NSString = "{GPS}"
/// What belongs to GIF.
nonisolated(unsafe) public let kCGImagePropertyGIFDictionary: NSString = "{GIF}"
/// What belongs to PNG and animated PNG.
nonisolated(unsafe) public let kCGImagePropertyPNGDictionary: NSString = "{PNG}"
/// What belongs to JFIF.
///
/// Nothing of ours has it.
nonisolated(unsafe) public let kCGImagePropertyJFIFDictionary: NSString = "{JFIF}"
/// What belongs to IPTC.
///
/// Nothing of ours has it.
nonisolated(unsafe) public let kCGImagePropertyIPTCDictionary: NSString = "{IPTC}"
/// What belongs to WebP.
///
/// Nothing of ours has it.
nonisolated(unsafe) public let kCGImagePropertyWebPDictionary: NSString = "{WebP}"

// The options of image sources, with Image I/O's values. Constants: nobody can change a string of this type.

/// What the data are said to be.
///
/// Not needed here: the bytes tell.
nonisolated(unsafe) public let kCGImageSourceTypeIdentifierHint: NSString = "kCGImageSourceTypeIdentifierHint"
/// Whether components may be floating-point numbers.
///
/// They are not here.
nonisolated(unsafe) public let kCGImageSourceShouldAllowFloat: NSString = "kCGImageSourceShouldAllowFloat"
/// Whether decoded pixels are kept.
///
/// Images here are decoded when they are made.
nonisolated(unsafe) public let kCGImageSourceShouldCache: NSString = "kCGImageSourceShouldCache"
/// Whether an image is decoded when it is made.
///
/// It always is here.
nonisolated(unsafe) public let kCGImageSourceShouldCacheImmediately: NSString = "kCGImageSourceShouldCacheImmediately"
/// Whether a thumbnail is made of the image where the file holds none.
nonisolated(unsafe) public let kCGImageSourceCreateThumbnailFromImageIfAbsent: NSString =
    "kCGImageSourceCreateThumbnailFromImageIfAbsent"
/// Whether a thumbnail is made of the image though the file holds one.
nonisolated(unsafe) public let kCGImageSourceCreateThumbnailFromImageAlways: NSString =
    "kCGImageSourceCreateThumbnailFromImageAlways"
/// The most pixels of a thumbnail in either direction; as many as the image has if there is no such key.
nonisolated(unsafe) public let kCGImageSourceThumbnailMaxPixelSize: NSString = "kCGImageSourceThumbnailMaxPixelSize"
/// Whether a thumbnail is turned upright.
nonisolated(unsafe) public let kCGImageSourceCreateThumbnailWithTransform: NSString =
    "kCGImageSourceCreateThumbnailWithTransform"

// The options of image destinations, with Image I/O's values. Constants: nobody can change a string of this type.

/// From 0 for the smallest file to 1 for the best picture; 0.85 if there is no such key.
///
/// For JPEG, WebP and AVIF.
nonisolated(unsafe) public let kCGImageDestinationLossyCompressionQuality: NSString =
    "kCGImageDestinationLossyCompressionQuality"
/// The `CGColor` that shows through where the format has no alpha; white if there is no such key.
nonisolated(unsafe) public let kCGImageDestinationBackgroundColor: NSString = "kCGImageDestinationBackgroundColor"
/// The most pixels in either direction; larger images are made smaller.
nonisolated(unsafe) public let kCGImageDestinationImageMaxPixelSize: NSString = "kCGImageDestinationImageMaxPixelSize"

// The keys of what animations say, with Image I/O's values. Constants: nobody can change a string of this type.

/// How often the animation of a GIF is shown; 0 for ever.
nonisolated(unsafe) public let kCGImagePropertyGIFLoopCount: NSString = "LoopCount"
/// Seconds that an image of a GIF is shown; 0.1 where the file says 0.01 or less.
nonisolated(unsafe) public let kCGImagePropertyGIFDelayTime: NSString = "DelayTime"
/// Seconds that an image of a GIF is shown, as the file says.
nonisolated(unsafe) public let kCGImagePropertyGIFUnclampedDelayTime: NSString = "UnclampedDelayTime"
/// Whether the images of a GIF share a table of colours.
nonisolated(unsafe) public let kCGImagePropertyGIFHasGlobalColorMap: NSString = "HasGlobalColorMap"
/// Pixels in each row of a GIF.
nonisolated(unsafe) public let kCGImagePropertyGIFCanvasPixelWidth: NSString = "CanvasPixelWidth"
/// Rows of pixels of a GIF.
nonisolated(unsafe) public let kCGImagePropertyGIFCanvasPixelHeight: NSString = "CanvasPixelHeight"
/// How often the animation of a PNG is shown; 0 for ever.
nonisolated(unsafe) public let kCGImagePropertyAPNGLoopCount: NSString = "LoopCount"
/// Seconds that an image of a PNG is shown; 0.1 where the file says 0.01 or less.
nonisolated(unsafe) public let kCGImagePropertyAPNGDelayTime: NSString = "DelayTime"
/// Seconds that an image of a PNG is shown, as the file says.
nonisolated(unsafe) public let kCGImagePropertyAPNGUnclampedDelayTime: NSString = "UnclampedDelayTime"

/// How a stored picture is to be turned and mirrored to be upright, as Exif counts it.
///
/// Stands in for Image I/O's type of the same name, with its values.
public enum CGImagePropertyOrientation: UInt32, Sendable {
    /// As it is.
    case up = 1
    /// Mirrored from left to right.
    case upMirrored = 2
    /// Turned by half.
    case down = 3
    /// Mirrored from top to bottom.
    case downMirrored = 4
    /// Mirrored along the diagonal from the upper left.
    case leftMirrored = 5
    /// Turned by a quarter clockwise.
    case right = 6
    /// Mirrored along the diagonal from the upper right.
    case rightMirrored = 7
    /// Turned by a quarter counter-clockwise.
    case left = 8
}

extension CGImagePropertyOrientation {
    /// What makes the picture upright.
    var turn: ImageOrientation {
        switch self {
        case .up: .up
        case .upMirrored: ImageOrientation(swapsAxes: false, flipsHorizontally: true, flipsVertically: false)
        case .down: ImageOrientation(swapsAxes: false, flipsHorizontally: true, flipsVertically: true)
        case .downMirrored: ImageOrientation(swapsAxes: false, flipsHorizontally: false, flipsVertically: true)
        case .leftMirrored: ImageOrientation(swapsAxes: true, flipsHorizontally: false, flipsVertically: false)
        case .right: ImageOrientation(swapsAxes: true, flipsHorizontally: true, flipsVertically: false)
        case .rightMirrored: ImageOrientation(swapsAxes: true, flipsHorizontally: true, flipsVertically: true)
        case .left: ImageOrientation(swapsAxes: true, flipsHorizontally: false, flipsVertically: true)
        }
    }
}
