internal import Foundation
package import MediaIO

/// A film, and what it may make the tool do.
package struct MediaSource: Codable, Sendable {
    package let file: String
    package var allowedFormats: [String] = []
    package var allowsNetwork = false
    package var isPrecise = false
    /// The number of the video track to take, the usual one if `nil`.
    package var track: Int32?
    /// Whether a pipe is read to its end before anything else.
    package var readsPipesWhole = true
    /// An index of its frames, and where one is kept.
    package var index: String?
    package var cachedIndex: String?
    /// How much it may ask for.
    package var limits = MediaLimits()

    package init(file: String, limits: MediaLimits = MediaLimits()) { (self.file, self.limits) = (file, limits) }
}
