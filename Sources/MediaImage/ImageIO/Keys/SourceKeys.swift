public import Foundation

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
