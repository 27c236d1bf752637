public import Foundation

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
