public import MediaCore

/// What comparing random access with a linear decode of the same file showed.
///
/// Times are on the asset's timeline. Numbers of frames and requests are of the part that was compared.
///
/// Beyond AVFoundation.
public struct FrameVerification: Sendable {
    /// One frame that was not delivered as the linear decode has it.
    public struct Finding: Sendable {
        /// The time asked for.
        public let requestedTime: CMTime
        /// When the frame that is shown then begins, by the linear decode.
        public let expectedTime: CMTime
        /// When the delivered frame begins; invalid if none was delivered.
        public let actualTime: CMTime
        /// What is wrong, in one line.
        public let reason: String
    }

    /// How many frames the linear decode gave.
    public var frames = 0
    /// How many frames the linear decode itself could not decode cleanly.
    public var damagedFrames = 0
    /// How many requests were made, all orders together.
    public var asked = 0
    /// Requests answered with a frame that is not the right one.
    public var wrong = 0
    /// Requests refused because the picture is damaged or missing.
    public var refused = 0
    /// Requests refused although the linear decode has a clean picture.
    public var refusedInVain = 0
    /// Frame numbers whose time is not that of the frame of that number in the linear decode.
    public var wrongNumbers = 0
    /// Why the linear decode ended before the end of the film, `nil` if it did not: the file is cut short, or cannot be
    /// read on.
    ///
    /// What lies behind was compared with nothing.
    public var readFailure: String?
    /// How many frames the container's index lists, `nil` if it does not list more than there are, or if the linear
    /// decode came to the end.
    public var listedFrames: Int?
    /// Up to where frames could be read; invalid if the linear decode came to the end.
    public var readEnd = CMTime.invalid
    /// How long the file says that it is; invalid if the linear decode came to the end, or that is an estimate.
    public var statedDuration = CMTime.invalid
    /// The wrong and the refused ones, the first hundred.
    public var findings: [Finding] = []

    /// Whether the whole file was read and every request was answered with the right frame.
    public var isPassed: Bool { wrong == 0 && refused == 0 && wrongNumbers == 0 && readFailure == nil }
}
