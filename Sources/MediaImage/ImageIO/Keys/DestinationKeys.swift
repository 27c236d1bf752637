public import Foundation

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
