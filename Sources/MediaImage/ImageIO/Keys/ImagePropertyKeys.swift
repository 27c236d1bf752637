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
