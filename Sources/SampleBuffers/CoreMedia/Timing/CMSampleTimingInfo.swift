public import MediaCore

/// When a sample is decoded and shown, and for how long.
///
/// One can stand for all samples of a buffer that follow one another without gaps and last equally long: its times are
/// those of the first one.
public struct CMSampleTimingInfo: Sendable {
    /// How long the sample lasts; invalid if it is not known.
    public var duration: CMTime
    /// When the sample is shown or heard.
    public var presentationTimeStamp: CMTime
    /// When the sample is decoded; invalid where samples are shown in the order in which they are decoded.
    public var decodeTimeStamp: CMTime

    /// Times that are all invalid.
    public init() { self.init(duration: .invalid, presentationTimeStamp: .invalid, decodeTimeStamp: .invalid) }

    /// Times of a sample.
    public init(duration: CMTime, presentationTimeStamp: CMTime, decodeTimeStamp: CMTime) {
        (self.duration, self.presentationTimeStamp) = (duration, presentationTimeStamp)
        self.decodeTimeStamp = decodeTimeStamp
    }

    /// Times that are all invalid.
    public static let invalid = CMSampleTimingInfo()
}

/// Times that are all invalid.
public let kCMTimingInfoInvalid = CMSampleTimingInfo.invalid
