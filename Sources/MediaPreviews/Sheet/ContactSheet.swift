public import ImageGeneration
public import MediaCore
public import MediaImage

/// Stills of a film side by side in one picture, with their times and what the
/// file contains.
///
/// Times are on the asset's timeline, but for those that the sheet shows. Beyond AVFoundation.
public struct ContactSheet: Sendable {
    /// Which moments of a film are shown.
    public enum Moments: Sendable, Hashable {
        /// The middles of equal shares of the film, as many as the settings say.
        ///
        /// A frame that is shown at several of them is there once.
        case even
        /// The frames shown at these times of the asset's timeline, in this order; at least one.
        case times([CMTime])
        /// The starts of the film's chapters, with their titles; at least one.
        case chapters
    }

    /// One still on the sheet.
    public struct Tile: Sendable {
        /// The time asked for, on the asset's timeline.
        public let requestedTime: CMTime
        /// The frame's own presentation time, invalid where there is no picture.
        public let actualTime: CMTime
        /// Whether the frame is the one that is shown at the requested time.
        public let isExact: Bool
        /// Why the picture is not to be trusted, `nil` if it is.
        public let damage: String?
        /// Why there is no picture, `nil` if there is one.
        public let gap: String?
        /// Why this frame was taken, where a representative one was asked for and found; else `nil`.
        public let choice: RepresentativeChoice?
        /// The chapter's title, where the moment is a chapter's start, as the file has it; else `nil`.
        public let title: String?
        /// The time as the sheet shows it, on the timeline that its settings name: the
        /// first millisecond at which the frame is shown, or the time asked for in
        /// parentheses where there is no picture.
        public let label: String
        /// Pixels from the sheet's left edge to the picture's.
        public let x: Int
        /// Pixels from the sheet's upper edge to the picture's.
        public let y: Int
        /// Pixels in a row of the picture.
        public let width: Int
        /// Rows of the picture.
        public let height: Int
    }

    /// The sheet; 2²⁶ pixels at most.
    public let image: CGImage
    /// The container's time of the asset's zero.
    public let origin: CMTime
    /// What is on it, row by row; at least one.
    public let tiles: [Tile]
    /// How many stills at even times are left out because they would repeat a frame.
    public let omittedCount: Int
    /// How many characters are drawn as boxes because no installed font has them.
    public let missingCharacterCount: Int
    /// What of the file's metadata could not be read, one line each.
    public let problems: [String]
}
