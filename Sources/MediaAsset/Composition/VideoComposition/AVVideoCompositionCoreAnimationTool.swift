public import Foundation

/// Not offered.
@available(*, unavailable, message: "There is no Core Animation on Linux; draw what moves into a track of its own.")
open class AVVideoCompositionCoreAnimationTool: NSObject {}
