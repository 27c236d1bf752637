public import Foundation

/// Not offered.
@available(*, unavailable, message: "There is no Core Image on Linux.")
open class AVAsynchronousCIImageFilteringRequest: NSObject {}
